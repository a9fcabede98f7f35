#if canImport(Glibc)
  import Glibc  // Links libm, where an unoptimised build looks for the square root.
#endif

/// A proportion with its 95 % Wilson score interval (metrics §3).
public struct Rate: Equatable, Sendable {
  /// How many of the denominator did it.
  public var numerator: Int
  /// How many there were.
  public var denominator: Int
  /// True where so few presentations stand behind it that it is not shown (`--min-count`).
  public var isHidden: Bool

  /// Makes a rate.
  public init(_ numerator: Int, of denominator: Int, isHidden: Bool = false) {
    self.numerator = numerator
    self.denominator = denominator
    self.isHidden = isHidden
  }

  /// numerator ÷ denominator, not rounded. Nil where the denominator is zero or the rate is hidden: never 0, never NaN.
  ///
  /// A step rate may exceed 1, where showings of the page before were lost.
  public var value: Double? {
    denominator > 0 && !isHidden ? Double(numerator) / Double(denominator) : nil
  }

  /// The 95 % Wilson score interval, within [0, 1]. Nil where `value` is nil, and where the numerator is not within
  /// 0…denominator, since it then is no proportion.
  public var wilsonInterval: ConfidenceInterval? {
    guard value != nil, (0...denominator).contains(numerator) else { return nil }
    let count = Double(denominator)
    let proportion = Double(numerator) / count
    let squaredZ = ConfidenceInterval.standardScore * ConfidenceInterval.standardScore
    let scale = 1 + squaredZ / count
    let center = (proportion + squaredZ / (2 * count)) / scale
    let variance = proportion * (1 - proportion) / count + squaredZ / (4 * count * count)
    let halfWidth = ConfidenceInterval.standardScore * variance.squareRoot() / scale
    // At 0 and 1 the formula's bound is exactly the rate; rounding must not push it past.
    return ConfidenceInterval(
      lower: numerator == 0 ? 0 : max(0, center - halfWidth),
      upper: numerator == denominator ? 1 : min(1, center + halfWidth))
  }
}

/// A 95 % confidence interval.
public struct ConfidenceInterval: Equatable, Sendable {
  /// The lower bound.
  public var lower: Double
  /// The upper bound.
  public var upper: Double

  /// The standard score of a two-sided 95 % interval (metrics §3).
  public static let standardScore = 1.959963984540054

  /// Makes an interval.
  public init(lower: Double, upper: Double) {
    self.lower = lower
    self.upper = upper
  }
}
