/// A half-open range of time, `[from, to)` (metrics §1), in microseconds since 1970.
public struct TimeRange: Sendable, Equatable {
  /// The first instant; nil is the beginning of time.
  public let fromMicroseconds: Int64?
  /// The first instant that no longer belongs to it; nil is the end of time.
  public let toMicroseconds: Int64?

  /// All time.
  public static let allTime = TimeRange(fromMicroseconds: nil, toMicroseconds: nil)

  /// Makes a range of its bounds, in microseconds since 1970; nil is none.
  package init(fromMicroseconds: Int64?, toMicroseconds: Int64?) {
    self.fromMicroseconds = fromMicroseconds
    self.toMicroseconds = toMicroseconds
  }

  /// Reads the values of `--from` and `--to` (see `TimeExpression`).
  ///
  /// - Parameter nowMicroseconds: the time that `today` and `7d` are seen from, in microseconds since 1970.
  /// - Throws: `LocalTimeError` for what is no time, and where the end, or the last day, lies before the beginning.
  public init(
    from: String?, to: String?, timeZone: ReportTimeZone, nowMicroseconds: Int64
  ) throws(LocalTimeError) {
    var beginning: Int64?
    var end: Int64?
    var firstDay: CivilDate?
    if let from {
      let expression = try TimeExpression(from)
      beginning = expression.startMicroseconds(in: timeZone, nowMicroseconds: nowMicroseconds)
      firstDay = expression.firstDay(in: timeZone, nowMicroseconds: nowMicroseconds)
    }
    if let to {
      let expression = try TimeExpression(to)
      end = expression.endMicroseconds(in: timeZone, nowMicroseconds: nowMicroseconds)
      // A day ends where the next begins, so the instants alone do not tell that the days are in the wrong order.
      if let firstDay, let lastDay = expression.lastDay(in: timeZone, nowMicroseconds: nowMicroseconds),
        lastDay < firstDay
      {
        throw LocalTimeError("--to (\(lastDay.text)) lies before --from (\(firstDay.text)); exchange them")
      }
    }
    if let beginning, let end, end < beginning {
      throw LocalTimeError(
        "--to (\(TimestampText.rfc3339(end, in: timeZone))) lies before --from "
          + "(\(TimestampText.rfc3339(beginning, in: timeZone))); exchange them")
    }
    self.init(fromMicroseconds: beginning, toMicroseconds: end)
  }
}
