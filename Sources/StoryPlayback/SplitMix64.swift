/// A seeded generator: the same seed gives the same numbers on every system and with every version of Swift.
///
/// Neither the system's generator (it has no seed) nor GameplayKit's (Apple systems only) can do that, and the standard
/// library does not promise that `Double.random(in:using:)` draws the same way for ever: so the ways of drawing are here,
/// too, and use nothing but integers and exact arithmetic. SplitMix64 is Steele, Lea and Flood's (OOPSLA 2014). Not for
/// secrets.
///
/// Inlinable, since drawing is most of what a large simulation does and the generic `choose` is slow across a module.
@frozen
public struct SplitMix64: RandomNumberGenerator, Sendable {
  @usableFromInline
  var state: UInt64

  /// Starts at a seed.
  @inlinable
  public init(seed: UInt64) {
    state = seed
  }

  /// Starts the stream of one thing among many (a session, a device), independent of how much others draw.
  @inlinable
  public init(seed: UInt64, stream: UInt64) {
    var outer = SplitMix64(seed: seed)
    var inner = SplitMix64(seed: stream ^ outer.next())
    state = inner.next()
  }

  /// The next 64 bits.
  @inlinable
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 up to, not including, 1, in steps of 2⁻⁵³.
  @inlinable
  public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// True with this probability.
  @inlinable
  public mutating func happens(_ probability: Double) -> Bool { unit() < probability }

  /// A number from 0 up to, not including, `bound`, which is at least 1.
  @inlinable
  public mutating func index(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high)
  }

  /// A length of time from `shortest` to `longest` seconds, in microseconds; short ones are likelier (the square of an
  /// even draw).
  @inlinable
  public mutating func microseconds(_ shortestSeconds: Double, _ longestSeconds: Double) -> Int64 {
    let draw = unit()
    let seconds = shortestSeconds + (longestSeconds - shortestSeconds) * (draw * draw)
    return Int64(max(0, min(seconds, 86_400) * 1_000_000))
  }

  /// One of several values, by weight. Nil where there is none, or where no weight is above zero.
  @inlinable
  public mutating func choose<Value>(_ choices: [Weighted<Value>]) -> Value? {
    let total = choices.reduce(0) { $0 + max(0, $1.weight) }
    guard total > 0 else { return nil }
    var rest = unit() * total
    for choice in choices {
      rest -= max(0, choice.weight)
      if rest < 0 { return choice.value }
    }
    return choices.last { $0.weight > 0 }?.value
  }
}
