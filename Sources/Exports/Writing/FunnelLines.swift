import FunnelDocument

/// Writes the lines of funnels.
struct FunnelLines: ~Copyable {
  private var file: LineFile
  private let day: String

  init(_ day: ExportDay, _ options: ExportOptions, in directory: borrowing OpenDirectory) throws(ExportError) {
    file = try LineFile(.funnel, options, in: directory)
    self.day = day.text
  }

  /// Writes a line for each page of a story.
  mutating func write(app: String, _ story: StoryTally, _ counts: FunnelCounts) throws(ExportError) {
    var previous: PageCounts?
    for page in counts.pages {
      file.cells.name(day)
      file.cells.text(app)
      file.cells.text(story.story)
      file.cells.integer(page.index)
      file.cells.text(page.title)
      file.cells.sums(counts)
      file.cells.page(page, after: previous)
      try file.endLine()
      previous = page
    }
  }

  mutating func finish() throws(ExportError) -> WrittenFile { try file.finish() }
}

extension CellWriter {
  fileprivate mutating func page(_ page: PageCounts, after previous: PageCounts?) {
    integer(page.impressions)
    integer(page.sessions)
    integer(previous?.sessions)
    integer(page.strictSessions)
    integer(previous?.strictSessions)
    integer(page.replays)
    integer(page.completedSessions)
    integer(page.taps)
    integer(page.tappedSessions)
    integer(page.departures.next)
    integer(page.departures.nextAuto)
    integer(page.departures.nextTap)
    integer(page.departures.back)
    integer(page.departures.looped)
    integer(page.departures.finished)
    integer(page.departures.tappedOut)
    integer(page.departures.exited)
    integer(page.departures.unknown)
    integer(page.dwell.count)
    number(page.dwell.medianMilliseconds)
    number(page.dwell.ninetiethPercentileMilliseconds)
  }
}
