import FunnelDocument

/// The running counts of one page (metrics §2).
package struct PageTally: Sendable {
  private var counts: PageCounts
  /// The played index.
  package var index: Int { counts.index }
  /// Of `next`, those whose page's duration is known.
  private var nextWithDuration = 0
  private var nextAuto = 0
  private var dwells = DwellHistogram()

  /// Begins with nothing counted, for the page of this played index.
  package init(index: Int) {
    counts = PageCounts(index: index)
  }

  /// Counts an impression of the page: its departure, who made a `next`, its dwell.
  package mutating func count(_ impression: JudgedImpression) {
    counts.impressions += 1
    switch impression.departure {
    case .next: counts.departures.next += 1
    case .back: counts.departures.back += 1
    case .looped: counts.departures.looped += 1
    case .finished: counts.departures.finished += 1
    case .tappedOut: counts.departures.tappedOut += 1
    case .exited: counts.departures.exited += 1
    case .unknown: counts.departures.unknown += 1
    }
    switch impression.nextCause {
    case .auto:
      nextWithDuration += 1
      nextAuto += 1
    case .tap: nextWithDuration += 1
    case nil: break
    }
    if let dwell = impression.dwellMicroseconds { dwells.add(dwell) }
  }

  /// Counts what a session did on the page, after the impressions it holds.
  package mutating func count(_ visit: PageVisit) {
    counts.taps += visit.taps
    guard visit.impressions > 0 else { return }
    counts.sessions += 1
    if visit.isStrict { counts.strictSessions += 1 }
    if visit.isCompleted { counts.completedSessions += 1 }
    if visit.taps > 0 { counts.tappedSessions += 1 }
  }

  /// Takes in the counts of another tally of the same page.
  package mutating func add(_ other: PageTally) {
    counts = counts + other.counts
    nextWithDuration += other.nextWithDuration
    nextAuto += other.nextAuto
    dwells.add(other.dwells)
  }

  /// The counts so far, under this title.
  package func counts(title: String?) -> PageCounts {
    var complete = counts
    complete.title = title
    if nextWithDuration > 0 {
      complete.departures.nextAuto = nextAuto
      complete.departures.nextTap = nextWithDuration - nextAuto
    }
    complete.dwell = dwells.summary
    return complete
  }
}
