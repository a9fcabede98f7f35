import LocalTime
import Testing

@testable import Reports

@Suite struct `The range before` {
  /// The two ranges that `--from` and `--to` give, seen from 2026-11-30T03:00:00Z, as texts in the zone.
  private func ranges(_ from: String?, _ to: String?, _ zone: String) throws -> [String] {
    let zone = try ReportTimeZone(named: zone)
    let range = try TimeRange(from: from, to: to, timeZone: zone, nowMicroseconds: reportTimeMicroseconds)
    let both = try PrecedingRange(range, in: zone, nowMicroseconds: reportTimeMicroseconds)
    #expect(both.preceding.toMicroseconds == both.range.fromMicroseconds)
    return [both.preceding.fromMicroseconds, both.range.fromMicroseconds, both.range.toMicroseconds].map {
      $0.map { TimestampText.rfc3339($0, in: zone) } ?? "none"
    }
  }

  @Test(
    arguments: [
      ("2026-11-01", "2026-11-07", "UTC", ["2026-10-25T00:00:00Z", "2026-11-01T00:00:00Z", "2026-11-08T00:00:00Z"]),
      // A day of 25 hours, and the one of 24 before it; and the week with it, before one without.
      (
        "2026-10-25", "2026-10-25", "Europe/Berlin",
        ["2026-10-24T00:00:00+02:00", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"]
      ),
      (
        "2026-10-26", "2026-11-01", "Europe/Berlin",
        ["2026-10-19T00:00:00+02:00", "2026-10-26T00:00:00+01:00", "2026-11-02T00:00:00+01:00"]
      ),
      // A month goes with as many days, not with the month before.
      ("2026-03-01", "2026-03-31", "UTC", ["2026-01-29T00:00:00Z", "2026-03-01T00:00:00Z", "2026-04-01T00:00:00Z"]),
      // The midnight that Santiago's clocks leave out.
      (
        "2026-09-06", "2026-09-06", "America/Santiago",
        ["2026-09-05T00:00:00-04:00", "2026-09-06T01:00:00-03:00", "2026-09-07T00:00:00-03:00"]
      ),
      ("yesterday", "yesterday", "UTC", ["2026-11-28T00:00:00Z", "2026-11-29T00:00:00Z", "2026-11-30T00:00:00Z"]),
    ] as [(String, String, String, [String])])
  func `of whole local days is as many local days`(_ from: String, _ to: String, _ zone: String, _ wanted: [String])
    throws
  {
    #expect(try ranges(from, to, zone) == wanted)
  }

  @Test(
    arguments: [
      (
        "2026-11-01T06:00:00Z", "2026-11-01T18:00:00Z", "UTC",
        ["2026-10-31T18:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T18:00:00Z"]
      ),
      // Up to now: three hours into a day.
      ("today", nil, "UTC", ["2026-11-29T21:00:00Z", "2026-11-30T00:00:00Z", "2026-11-30T03:00:00Z"]),
      // As long, though the clocks changed: 24 hours, not a day.
      (
        "2026-10-25T12:00:00+01:00", "2026-10-26T12:00:00+01:00", "Europe/Berlin",
        ["2026-10-24T13:00:00+02:00", "2026-10-25T12:00:00+01:00", "2026-10-26T12:00:00+01:00"]
      ),
      (
        "2026-11-01T06:00:00Z", "2026-11-01T06:00:00Z", "UTC",
        ["2026-11-01T06:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T06:00:00Z"]
      ),
    ] as [(String, String?, String, [String])])
  func `of other times is as long`(_ from: String, _ to: String?, _ zone: String, _ wanted: [String]) throws {
    #expect(try ranges(from, to, zone) == wanted)
  }

  @Test(
    arguments: [
      (nil, "2026-11-07", "needs --from"), (nil, nil, "needs --from"), ("2026-12-24", nil, "yet to come"),
      ("0001-01-01", "2026-11-07", "no time of this length"), ("0001-01-01", "0001-01-01", "no time of this length"),
    ] as [(String?, String?, String)])
  func `is refused where there is none`(_ from: String?, _ to: String?, _ message: String) throws {
    #expect {
      _ = try ranges(from, to, "UTC")
    } throws: { error in
      (error as? ReportError)?.kind == .usage && "\(error)".contains(message)
    }
  }
}
