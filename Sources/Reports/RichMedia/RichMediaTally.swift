import FunnelDocument
import SessionMetrics

/// The running counts of presentations of rich media.
struct RichMediaTally {
  private var sums = RichMediaCounts()
  private var waits = DwellHistogram()
  private var opens = DwellHistogram()
  /// Closed presentations of which it is known whether the timer did it.
  private var timed = 0
  private var closedByTimer = 0

  /// How many presentations were counted.
  var presentations: Int { sums.presentations }

  /// Counts a presentation.
  mutating func count(_ presentation: RichMediaPresentation) {
    sums.presentations += 1
    if presentation.isDeferred { sums.deferred += 1 }
    if presentation.isShown { sums.shown += 1 }
    switch presentation.end {
    case .failed: sums.failed += 1
    case .closed: sums.closed += 1
    case .openOrLost: sums.openOrLost += 1
    case .waitingOrLost: sums.waitingOrLost += 1
    }
    if let isByTimer = presentation.isClosedByTimer {
      timed += 1
      if isByTimer { closedByTimer += 1 }
    }
    if let wait = presentation.waitMicroseconds { waits.add(wait) }
    if let open = presentation.openMicroseconds { opens.add(open) }
    sums.expectedEvents += presentation.expectedEvents
    sums.missingEvents += presentation.missingEvents
  }

  /// Takes in the presentations of another tally.
  mutating func add(_ other: RichMediaTally) {
    sums = sums + other.sums
    waits.add(other.waits)
    opens.add(other.opens)
    timed += other.timed
    closedByTimer += other.closedByTimer
  }

  /// The counts so far.
  var counts: RichMediaCounts {
    var counts = sums
    if timed > 0 {
      counts.closedByTimer = closedByTimer
      counts.closedBeforeTimer = timed - closedByTimer
    }
    counts.wait = waits.summary
    counts.open = opens.summary
    return counts
  }
}
