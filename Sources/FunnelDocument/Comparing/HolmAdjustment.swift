/// Holm's step-down adjustment of a family of p-values (S. Holm, "A simple sequentially rejective multiple test procedure",
/// Scandinavian Journal of Statistics 6, 1979).
///
/// Who looks at twenty differences finds one below 0.05 where there is none. The adjusted values below 0.05 keep the risk of
/// even one such mistake in the whole family below 5 %, however the tests depend on each other.
public enum HolmAdjustment {
  /// The adjusted values, in the order of the given ones; at most 1, never below the plain ones, and in the same order of size.
  ///
  /// - Parameter pValues: each in 0…1; nil where there was no test, which then is none of the family, and stays nil.
  public static func adjusted(_ pValues: [Double?]) -> [Double?] {
    let tests = pValues.enumerated().compactMap { place, value in value.map { (place: place, value: $0) } }
      .sorted { ($0.value, $0.place) < ($1.value, $1.place) }
    var adjusted = [Double?](repeating: nil, count: pValues.count)
    var largest = 0.0
    for (rank, test) in tests.enumerated() {
      largest = max(largest, min(1, test.value * Double(tests.count - rank)))
      adjusted[test.place] = largest
    }
    return adjusted
  }
}
