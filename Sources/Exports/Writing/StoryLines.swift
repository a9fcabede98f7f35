import FunnelDocument

/// Writes the lines of stories.
struct StoryLines: ~Copyable {
  private var file: LineFile
  private let day: String

  init(_ day: ExportDay, _ options: ExportOptions, in directory: borrowing OpenDirectory) throws(ExportError) {
    file = try LineFile(.stories, options, in: directory)
    self.day = day.text
  }

  mutating func write(app: String, _ story: StoryTally, _ counts: FunnelCounts) throws(ExportError) {
    file.cells.name(day)
    file.cells.text(app)
    file.cells.text(story.story)
    file.cells.sums(counts)
    file.cells.integer(counts.pages.count)
    file.cells.integer(story.presentationsWithDevice)
    file.cells.integer(counts.completeness.expectedEvents)
    file.cells.integer(counts.completeness.missingEvents)
    file.cells.integer(counts.completeness.sessionsWithoutStart)
    file.cells.integer(counts.completeness.orphanTaps)
    file.cells.integer(counts.completeness.negativeDwells)
    file.cells.integer(counts.completeness.suspectClockSessions)
    file.cells.timestamp(story.firstStartedAtMicroseconds)
    file.cells.timestamp(story.lastStartedAtMicroseconds)
    try file.endLine()
  }

  mutating func finish() throws(ExportError) -> WrittenFile { try file.finish() }
}

extension CellWriter {
  /// The cells of `StoryColumns.sums`.
  mutating func sums(_ counts: FunnelCounts) {
    integer(counts.presentations)
    integer(counts.fallbacks)
    integer(counts.sessions)
    integer(counts.finishedSessions)
    integer(counts.reachedLastSessions)
    integer(counts.tappedSessions)
  }

  mutating func text(_ utf8: [UInt8]?) {
    guard let utf8 else { return null() }
    utf8.withUnsafeBytes { text($0) }
  }
}
