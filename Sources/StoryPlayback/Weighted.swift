/// A value and how often it is chosen, relative to the others' weights.
@frozen
public struct Weighted<Value> {
  /// The value.
  public var value: Value
  /// Its weight; zero and less is never chosen.
  public var weight: Double

  /// Makes a choice.
  @inlinable
  public init(_ value: Value, weight: Double = 1) {
    self.value = value
    self.weight = weight
  }
}

extension Weighted: Sendable where Value: Sendable {}
extension Weighted: Equatable where Value: Equatable {}
