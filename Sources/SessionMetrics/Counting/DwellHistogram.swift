import FunnelDocument

/// The lengths of impressions, so that quantiles can be had and two can be added up, in bounded memory.
///
/// Up to 8,192 lengths are kept as they are; beyond that, lengths are counted by their 9 leading bits, which is within 0.2 %
/// (metrics.md asks for 1 %). So a page takes at most 64 KiB, and a day may have thousands of pages.
package struct DwellHistogram: Sendable {
  /// In microseconds, in no order; empty once there are too many.
  private var lengths: [Int64] = []
  /// How many lengths share their 9 leading bits, by `place(of:)`, up to the longest; empty while `lengths` holds them all.
  private var counts: [Int] = []
  /// How many lengths there are.
  package private(set) var count = 0

  /// The most lengths that are kept as they are.
  package static let mostExactLengths = 8_192

  /// Begins with no lengths.
  package init() {}

  /// Counts a length, in microseconds; must not be negative.
  package mutating func add(_ microseconds: Int64) {
    count += 1
    if counts.isEmpty, count > Self.mostExactLengths { coarsen() }
    if counts.isEmpty {
      lengths.append(microseconds)
    } else {
      count(1, at: Self.place(of: microseconds))
    }
  }

  /// Takes in all lengths of another one.
  package mutating func add(_ other: DwellHistogram) {
    if !other.counts.isEmpty, counts.isEmpty { coarsen() }
    for length in other.lengths { add(length) }
    for (place, times) in other.counts.enumerated() where times > 0 {
      count(times, at: place)
      count += times
    }
  }

  /// Count, median and 90th percentile by nearest rank (metrics §2).
  package var summary: DwellSummary {
    guard count > 0 else { return DwellSummary() }
    let sorted = lengths.sorted()
    return DwellSummary(
      count: count, medianMilliseconds: milliseconds(atRank: (count + 1) / 2, sorted),
      ninetiethPercentileMilliseconds: milliseconds(atRank: (count * 9 + 9) / 10, sorted))
  }

  private func milliseconds(atRank rank: Int, _ sorted: [Int64]) -> Double? {
    if counts.isEmpty { return Double(sorted[rank - 1]) / 1_000 }
    var upTo = 0
    for (place, times) in counts.enumerated() {
      upTo += times
      if upTo >= rank { return Double(Self.length(at: place)) / 1_000 }
    }
    return nil
  }

  private mutating func coarsen() {
    // Never empty, even where there are no lengths yet. A dwell of a minute lies at 4,809.
    counts = Array(repeating: 0, count: Self.place(of: lengths.max() ?? 0) + 1)
    for length in lengths { count(1, at: Self.place(of: length)) }
    lengths = []
  }

  private mutating func count(_ times: Int, at place: Int) {
    while counts.count <= place { counts.append(0) }
    counts[place] += times
  }

  /// Lengths below 512 µs have a place each; above, each doubling has 256.
  private static func place(of microseconds: Int64) -> Int {
    let droppedBits = max(0, 64 - microseconds.leadingZeroBitCount - 9)
    return (droppedBits << 8) + Int(microseconds >> Int64(droppedBits))
  }

  /// The middle of the lengths that share a place.
  private static func length(at place: Int) -> Int64 {
    guard place >= 512 else { return Int64(place) }
    let droppedBits = (place >> 8) - 1
    let leading = Int64(place - (droppedBits << 8))
    return (leading << Int64(droppedBits)) + (1 << Int64(droppedBits - 1))
  }
}
