import Foundation
import Testing

@testable import EventIntake

private func microseconds(_ text: String) -> Int64? {
  Array(text.utf8).withUnsafeBytes { Timestamp.microseconds(rfc3339: $0) }
}

@Suite struct `Times` {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-29T10:00:00Z", 1_795_946_400_000_000),
      ("2026-11-29t10:00:00z", 1_795_946_400_000_000),
      ("2026-11-29T11:00:00+01:00", 1_795_946_400_000_000), ("2026-11-29T04:30:00-05:30", 1_795_946_400_000_000),
      ("2026-11-29T10:00:00-00:00", 1_795_946_400_000_000), ("2026-11-29T10:00:00.5Z", 1_795_946_400_500_000),
      ("2026-11-29T10:00:00.000004Z", 1_795_946_400_000_004), ("2026-11-29T10:00:00.0000049Z", 1_795_946_400_000_004),
      ("2026-11-29T10:00:00.999999999Z", 1_795_946_400_999_999), ("1969-12-31T23:59:59.999999999Z", -1),
      ("1969-12-31T23:59:59Z", -1_000_000), ("2000-02-29T00:00:00Z", 951_782_400_000_000),
      ("2024-02-29T23:59:59+23:59", 1_709_164_859_000_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999), ("0001-01-01T01:00:00+01:00", -62_135_596_800_000_000),
      ("9999-12-31T23:00:00-00:59", 253_402_300_740_000_000),
    ] as [(String, Int64)])
  func `are read to the microsecond, cut and not rounded`(text: String, expected: Int64) {
    #expect(microseconds(text) == expected)
  }

  @Test(arguments: [
    "", "2026-11-29", "2026-11-29T10:00:00", "2026-11-29 10:00:00Z", "2026-11-29T10:00Z", "2026-11-29T10:00:60Z",
    "2026-11-29T24:00:00Z",
    "2026-11-29T10:60:00Z", "2026-02-30T10:00:00Z", "2026-02-29T10:00:00Z", "1900-02-29T10:00:00Z",
    "2026-04-31T10:00:00Z",
    "2026-13-01T10:00:00Z", "2026-00-01T10:00:00Z", "2026-01-00T10:00:00Z", "2026-01-32T10:00:00Z",
    "2026-11-29T10:00:00.Z",
    "2026-11-29T10:00:00.1234567890Z", "2026-11-29T10:00:00,5Z", "2026-11-29T10:00:00+0100", "2026-11-29T10:00:00+01",
    "2026-11-29T10:00:00+24:00", "2026-11-29T10:00:00+01:60", "2026-11-29T10:00:00+01:00Z", "2026-11-29T10:00:00ZZ",
    "2026-11-29T10:00:00Z ",
    " 2026-11-29T10:00:00Z", "+2026-11-29T10:00:00Z", "12026-11-29T10:00:00Z", "0000-12-31T00:00:00Z",
    "0000-12-31T23:59:59-01:00",
    "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-1-29T10:00:00Z", "2026-11-29T1:00:00Z",
    "2026-11-29T10:00:0aZ",
    "２026-11-29T10:00:00Z", "2026-11-29T10:00:00\u{2212}01:00", "2026-W48-7T10:00:00Z", "20261129T100000Z",
    "2026-11-29T10:00:00.5", "1795946400",
  ])
  func `in any other form are none`(text: String) {
    #expect(microseconds(text) == nil)
  }

  @Test func `agree with Foundation on every day of the calendar`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    // Foundation's Gregorian calendar changes to the Julian one before 1582.
    for year in [1583, 1600, 1700, 1899, 1900, 1970, 1999, 2000, 2001, 2023, 2024, 2100, 2400, 9999] {
      for month in 1...12 {
        for day in 1...31 {
          let parts = DateComponents(year: year, month: month, day: day, hour: 12)
          let text = String(format: "%04d-%02d-%02dT12:00:00Z", year, month, day)
          let isReal = parts.isValidDate(in: calendar)
          let date = calendar.date(from: parts)?.timeIntervalSince1970
          #expect(microseconds(text) == (isReal ? date.map { Int64($0) * 1_000_000 } : nil), "\(text)")
        }
      }
    }
  }

  @Test func `in milliseconds may be any of the years 1 to 9999`() {
    #expect(Timestamp.microseconds(milliseconds: 0) == 0)
    #expect(Timestamp.microseconds(milliseconds: -1) == -1000)
    #expect(Timestamp.microseconds(milliseconds: -62_135_596_800_000) == -62_135_596_800_000_000)
    #expect(Timestamp.microseconds(milliseconds: -62_135_596_800_001) == nil)
    #expect(Timestamp.microseconds(milliseconds: 253_402_300_799_999) == 253_402_300_799_999_000)
    #expect(Timestamp.microseconds(milliseconds: 253_402_300_800_000) == nil)
    #expect(Timestamp.microseconds(milliseconds: .max) == nil && Timestamp.microseconds(milliseconds: .min) == nil)
  }

  @Test(arguments: [
    ("1795946400000", true), ("-1", true), ("0", true), ("1.5", false), ("1e12", false), ("\"1795946400000\"", false),
    ("true", false), ("99999999999999999999", false), ("9223372036854775807", false), ("{}", false),
  ])
  func `of events may be integers`(at: String, isAccepted: Bool) {
    let text = event("finish", common: #""session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f","seq":1,"at":\#(at)"#)
    #expect(judge("[\(text)]").fault?.code == (isAccepted ? nil : .invalidTimestamp))
  }
}
