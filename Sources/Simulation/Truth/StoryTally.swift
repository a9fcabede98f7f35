import FunnelDocument
import StoryEvents

/// The running counts of one story's sessions.
struct StoryTally: Sendable {
  private var sums = FunnelCounts()
  /// Lengths of impressions by page, in microseconds.
  private var dwells: [[Int64]] = []

  mutating func count(_ delivered: [SimulatedEvent], hasSuspectClock: Bool) {
    let session = SessionFacts(delivered)
    guard session.isPresentation else { return }
    sums.presentations += 1
    if session.holds(.fallback) { sums.fallbacks += 1 }
    guard session.isStorySession else { return }
    sums.sessions += 1
    if session.holds(.finish) { sums.finishedSessions += 1 }
    if session.holds(.actionTap) { sums.tappedSessions += 1 }
    if let pageCount = session.pageCount, session.shows(page: pageCount - 1) { sums.reachedLastSessions += 1 }
    countCompleteness(session, hasSuspectClock: hasSuspectClock)
    makeRoom(for: session.pageSpan)
    countPages(session)
  }

  /// The counts so far.
  var counts: FunnelCounts {
    var counts = sums
    for page in counts.pages.indices { counts.pages[page].dwell = Self.summary(of: dwells[page]) }
    return counts
  }

  /// Takes in another story's sessions.
  mutating func add(_ other: StoryTally) {
    sums = sums + other.sums
    makeRoom(for: other.dwells.count)
    for (page, lengths) in other.dwells.enumerated() { dwells[page] += lengths }
  }

  private mutating func countCompleteness(_ session: SessionFacts, hasSuspectClock: Bool) {
    sums.completeness.expectedEvents += session.highestSeq + 1
    sums.completeness.missingEvents += session.highestSeq + 1 - session.events.count
    if !session.holds(.start) { sums.completeness.sessionsWithoutStart += 1 }
    if hasSuspectClock { sums.completeness.suspectClockSessions += 1 }
  }

  private mutating func makeRoom(for pageCount: Int) {
    while sums.pages.count < pageCount { sums.pages.append(PageCounts(index: sums.pages.count)) }
    while dwells.count < pageCount { dwells.append([]) }
  }

  private mutating func countPages(_ session: SessionFacts) {
    var completes = Array(repeating: false, count: session.pageSpan)
    for impression in session.impressions() {
      let page = impression.page
      sums.pages[page].impressions += 1
      sums.pages[page].departures.add(impression)
      if impression.departure.completes { completes[page] = true }
      guard let length = impression.length else { continue }
      if length < 0 { sums.completeness.negativeDwells += 1 } else { dwells[page].append(length) }
    }
    let taps = countTaps(session)
    let strictReach = session.strictReach
    for page in 0..<session.pageSpan {
      if completes[page] { sums.pages[page].completedSessions += 1 }
      guard session.shows(page: page) else { continue }
      sums.pages[page].sessions += 1
      if page < strictReach { sums.pages[page].strictSessions += 1 }
      if taps.contains(page) { sums.pages[page].tappedSessions += 1 }
    }
  }

  /// Counts the taps, and returns the pages that they were on.
  private mutating func countTaps(_ session: SessionFacts) -> Set<Int> {
    guard session.holds(.actionTap) else { return [] }
    var pages: Set<Int> = []
    for event in session.events where event.type == .actionTap {
      guard let page = event.pageIndex else { continue }
      pages.insert(page)
      sums.pages[page].taps += 1
      if !session.shows(page: page) { sums.completeness.orphanTaps += 1 }
    }
    return pages
  }

  /// Nearest rank: of the sorted lengths, the ⌈q·n⌉-th (metrics §2).
  private static func summary(of lengths: [Int64]) -> DwellSummary {
    guard !lengths.isEmpty else { return DwellSummary() }
    let sorted = lengths.sorted()
    return DwellSummary(
      count: sorted.count, medianMilliseconds: sorted.nearestRankMilliseconds(tenths: 5),
      ninetiethPercentileMilliseconds: sorted.nearestRankMilliseconds(tenths: 9))
  }
}

extension Departures {
  fileprivate mutating func add(_ impression: Impression) {
    switch impression.departure {
    case .next:
      next += 1
      guard let byTimer = impression.wasEndedByTimer else { return }
      nextAuto = (nextAuto ?? 0) + (byTimer ? 1 : 0)
      nextTap = (nextTap ?? 0) + (byTimer ? 0 : 1)
    case .back: back += 1
    case .looped: looped += 1
    case .finished: finished += 1
    case .tappedOut: tappedOut += 1
    case .exited: exited += 1
    case .unknown: unknown += 1
    }
  }
}
