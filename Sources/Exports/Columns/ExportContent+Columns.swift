extension ExportContent {
  /// The columns of its file, in their order.
  var columns: [ExportColumn] {
    switch self {
    case .events: EventColumns.all
    case .sessions: SessionColumns.all
    case .funnel: FunnelColumns.all
    case .stories: StoryColumns.all
    }
  }
}
