extension RateComparison {
  /// The JSON form (metrics §6): both rates with what they are made of, and what lies between them. Nothing is rounded.
  ///
  /// - Parameters:
  ///   - name: the rate's key in a funnel, such as `completion_rate`.
  ///   - adjustedPValue: the p-value by Holm's adjustment over all of the report.
  public func json(name: String, adjustedPValue: Double?) -> JSONValue {
    .object([
      JSONMember("name", .string(name)),
      JSONMember("a", a.comparedJSON),
      JSONMember("b", b.comparedJSON),
      JSONMember("difference", .optional(difference)),
      JSONMember("difference_ci", .optional(differenceInterval)),
      JSONMember("p_value", .optional(pValue)),
      JSONMember("p_value_adjusted", .optional(adjustedPValue)),
    ])
  }
}

extension Rate {
  fileprivate var comparedJSON: JSONValue {
    .object([
      JSONMember("value", .optional(value)),
      JSONMember("numerator", .count(numerator)),
      JSONMember("denominator", .count(denominator)),
      JSONMember("ci", .optional(wilsonInterval)),
    ])
  }
}
