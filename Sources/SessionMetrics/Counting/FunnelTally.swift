import FunnelDocument

/// The running counts of a set of sessions (metrics §1, §2 and §4).
package struct FunnelTally: Sendable {
  private var sums = FunnelCounts()
  /// Of the pages that somebody visited, in no order: a sender who says that a story has a thousand pages costs nothing.
  private var pages: [PageTally] = []
  /// Where a page stands in `pages`, by its index; -1 where nobody visited it.
  private var places: [Int16] = []
  /// How many pages the sessions imply.
  private var pageSpan = 0

  /// Begins with nothing counted.
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
    pageSpan = max(pageSpan, session.pageSpan)
    for impression in session.impressions {
      pages[place(of: impression.page)].count(impression)
      if impression.isNegativeDwell { sums.completeness.negativeDwells += 1 }
    }
    for visit in session.visits {
      pages[place(of: visit.page)].count(visit)
      if visit.impressions == 0 { sums.completeness.orphanTaps += visit.taps }
    }
  }

  /// Takes in the sessions of another tally.
  package mutating func add(_ other: FunnelTally) {
    sums = sums + other.sums
    pageSpan = max(pageSpan, other.pageSpan)
    for page in other.pages { pages[place(of: page.index)].add(page) }
  }

  /// The counts so far; `titles` by page index.
  package func counts(titles: [Int: String]) -> FunnelCounts {
    var counts = sums
    counts.pages = (0..<pageSpan).map { index in
      let place = places.indices.contains(index) ? Int(places[index]) : -1
      return (place < 0 ? PageTally(index: index) : pages[place]).counts(title: titles[index])
    }
    return counts
  }

  private mutating func place(of page: Int) -> Int {
    while places.count <= page { places.append(-1) }
    if places[page] < 0 {
      places[page] = Int16(pages.count)
      pages.append(PageTally(index: page))
    }
    return Int(places[page])
  }
}
