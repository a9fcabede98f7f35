/// A condition on a field of sessions: it has one of some values, or none of them.
///
/// `app_version=4.2.0|4.1.3` holds for sessions with one of the two, `app_version!=4.2.0` for all others, those that do not say
/// it among them: so a condition and its opposite add up to everything.
public struct SessionCondition: Sendable, Equatable, CustomStringConvertible {
  /// What is looked at.
  public var field: SessionField
  /// Whether none of the values may be there.
  public var isNegated: Bool
  /// The values, at least one, in their canonical form; `(none)` is a missing one.
  public var values: [String]

  /// Makes a condition.
  ///
  /// - Throws: `.usage` for a value that the field cannot have, such as the 25th hour.
  public init(_ field: SessionField, isNegated: Bool = false, values: [String]) throws(ReportError) {
    self.field = field
    self.isNegated = isNegated
    var canonical: [String] = []
    for value in values { canonical.append(try field.canonicalValue(value)) }
    self.values = canonical
  }

  /// As it is asked for, in its canonical form: `app_version!=4.2.0|4.1.3`.
  public var description: String {
    SessionFilter.escaped(field.name, "=!") + (isNegated ? "!=" : "=")
      + values.map(SessionFilter.escapedValue).joined(separator: "|")
  }
}
