// LocalTime: the days of a time zone, and times as people write them.
//
//   CivilDate        a day of the calendar, without a zone; CivilDate+Text reads `2026-11-01`, `yesterday` and `7d`
//   LocalDays        the days of a zone as ranges of time: 23, 24 or 25 hours (`ReportTimeZone`)
//   TimeExpression   a day or an instant, as the ends of a range; `TimeRange` is made of two
//   TimestampText    an instant as RFC 3339

/// Why a text is no time, no zone or no range.
public struct LocalTimeError: Error, Equatable, Sendable, CustomStringConvertible {
  /// One line that says what is wrong and what would be right.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
