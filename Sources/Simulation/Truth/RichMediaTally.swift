import FunnelDocument
import StoryEvents

/// The running counts of presentations of rich media (rich-media §1).
struct RichMediaTally: Sendable {
  private var sums = RichMediaCounts()
  /// Lengths of waits and of times open, in microseconds.
  private var waits: [Int64] = []
  private var opens: [Int64] = []

  /// Counts a presentation.
  ///
  /// - Parameters:
  ///   - session: its events, of rich media alone; at least one.
  ///   - timerMicroseconds: after how long its window closes itself; nil is never.
  mutating func count(_ session: SessionEvents, timerMicroseconds: Int64?) {
    func holds(_ type: EventType) -> Bool { session.events.contains { $0.type == type } }
    sums.presentations += 1
    sums.expectedEvents += session.expectedCount
    sums.missingEvents += session.missingCount
    if holds(.richMediaDeferred) { sums.deferred += 1 }
    if holds(.richMediaPresented) { sums.shown += 1 }
    if let wait = length(session, from: .richMediaDeferred, to: .richMediaPresented) { waits.append(wait) }
    let open = length(session, from: .richMediaPresented, to: .richMediaClosed)
    if let open { opens.append(open) }
    if holds(.richMediaFailed) {
      sums.failed += 1
    } else if holds(.richMediaClosed) {
      sums.closed += 1
      if let open, let timerMicroseconds { countTimer(open >= timerMicroseconds - 250_000) }
    } else if holds(.richMediaPresented) {
      sums.openOrLost += 1
    } else {
      sums.waitingOrLost += 1
    }
  }

  private mutating func countTimer(_ byTimer: Bool) {
    sums.closedByTimer = (sums.closedByTimer ?? 0) + (byTimer ? 1 : 0)
    sums.closedBeforeTimer = (sums.closedBeforeTimer ?? 0) + (byTimer ? 0 : 1)
  }

  /// From the first event of a type to the first of another after it, in device time; nil where there is none, where a
  /// `seq` is missing between them, and where the clock was set back.
  private func length(_ session: SessionEvents, from first: EventType, to second: EventType) -> Int64? {
    let events = session.events
    guard let start = events.firstIndex(where: { $0.type == first }),
      let end = events[start...].firstIndex(where: { $0.type == second }), session.isWhole(from: start, to: end)
    else { return nil }
    let length = events[end].atMicroseconds - events[start].atMicroseconds
    return length >= 0 ? length : nil
  }

  /// The counts so far.
  var counts: RichMediaCounts {
    var counts = sums
    counts.wait = Self.summary(waits)
    counts.open = Self.summary(opens)
    return counts
  }

  private static func summary(_ lengths: [Int64]) -> DwellSummary {
    guard !lengths.isEmpty else { return DwellSummary() }
    let sorted = lengths.sorted()
    return DwellSummary(
      count: sorted.count, medianMilliseconds: sorted.nearestRankMilliseconds(tenths: 5),
      ninetiethPercentileMilliseconds: sorted.nearestRankMilliseconds(tenths: 9))
  }
}
