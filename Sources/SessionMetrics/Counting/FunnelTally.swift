import FunnelDocument

/// The running counts of a set of sessions (metrics §1, §2 and §4).
package struct FunnelTally: Sendable {
  private var sessions = SessionTally()
  /// Of the pages that somebody visited, in no order: a sender who says that a story has a thousand pages costs nothing.
  private var pages: [PageTally] = []
  /// Where a page stands in `pages`, by its index; -1 where nobody visited it.
  private var places: [Int16] = []

  /// Begins with nothing counted.
  package init() {}

  /// How many presentations were counted.
  package var presentations: Int { sessions.counts.presentations }

  /// Counts a session.
  package mutating func count(_ session: borrowing JudgedSession, hasSuspectClock: Bool) {
    sessions.count(session, hasSuspectClock: hasSuspectClock)
    guard session.isStorySession else { return }
    for impression in session.impressions { pages[place(of: impression.page)].count(impression) }
    for visit in session.visits { pages[place(of: visit.page)].count(visit) }
  }

  /// Takes in the sessions of another tally.
  package mutating func add(_ other: FunnelTally) {
    sessions.add(other.sessions)
    for page in other.pages { pages[place(of: page.index)].add(page) }
  }

  /// The counts so far; `titles` by page index.
  package func counts(titles: [Int: String]) -> FunnelCounts {
    var counts = sessions.counts
    counts.pages = (0..<sessions.pageSpan).map { index in
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
