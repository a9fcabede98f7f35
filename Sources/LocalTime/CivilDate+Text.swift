import PrintedText

extension CivilDate {
  /// Reads a day as people write it: `2026-11-29`, `today`, `yesterday`, or a number of days ago (`7d`).
  ///
  /// - Throws: `LocalTimeError` for anything else, an instant among it.
  package init(
    expression text: String, in zone: ReportTimeZone, nowMicroseconds: Int64
  ) throws(LocalTimeError) {
    let forms = "write a day (2026-11-29), today, yesterday, or a number of days ago (7d)"
    guard let expression = try? TimeExpression(text) else {
      throw LocalTimeError("'\(DisplayText.escaped(text))' is not a day; \(forms)")
    }
    switch expression.meaning {
    case .day, .daysAgo: self = expression.firstDay(in: zone, nowMicroseconds: nowMicroseconds)
    case .instant: throw LocalTimeError("'\(DisplayText.escaped(text))' is an instant; \(forms)")
    }
  }
}

extension CivilDate {
  /// Reads `2026-11-29`; nil for anything else.
  package init?(text: String) {
    guard case .day(let date)? = (try? TimeExpression(text))?.meaning else { return nil }
    self = date
  }
}
