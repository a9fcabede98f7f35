#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The same rate of two groups side by side (metrics §3): how far they are apart, and whether chance alone would do that.
///
/// The two groups are taken to be independent: no session is in both.
public struct RateComparison: Equatable, Sendable {
  /// The rate of the first group, which the other is compared with.
  public var a: Rate
  /// The rate of the second group.
  public var b: Rate

  /// Compares two rates.
  public init(a: Rate, b: Rate) {
    self.a = a
    self.b = b
  }

  /// B − A, in −1…1: positive where B has the higher rate. Nil where one of them has no value or is hidden.
  public var difference: Double? {
    guard let first = a.value, let second = b.value else { return nil }
    return second - first
  }

  /// The 95 % interval of the difference, made of the two Wilson intervals (R. G. Newcombe, "Interval estimation for the
  /// difference between independent proportions", Statistics in Medicine 17, 1998, method 10), within [−1, 1].
  ///
  /// Nil where `difference` is nil, and where one of the rates is no proportion.
  public var differenceInterval: ConfidenceInterval? {
    guard let first = a.value, let second = b.value, let firstInterval = a.wilsonInterval,
      let secondInterval = b.wilsonInterval
    else { return nil }
    let below = Self.distance(second - secondInterval.lower, firstInterval.upper - first)
    let above = Self.distance(secondInterval.upper - second, first - firstInterval.lower)
    // Method 10 stays within −1 and 1 by itself; rounding must not push it past.
    return ConfidenceInterval(
      lower: max(-1, second - first - below), upper: min(1, second - first + above))
  }

  /// The two-sided p-value of the pooled z-test, in 0…1: how often chance alone would put the rates at least this far apart if
  /// both groups were alike.
  ///
  /// Nil where `differenceInterval` is nil, and where nobody or everybody did it in both groups: without any variation there is
  /// nothing to test. A value too small for a `Double` is 0.
  public var pValue: Double? {
    guard let difference, differenceInterval != nil else { return nil }
    let hasNone = a.numerator == 0 && b.numerator == 0
    let hasAll = a.numerator == a.denominator && b.numerator == b.denominator
    if hasNone || hasAll { return nil }
    let first = Double(a.denominator)
    let second = Double(b.denominator)
    let did = Double(a.numerator) + Double(b.numerator)
    let didNot = Double(a.denominator - a.numerator) + Double(b.denominator - b.numerator)
    let total = first + second
    let variance = (did / total) * (didNot / total) * (1 / first + 1 / second)
    // Half the root of 2 in front would divide twice; the root of twice the variance does it once.
    return min(1, erfc(abs(difference) / (2 * variance).squareRoot()))
  }

  /// The smallest number of sessions that the pooled rate leads one to expect among those that did it and those that did not,
  /// on either side. Below 5 the z-test is a rough guide only. Nil where there is no p-value.
  public var smallestExpectedCount: Double? {
    guard pValue != nil else { return nil }
    let total = Double(a.denominator) + Double(b.denominator)
    let did = Double(a.numerator) + Double(b.numerator)
    let didNot = Double(a.denominator - a.numerator) + Double(b.denominator - b.numerator)
    return Double(min(a.denominator, b.denominator)) / total * min(did, didNot)
  }

  /// How many sessions each side would need so that a difference as large as this one is told apart from chance (two-sided, 5 %)
  /// in four of five tries (power 80 %); in groups of the same size. Nil where there is no difference or no p-value.
  public var sessionsNeededPerSide: Int? {
    guard pValue != nil, let first = a.value, let second = b.value, first != second else { return nil }
    let middle = (first + second) / 2
    let pooled = (2 * middle * (1 - middle)).squareRoot()
    let apart = (first * (1 - first) + second * (1 - second)).squareRoot()
    let root = (ConfidenceInterval.standardScore * pooled + Self.scoreOfPower * apart) / (second - first)
    let needed = (root * root).rounded(.up)
    return needed < Self.mostSessions ? max(1, Int(needed)) : nil
  }

  /// The standard score that four fifths of a normal distribution lie below.
  private static let scoreOfPower = 0.8416212335729143
  /// Beyond so many nobody will wait.
  private static let mostSessions = 1e15

  private static func distance(_ first: Double, _ second: Double) -> Double {
    (first * first + second * second).squareRoot()
  }
}
