import FunnelDocument

/// The running counts of a set of sessions (metrics §1, §2 and §4).
package struct FunnelTally: Sendable {
  private var sums = FunnelCounts()
  private var pages: [PageTally] = []

  package init() {}

  /// Counts a session.
  package mutating func count(_ session: borrowing JudgedSession, hasSuspectClock: Bool) {
    guard session.isPresentation else { return }
    sums.presentations += 1
    if session.isFallback { sums.fallbacks += 1 }
    guard session.isStorySession else { return }
    sums.sessions += 1
    if session.isFinished { sums.finishedSessions += 1 }
    if session.hasReachedLast { sums.reachedLastSessions += 1 }
    if session.isTapped { sums.tappedSessions += 1 }
    sums.completeness.expectedEvents += session.expectedEvents
    sums.completeness.missingEvents += session.missingEvents
    if !session.hasStart { sums.completeness.sessionsWithoutStart += 1 }
    if hasSuspectClock { sums.completeness.suspectClockSessions += 1 }
    makeRoom(forPages: session.pageSpan)
    for impression in session.impressions {
      pages[impression.page].count(impression)
      if impression.isNegativeDwell { sums.completeness.negativeDwells += 1 }
    }
    for visit in session.visits {
      pages[visit.page].count(visit)
      if visit.impressions == 0 { sums.completeness.orphanTaps += visit.taps }
    }
  }

  /// Takes in the sessions of another tally.
  package mutating func add(_ other: FunnelTally) {
    sums = sums + other.sums
    makeRoom(forPages: other.pages.count)
    for (index, page) in other.pages.enumerated() { pages[index].add(page) }
  }

  /// The counts so far; `titles` by page index.
  package func counts(titles: [Int: String]) -> FunnelCounts {
    var counts = sums
    counts.pages = pages.enumerated().map { index, page in page.counts(title: titles[index]) }
    return counts
  }

  private mutating func makeRoom(forPages count: Int) {
    while pages.count < count { pages.append(PageTally(index: pages.count)) }
  }
}
