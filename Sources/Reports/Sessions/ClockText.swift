import LocalTime

/// Instants as a timeline shows them.
package enum ClockText {
  /// `2026-11-29 10:00:00.004`: to the millisecond, cut.
  package static func milliseconds(_ microseconds: Int64, in zone: ReportTimeZone) -> String {
    let thousandth = microseconds.quotientRoundedDown(by: 1_000_000).remainder / 1_000
    return "\(seconds(microseconds, in: zone)).\(thousandth.padded(to: 3))"
  }

  /// `2026-11-29 10:00:00`.
  package static func seconds(_ microseconds: Int64, in zone: ReportTimeZone) -> String {
    let text = TimestampText.rfc3339(microseconds, in: zone)
    guard let mark = text.firstIndex(of: "T") else { return text }
    return "\(text[..<mark]) \(text[text.index(after: mark)...].prefix(8))"
  }

  /// `250 ms`, `4.004 s`, `-3 min 2.000 s`: exact to the millisecond, which is what clocks are compared by.
  package static func length(_ microseconds: Int64) -> String {
    let total = microseconds.magnitude / 1_000
    let sign = microseconds < 0 && total > 0 ? "-" : ""
    if total < 1_000 { return "\(sign)\(total) ms" }
    let (seconds, rest) = (total / 1_000, Int64(total % 1_000).padded(to: 3))
    if seconds < 60 { return "\(sign)\(seconds).\(rest) s" }
    let parts = [(seconds / 86_400, "d"), (seconds / 3_600 % 24, "h"), (seconds / 60 % 60, "min")]
    let large = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    return "\(sign)\(large) \(seconds % 60).\(rest) s"
  }
}
