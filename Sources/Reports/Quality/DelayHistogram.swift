/// Lengths of time, so that quantiles can be had and two can be added up, in bounded memory.
///
/// Up to 1,024 lengths are kept as they are; beyond that they are counted by their 8 leading bits, which is within 0.4 %. The
/// places are few where the lengths lie together, so there can be one for each of many days.
struct DelayHistogram: Sendable {
  /// In microseconds, in no order; empty once there are too many.
  private var lengths: [Int64] = []
  /// How many lengths share their leading bits, by `place(of:)`; empty while `lengths` holds them all.
  private var counts: [Int16: Int] = [:]
  /// How many lengths there are.
  private(set) var count = 0

  static let mostExactLengths = 1_024
  private static let keptBits = 8

  /// Counts a length in microseconds; a negative one as 0.
  mutating func add(_ microseconds: Int64) {
    let length = max(0, microseconds)
    count += 1
    if counts.isEmpty, count <= Self.mostExactLengths {
      lengths.append(length)
    } else {
      coarsen()
      counts[Self.place(of: length), default: 0] += 1
    }
  }

  /// Takes in all lengths of another one.
  mutating func add(_ other: DelayHistogram) {
    for length in other.lengths { add(length) }
    guard !other.counts.isEmpty else { return }
    coarsen()
    for (place, times) in other.counts { counts[place, default: 0] += times }
    count += other.count
  }

  /// The ⌈q·n⌉-th of the sorted lengths in seconds, for q in percent; nil without any.
  func seconds(atPercent percent: Int) -> Double? {
    guard count > 0 else { return nil }
    let rank = max(1, (count * percent + 99) / 100)
    if counts.isEmpty { return Double(lengths.sorted()[rank - 1]) / 1_000_000 }
    var upTo = 0
    for (place, times) in counts.sorted(by: { $0.key < $1.key }) {
      upTo += times
      if upTo >= rank { return Double(Self.length(at: place)) / 1_000_000 }
    }
    return nil
  }

  private mutating func coarsen() {
    for length in lengths { counts[Self.place(of: length), default: 0] += 1 }
    lengths = []
  }

  private static func place(of length: Int64) -> Int16 {
    let droppedBits = max(0, Int64.bitWidth - length.leadingZeroBitCount - keptBits)
    return Int16(droppedBits << (keptBits - 1)) + Int16(length >> Int64(droppedBits))
  }

  /// The middle of the lengths that share a place.
  private static func length(at place: Int16) -> Int64 {
    guard place >= 1 << keptBits else { return Int64(place) }
    let droppedBits = Int64(place >> (keptBits - 1)) - 1
    let leading = Int64(place) - droppedBits << Int64(keptBits - 1)
    return leading << droppedBits + 1 << (droppedBits - 1)
  }
}
