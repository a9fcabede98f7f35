import LocalTime

/// A range of time and the one of the same length just before it (`--compare previous`).
public struct PrecedingRange: Sendable, Equatable {
  /// The range that was asked for; one without an end ends now.
  public let range: TimeRange
  /// The range before it, which ends where that begins.
  public let preceding: TimeRange

  /// Finds the range before.
  ///
  /// A range of whole local days is preceded by as many local days, of whatever hours each has; any other by the same length
  /// of time.
  ///
  /// - Parameters:
  ///   - range: must have a beginning.
  ///   - nowMicroseconds: where a range without an end ends, in microseconds since 1970.
  /// - Throws: `.usage` for a range without a beginning, one that begins after now, and one before which there is none.
  public init(_ range: TimeRange, in zone: ReportTimeZone, nowMicroseconds: Int64) throws(ReportError) {
    guard let from = range.fromMicroseconds else {
      throw .usage("--compare previous needs --from TIME: it compares with the same length of time before that")
    }
    let to = range.toMicroseconds ?? nowMicroseconds
    guard from <= to else {
      throw .usage(
        "--from (\(TimestampText.rfc3339(from, in: zone))) is yet to come; give --to as well, or an earlier --from")
    }
    var days = LocalDays(zone)
    let first = days.date(atMicroseconds: from)
    let end = days.date(atMicroseconds: to)
    let isWholeDays = days.startMicroseconds(of: first) == from && days.startMicroseconds(of: end) == to
    let firstOfPreceding = CivilDate(dayNumber: first.dayNumber - (end.dayNumber - first.dayNumber))
    let beginning = isWholeDays ? days.startMicroseconds(of: firstOfPreceding) : from - (to - from)
    guard beginning >= Self.earliestMicroseconds else {
      throw .usage("there is no time of this length before --from; give a later --from")
    }
    self.range = TimeRange(fromMicroseconds: from, toMicroseconds: to)
    preceding = TimeRange(fromMicroseconds: beginning, toMicroseconds: from)
  }

  /// Two days into the year 1, where no zone is in the year before any more.
  private static let earliestMicroseconds: Int64 = -62_135_596_800_000_000 + 2 * 86_400_000_000
}
