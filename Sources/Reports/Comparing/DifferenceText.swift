import FunnelDocument

/// Differences of rates as people read them, the same in every locale.
package enum DifferenceText {
  /// In percentage points: `+5.0`, `−1.8`, `0.0`; `–` for none. What is not nothing is not shown as 0.0.
  package static func points(_ difference: Double?) -> String {
    guard let difference else { return FigureText.none }
    if difference == 0 { return "0.0" }
    let sign = difference > 0 ? "+" : "−"
    return abs(difference) < 0.0005 ? sign + "<0.1" : sign + tenths(abs(difference))
  }

  /// In percentage points: `−1.8 to 11.7`; empty for none.
  package static func interval(_ interval: ConfidenceInterval?) -> String {
    guard let interval else { return "" }
    return "\(bound(interval.lower)) to \(bound(interval.upper))"
  }

  /// `0.042`, `<0.001`; `–` for none. What is below 0.05 is not shown as 0.050.
  package static func pValue(_ value: Double?) -> String {
    guard let value else { return FigureText.none }
    if value < 0.001 { return "<0.001" }
    if value < Comparison.significance, value >= 0.0495 { return "<0.050" }
    let thousandths = Int((value * 1_000).rounded())
    let digits = String(thousandths % 1_000)
    return "\(thousandths / 1_000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }

  private static func bound(_ value: Double) -> String {
    let text = tenths(abs(value))
    return value < 0 && text != "0.0" ? "−" + text : text
  }

  private static func tenths(_ value: Double) -> String {
    let tenths = Int((value * 1_000).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
