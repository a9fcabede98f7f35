import FunnelDocument

/// Numbers as people read them, the same in every locale.
package enum FigureText {
  /// `12,345`.
  package static func count(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits = String(digits.dropLast(3))
    }
    return (value < 0 ? "−" : "") + ([digits] + groups).joined(separator: ",")
  }

  /// `1 session`, `12,345 sessions`.
  package static func count(_ value: Int, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? singular : plural ?? singular + "s")"
  }

  /// `2,147M` for `2,147,483,647`: a count for a column in which it has no room, its last digits cut; any other text as it is.
  static func short(_ count: String) -> String {
    let groups = count.split(separator: ",")
    let units = ["", "k", "M", "G", "T", "P", "E"]
    guard groups.count > 2, groups.count <= units.count, groups.allSatisfy({ $0.allSatisfy(\.isASCII) }) else {
      return count
    }
    return "\(groups[0]),\(groups[1])\(units[groups.count - 2])"
  }

  /// `40.0%`; `–` for none. What is not all is not shown as 100.0, and what is not nothing not as 0.0.
  package static func percent(_ value: Double?) -> String {
    guard let value else { return none }
    return tenths(of: value) + "%"
  }

  /// `35.3–44.9`, in percent; empty for none.
  package static func interval(_ interval: ConfidenceInterval?) -> String {
    guard let interval else { return "" }
    return "\(rounded(interval.lower * 100))–\(rounded(interval.upper * 100))"
  }

  /// `850 ms`, `3.0 s`, `4.2 min`, `1.5 h`, `2.3 d`; `–` for none.
  package static func length(milliseconds: Double?) -> String {
    guard let milliseconds else { return none }
    if milliseconds < 999.5 { return "\(Int(milliseconds.rounded())) ms" }
    let seconds = milliseconds / 1_000
    if seconds < 59.95 { return "\(rounded(seconds)) s" }
    if seconds < 3_597 { return "\(rounded(seconds / 60)) min" }
    if seconds < 172_800 { return "\(rounded(seconds / 3_600)) h" }
    return "\(rounded(seconds / 86_400)) d"
  }

  /// What stands where there is no number.
  package static let none = "–"

  private static func tenths(of value: Double) -> String {
    if value > 0, value < 0.0005 { return "<0.1" }
    if value < 1, value >= 0.9995 { return ">99.9" }
    return rounded(value * 100)
  }

  /// One decimal.
  private static func rounded(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(count(tenths / 10)).\(tenths % 10)"
  }
}
