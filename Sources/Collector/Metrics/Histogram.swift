/// Counts observations by size, as Prometheus' histograms do. Belongs to one thread.
struct Histogram {
  /// The upper bounds, ascending; above the last is one more bucket.
  let bounds: [Double]
  private(set) var counts: [Int]
  private(set) var sum: Double = 0

  init(bounds: [Double]) {
    self.bounds = bounds
    counts = Array(repeating: 0, count: bounds.count + 1)
  }

  /// Counts one observation.
  mutating func observe(_ value: Double) {
    sum += value
    var bucket = 0
    while bucket < bounds.count, value > bounds[bucket] { bucket += 1 }
    counts[bucket] += 1
  }
}
