import SessionMetrics

/// What is known about a session's clock and arrival beside its events.
struct SessionTiming {
  /// When the session started, corrected; in microseconds since 1970.
  var startedAtMicroseconds: Int64
  /// When its first event was received.
  var arrivedAtMicroseconds: Int64
  /// Microseconds that were added to the device's clock.
  var clockOffsetMicroseconds: Int64
  /// The clock was not believable, so the session counts at its arrival.
  var hasSuspectClock: Bool

  /// From the start to the arrival, in microseconds, negative where the start seems to lie later; nil where the start is not
  /// known.
  var delayMicroseconds: Int64? {
    if hasSuspectClock { return nil }
    let (delay, overflows) = arrivedAtMicroseconds.subtractingReportingOverflow(startedAtMicroseconds)
    guard overflows else { return delay }
    return arrivedAtMicroseconds > startedAtMicroseconds ? .max : .min
  }
}

extension SessionFaults {
  /// Makes those of one story session, by the same rules as `FunnelTally` (metrics §4).
  init(_ session: borrowing JudgedSession, _ timing: SessionTiming) {
    sessions = 1
    expectedEvents = session.expectedEvents
    missingEvents = session.missingEvents
    sessionsWithMissingEvents = session.missingEvents > 0 ? 1 : 0
    sessionsWithoutStart = session.hasStart ? 0 : 1
    singleEventSessions = session.expectedEvents == 1 ? 1 : 0
    orphanTaps = session.orphanTaps
    negativeDwells = session.negativeDwells
    suspectClockSessions = timing.hasSuspectClock ? 1 : 0
    offsetClockSessions = timing.clockOffsetMicroseconds == 0 ? 0 : 1
  }
}

/// The running distribution of delays.
struct DelayTally: Sendable {
  private var histogram = DelayHistogram()
  private var startsAfterArrival = 0

  /// Counts a session; one without a known start is none.
  mutating func count(_ timing: SessionTiming) {
    guard let delay = timing.delayMicroseconds else { return }
    if delay < 0 { startsAfterArrival += 1 }
    histogram.add(delay)
  }

  var delay: ArrivalDelay {
    ArrivalDelay(
      sessions: histogram.count, startsAfterArrival: startsAfterArrival,
      medianSeconds: histogram.seconds(atPercent: 50), ninetiethPercentileSeconds: histogram.seconds(atPercent: 90),
      ninetyNinthPercentileSeconds: histogram.seconds(atPercent: 99))
  }
}

/// The running distribution of clock offsets.
struct ClockTally: Sendable {
  private var sizes = DelayHistogram()
  private var largest: Int64 = 0
  private var smallest: Int64 = 0

  /// Counts a session; one without an offset is none.
  mutating func count(_ timing: SessionTiming) {
    let offset = timing.clockOffsetMicroseconds
    guard offset != 0 else { return }
    largest = max(largest, offset)
    smallest = min(smallest, offset)
    sizes.add(Int64(clamping: offset.magnitude))
  }

  var offsets: ClockOffsets {
    ClockOffsets(
      sessions: sizes.count, medianSeconds: sizes.seconds(atPercent: 50),
      ninetiethPercentileSeconds: sizes.seconds(atPercent: 90),
      // What is added to a clock that is behind is positive.
      furthestAheadSeconds: smallest < 0 ? Double(smallest.magnitude) / 1_000_000 : nil,
      furthestBehindSeconds: largest > 0 ? Double(largest) / 1_000_000 : nil)
  }
}
