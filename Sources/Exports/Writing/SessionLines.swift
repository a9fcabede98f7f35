import SessionMetrics

/// Writes the lines of sessions.
struct SessionLines: ~Copyable {
  private var file: LineFile

  init(_ options: ExportOptions, in directory: borrowing OpenDirectory) throws(ExportError) {
    file = try LineFile(.sessions, options, in: directory)
  }

  /// Writes the session whose cells these are.
  mutating func write(
    _ judged: borrowing JudgedSession, events: Int, _ session: borrowing SessionCells
  ) throws(ExportError) {
    var pagesReached = 0
    var taps = 0
    for visit in judged.visits {
      if visit.impressions > 0 { pagesReached += 1 }
      taps += visit.taps
    }
    file.cells.cells(session.identity, count: SessionCells.identityCount)
    file.cells.cells(session.context, count: SessionCells.contextCount)
    file.cells.integer(Int64(events))
    file.cells.integer(Int64(judged.expectedEvents))
    file.cells.integer(Int64(judged.missingEvents))
    file.cells.boolean(judged.isPresentation)
    file.cells.boolean(judged.isStorySession)
    file.cells.boolean(judged.isFallback)
    file.cells.boolean(judged.isFinished)
    file.cells.boolean(judged.hasReachedLast)
    file.cells.boolean(judged.isTapped)
    file.cells.boolean(judged.hasStart)
    file.cells.integer(judged.pageCount)
    file.cells.integer(Int64(judged.impressions.count))
    file.cells.integer(Int64(pagesReached))
    file.cells.integer(Int64(taps))
    try file.endLine()
  }

  mutating func finish() throws(ExportError) -> WrittenFile { try file.finish() }
}
