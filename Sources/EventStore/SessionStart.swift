import StoryEvents

/// What a session's first committed event fixes for good (contract §3): when it started, when it arrived, how far its device's
/// clock was off. All in microseconds, since 1970 where they are times.
struct SessionStart: Equatable {
  var startedAtMicroseconds: Int64
  var arrivedAtMicroseconds: Int64
  var clockOffsetMicroseconds: Int64
  /// The start was not believable, so the session counts at its arrival.
  var hasSuspectClock: Bool

  private static let minute: Int64 = 60_000_000
  private static let hour: Int64 = 60 * minute
  private static let day: Int64 = 24 * hour
  /// What `timestamptz` can hold, rounded inwards: the years −4000 and 290000. Nothing real comes near.
  private static let storable: ClosedRange<Int64> = -188_000_000_000_000_000...9_089_000_000_000_000_000

  /// - Parameters:
  ///   - storedHigh: the session id's stored form, first half.
  ///   - atMicroseconds: of the event that arrived first, by the device's clock.
  ///   - receivedAtMicroseconds: nil for a file that does not say it: then the offset is zero and no limit applies.
  ///   - nowMicroseconds: when it is stored.
  init(
    storedHigh: UInt64, atMicroseconds: Int64, receivedAtMicroseconds: Int64?, sentAtMicroseconds: Int64?,
    nowMicroseconds: Int64
  ) {
    hasSuspectClock = false
    clockOffsetMicroseconds = 0
    if let received = receivedAtMicroseconds, let sent = sentAtMicroseconds {
      // A stalled upload is not a wrong clock: five minutes either way are none.
      let (offset, overflows) = received.subtractingReportingOverflow(sent)
      if !overflows && (offset > 5 * Self.minute || offset < -5 * Self.minute) { clockOffsetMicroseconds = offset }
    }
    let byDevice = Self.timeOfVersion7(storedHigh) ?? atMicroseconds
    let (start, overflows) = byDevice.addingReportingOverflow(clockOffsetMicroseconds)
    arrivedAtMicroseconds = receivedAtMicroseconds ?? nowMicroseconds
    startedAtMicroseconds = start
    if let received = receivedAtMicroseconds {
      hasSuspectClock = overflows || start > received + Self.hour || start < received - 400 * Self.day
    }
    if hasSuspectClock || overflows || !Self.storable.contains(start) {
      hasSuspectClock = true
      startedAtMicroseconds = arrivedAtMicroseconds
    }
  }

  /// The time that a version 7 id begins with, in microseconds; nil for other versions.
  static func timeOfVersion7(_ storedHigh: UInt64) -> Int64? {
    switch storedHigh >> 60 {
    case 0: Int64(storedHigh >> 16) * 1000
    case 7: Int64((storedHigh >> 12) & 0xFFFF_FFFF_FFFF) * 1000
    default: nil
    }
  }
}
