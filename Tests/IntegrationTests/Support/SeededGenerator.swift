import Foundation

/// Numbers that a seed decides (SplitMix64), so that a failing world can be drawn again.
struct SeededGenerator: RandomNumberGenerator {
  /// `PAGEFALL_WORLDS_SEED`, else a new one each time.
  static let worldsSeed =
    ProcessInfo.processInfo.environment["PAGEFALL_WORLDS_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 1...999_999)

  private var state: UInt64

  /// - Parameter stream: another stream of the same seed gives other numbers.
  init(seed: UInt64, stream: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ stream &* 0xD1B5_4A32_D192_ED03
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
