import StoryPlayback

/// Keeps parcels on their device for hours or days: it had no network, or was switched off.
struct Lateness {
  private let share: Double
  private let span: Int64

  private static let shortestMicroseconds: Int64 = 3_600_000_000

  init(_ conditions: NetworkConditions) {
    share = conditions.lateShare
    span = conditions.lateSpanMicroseconds
  }

  /// Delays some of a session's parcels.
  func delaySome(of parcels: inout [Parcel], _ generator: inout SplitMix64) {
    for place in parcels.indices where generator.happens(share) {
      parcels[place].delay(
        by: max(1, generator.microseconds(ofMagnitudeFrom: Self.shortestMicroseconds, to: span)))
    }
  }
}
