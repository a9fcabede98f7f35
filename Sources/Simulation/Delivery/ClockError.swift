import StoryEvents
import StoryPlayback

/// Sets the clocks of some devices wrong: all that such a device says of time is off by the same, the time in its session
/// ids, `at` and `sent_at`.
struct ClockError {
  private let share: Double
  private let span: Int64
  private let seed: UInt64

  private static let minute: Int64 = 60_000_000
  /// What a clock may show: 1971-01-01 up to 2100-01-01, in microseconds since 1970.
  private static let showable: ClosedRange<Int64> = 31_536_000_000_000...4_102_444_800_000_000
  /// Errors that a report corrects or not, depending on how long a request takes (contract §3: five minutes).
  private static let undecided = (9 * minute / 2)...(11 * minute / 2)

  init(_ conditions: NetworkConditions, seed: UInt64) {
    share = conditions.wrongClockShare
    span = conditions.clockSkewSpanMicroseconds
    self.seed = seed ^ Delivery.Knob.clock.rawValue
  }

  /// Puts a session's times by its device's clock.
  func apply(to session: inout SimulatedSession) {
    guard share > 0, let start = session.id.timeMilliseconds.map({ $0 * 1_000 }) else { return }
    let error = min(Self.showable.upperBound - start, max(Self.showable.lowerBound - start, error(of: session.device)))
    guard error != 0 else { return }
    session.clockErrorMicroseconds = error
    session.id = SessionID(
      millisecondsSince1970: UInt64(max(0, start + error) / 1_000),
      randomHigh: UInt16(truncatingIfNeeded: session.id.high & 0xFFF), randomLow: session.id.low)
    session.sentAtMicroseconds += error
    for place in session.events.indices { session.events[place].atMicroseconds += error }
  }

  /// How far a device's clock is ahead, in microseconds, a whole number of milliseconds; 0 where it is right.
  private func error(of device: SimulatedDevice) -> Int64 {
    var generator = SplitMix64(seed: seed, stream: device.deviceID.high ^ device.deviceID.low)
    guard generator.happens(share) else { return 0 }
    let isAhead = generator.happens(0.5)
    var size = generator.microseconds(ofMagnitudeFrom: Self.minute, to: span)
    if Self.undecided.contains(size) { size = min(span, Self.undecided.lowerBound - 1_000) }
    size = size / 1_000 * 1_000
    return isAhead ? size : -size
  }
}

extension SplitMix64 {
  /// A length of time in which each doubling is as likely as the next: minutes are as common as months. In microseconds;
  /// an even draw from 0 where the longest is shorter than the shortest.
  mutating func microseconds(ofMagnitudeFrom shortest: Int64, to longest: Int64) -> Int64 {
    guard longest > shortest else { return Int64(unit() * Double(longest)) }
    var doublings = 0
    while shortest << Int64(doublings + 1) < longest { doublings += 1 }
    let from = shortest << Int64(index(below: doublings + 1))
    let to = min(longest, from * 2)
    return from + Int64(unit() * Double(to - from))
  }
}
