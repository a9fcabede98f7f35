/// How a day has changed since a set was made of it: why a new revision is due, and how much of it.
struct SetChange: Equatable, Sendable {
  /// In the order of `RevisionReason`; empty: nothing has changed.
  let causes: [RevisionCause]

  /// Compares a set with what is there now.
  ///
  /// - Parameters:
  ///   - definitions: the version of the numbers' definitions.
  ///   - databaseID: of the database that `position` was read from.
  init(
    since set: SetRecord, to position: ChangePosition, databaseID: String, definitions: String, _ options: ExportOptions
  ) {
    var causes: [RevisionCause] = []
    if databaseID != set.databaseID || Self.isOfAnotherHistory(set.position, position) {
      // Nothing can be said of how much changed between two databases.
      causes.append(RevisionCause(reason: .otherDatabase, count: ChangeCount()))
    } else {
      for reason in ChangeReason.allCases {
        let count = position[reason] - set.position[reason]
        if count != ChangeCount() { causes.append(RevisionCause(reason: reason.asRevisionReason, count: count)) }
      }
    }
    if definitions != set.definitions { causes.append(RevisionCause(reason: .definitions, count: ChangeCount())) }
    if options != set.options { causes.append(RevisionCause(reason: .options, count: ChangeCount())) }
    let order = RevisionReason.allCases
    self.causes = causes.sorted {
      (order.firstIndex(of: $0.reason) ?? 0) < (order.firstIndex(of: $1.reason) ?? 0)
    }
  }

  /// Whether a database was restored to an earlier time in between: counts only ever grow, and where as much has changed
  /// since, the marks differ.
  private static func isOfAnotherHistory(_ old: ChangePosition, _ new: ChangePosition) -> Bool {
    new.counts == old.counts
      ? new.mark != old.mark
      : ChangeReason.allCases.contains { new[$0].sessions < old[$0].sessions || new[$0].events < old[$0].events }
  }
}

extension ChangeReason {
  fileprivate var asRevisionReason: RevisionReason {
    switch self {
    case .stored: .lateEvents
    case .replayed: .replayedRejections
    case .contextFilled: .contextFilledIn
    case .erased: .erased
    case .retained: .retained
    }
  }
}
