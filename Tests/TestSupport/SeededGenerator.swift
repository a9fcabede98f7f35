import Foundation

/// Random numbers that a seed decides (SplitMix64), so that a failing test can be run again with the same ones.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed of what tests draw anew each time: `PAGEFALL_WORLDS_SEED`, which draws the same again, else a random one.
  public static let worldsSeed =
    ProcessInfo.processInfo.environment["PAGEFALL_WORLDS_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...999_999)

  private var state: UInt64

  /// Starts at a seed, which a failing test prints.
  public init(seed: UInt64) { state = seed }

  /// Starts at a stream of a seed; another stream of the same seed gives other numbers.
  public init(seed: UInt64, stream: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ stream &* 0xD1B5_4A32_D192_ED03
  }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// So many random bytes.
  public mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }
}
