import Testing

@testable import LocalTime

/// 2026-11-30T03:00:00Z, from where `today` is seen.
private let nowMicroseconds: Int64 = 1_796_007_600_000_000

private func range(_ from: String?, _ to: String?, _ zone: String = "UTC") throws -> (from: String?, to: String?) {
  let zone = try ReportTimeZone(named: zone)
  let range = try TimeRange(from: from, to: to, timeZone: zone, nowMicroseconds: nowMicroseconds)
  func text(_ microseconds: Int64?) -> String? { microseconds.map { TimestampText.rfc3339($0, in: .utc) } }
  return (text(range.fromMicroseconds), text(range.toMicroseconds))
}

@Suite struct `A range of time` {
  @Test(
    arguments: [
      ("2026-11-01", "2026-11-30", "UTC", "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z"),
      ("2026-11-01", "2026-11-01", "Europe/Berlin", "2026-10-31T23:00:00Z", "2026-11-01T23:00:00Z"),
      ("today", "today", "UTC", "2026-11-30T00:00:00Z", "2026-12-01T00:00:00Z"),
      ("yesterday", "yesterday", "UTC", "2026-11-29T00:00:00Z", "2026-11-30T00:00:00Z"),
      ("7d", "today", "UTC", "2026-11-23T00:00:00Z", "2026-12-01T00:00:00Z"),
      ("7d", "7d", "UTC", "2026-11-23T00:00:00Z", "2026-11-23T00:00:00Z"),
      ("0d", "2026-11-30T02:00:00Z", "UTC", "2026-11-30T00:00:00Z", "2026-11-30T02:00:00Z"),
      // Where it is still yesterday, and where it is later.
      ("today", "today", "America/New_York", "2026-11-29T05:00:00Z", "2026-11-30T05:00:00Z"),
      ("today", "today", "Pacific/Kiritimati", "2026-11-29T10:00:00Z", "2026-11-30T10:00:00Z"),
      // Days of 25 and 23 hours.
      ("2026-10-25", "2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
      ("2026-03-29", "2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
      // Midnight does not exist: the day begins at one o'clock.
      ("2018-11-04", "2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"),
      ("2026-04-24", "2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"),
      // Midnight comes twice: the day before is 25 hours long.
      ("2018-02-17", "2018-02-17", "America/Sao_Paulo", "2018-02-17T02:00:00Z", "2018-02-18T03:00:00Z"),
      // Half an hour of summer time, and a day that was skipped.
      ("2026-04-05", "2026-04-05", "Australia/Lord_Howe", "2026-04-04T13:00:00Z", "2026-04-05T13:30:00Z"),
      ("2011-12-29", "2011-12-30", "Pacific/Apia", "2011-12-29T10:00:00Z", "2011-12-30T10:00:00Z"),
      // Instants, as RFC 3339 has them.
      (
        "2026-11-01T10:00:00+01:00", "2026-11-01t09:00:00.25z", "UTC", "2026-11-01T09:00:00Z",
        "2026-11-01T09:00:00.250Z"
      ),
      ("2026-11-01 10:00:00.1234567Z", nil, "UTC", "2026-11-01T10:00:00.123456Z", nil),
      ("2024-02-29", nil, "UTC", "2024-02-29T00:00:00Z", nil),
      ("0001-01-01", "9999-12-30", "UTC", "0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z"),
      (nil, nil, "UTC", nil, nil),
    ] as [(String?, String?, String, String?, String?)])
  func `is read as people mean it`(_ from: String?, _ to: String?, _ zone: String, _ start: String?, _ end: String?)
    throws
  {
    let read = try range(from, to, zone)
    #expect(read.from == start)
    #expect(read.to == end)
  }

  @Test(arguments: [
    "", "tomorrow", "2026-11", "2026-13-01", "2026-02-29", "2026-11-31", "0000-01-01", "26-11-01", "2026-11-01T10:00",
    "2026-11-01T10:00:00", "2026-11-01T10:00:60Z", "2026-11-01T24:00:00Z", "2026-11-01T10:00:00.Z",
    "2026-11-01T10:00:00.1234567890Z", "2026-11-01T10:00:00+1:00", "2026-11-01T10:00:00+25:00", "-7d", "+7d", "7D",
    "7 d", "d", "1234567d", "٧d", "2026-11-01\u{0}", "2026-11-0１", "\u{1B}[31m",
  ])
  func `says what it takes where it cannot be read`(_ text: String) throws {
    let error = try #require(throws: LocalTimeError.self) { try range(text, nil) }
    #expect(error.description.contains("2026-11-01T09:00:00+01:00"))
    #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test func `does not end before it begins`() throws {
    let error = try #require(throws: LocalTimeError.self) { try range("2026-11-02", "2026-11-01T12:00:00Z") }
    #expect(error.description.contains("before --from"))
    _ = try range("2026-11-01", "2026-11-01T00:00:00Z")
  }
}

@Suite struct `The days of a range` {
  @Test(
    arguments: [
      ("2026-11-02", "2026-11-01", "UTC"), ("2026-11-02", "2026-11-01", "Europe/Berlin"), ("today", "yesterday", "UTC"),
      ("0d", "yesterday", "UTC"), ("2026-11-02T00:00:00Z", "2026-11-01", "UTC"),
    ])
  func `are refused in the wrong order, also where the range would be empty`(
    _ from: String, _ to: String, _ zone: String
  ) throws {
    let error = try #require(throws: LocalTimeError.self) { try range(from, to, zone) }
    #expect(error.description.contains("before --from"))
  }

  @Test func `may be one that a zone skipped`() throws {
    let read = try range("2011-12-30", "2011-12-30", "Pacific/Apia")
    #expect(read.from == "2011-12-30T10:00:00Z" && read.to == "2011-12-30T10:00:00Z")
  }
}

@Suite struct `A time zone` {
  @Test(arguments: ["Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Asia/Kolkata"])
  func `is known by its name`(_ name: String) throws { #expect(try ReportTimeZone(named: name).name == name) }

  @Test(arguments: [("Europa/Berlin", "Europe/Berlin"), ("berlin", "Europe/Berlin"), ("GMT+2", "GMT"), ("", "UTC")])
  func `that is not there is answered with what is`(_ name: String, _ suggestion: String) throws {
    let error = try #require(throws: LocalTimeError.self) { try ReportTimeZone(named: name) }
    #expect(error.description.contains(suggestion))
  }

  @Test(arguments: ["Europe/Berlin", "America/Sao_Paulo", "Africa/Cairo", "Pacific/Apia", "Australia/Lord_Howe"])
  func `has days without gap or overlap`(_ name: String) throws {
    var days = LocalDays(try ReportTimeZone(named: name))
    for year in [2011, 2018, 2026] {
      let first = try #require(CivilDate(year: year, month: 1, day: 1))
      for offset in 0..<365 {
        let date = CivilDate(dayNumber: first.dayNumber + Int64(offset))
        let start = days.startMicroseconds(of: date)
        let end = days.startMicroseconds(of: CivilDate(dayNumber: date.dayNumber + 1))
        #expect(start <= end)
        guard start < end else { continue }
        #expect((22...26).contains((end - start) / 3_600_000_000))
        #expect(days.date(atMicroseconds: start) == date)
        #expect(days.date(atMicroseconds: end - 1) == date)
      }
    }
  }
}

@Suite struct `A day` {
  @Test(arguments: [
    ("2026-11-01", "2026-W44"), ("2026-11-02", "2026-W45"), ("2026-01-01", "2026-W01"), ("2025-12-29", "2026-W01"),
    ("2027-01-01", "2026-W53"), ("2024-12-30", "2025-W01"), ("2021-01-03", "2020-W53"), ("1969-12-31", "1970-W01"),
  ])
  func `belongs to its ISO week`(_ day: String, _ week: String) throws {
    let parts = day.split(separator: "-").compactMap { Int($0) }
    let date = try #require(CivilDate(year: parts[0], month: parts[1], day: parts[2]))
    #expect(date.text == day)
    #expect(date.weekText == week)
  }

  @Test func `of the edges of all years belongs to a week, too`() throws {
    let first = try #require(CivilDate(year: 1, month: 1, day: 1))
    let last = try #require(CivilDate(year: 9999, month: 12, day: 31))
    // Local days of instants in these years, where clocks are behind UTC or ahead of it.
    #expect(CivilDate(dayNumber: first.dayNumber - 1).weekText == "0000-W52")
    #expect(first.weekText == "0001-W01")
    #expect(last.weekText == "9999-W52")
    #expect(CivilDate(dayNumber: last.dayNumber + 1).weekText == "9999-W52")
  }
}
