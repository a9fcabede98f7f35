import TestSupport
import Testing

@testable import Exports

@Suite struct `The bounds of a written day` {
  @Test(
    arguments: [
      ("2026-11-29", "UTC", "2026-11-29T00:00:00Z", "2026-11-30T00:00:00Z"),
      ("2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"),
      ("2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"),
      ("2026-11-01", "America/New_York", "2026-11-01T04:00:00Z", "2026-11-02T05:00:00Z"),
      ("2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z", "2026-09-07T03:00:00Z"),
    ])
  func `are half-open, to the microsecond`(_ day: String, _ zone: String, _ from: String, _ to: String) throws {
    let world = try WritingWorld()
    func session(_ name: String, _ instant: String) -> StoredSession {
      StoredSession(
        story: name, startedAt: instant, arrivedAt: instant,
        events: [StoredRow(seq: 0, type: .start, at: instant, columns: ["page_count": "1"])])
    }
    let micro = "::timestamptz - interval '1 microsecond'"
    try world.store([session("first", from), session("after", to), session("middle", from)])
    for (name, instant) in [("before", from), ("last", to)] {
      try world.store([session(name, instant)])
      try world.execute(
        """
        UPDATE pagefall.sessions SET started_at = '\(instant)'\(micro), arrived_at = '\(instant)'\(micro)
          WHERE story_id = '\(name)';
        UPDATE pagefall.stored_events SET at = '\(instant)'\(micro)
          WHERE session_id = (SELECT session_id FROM pagefall.sessions WHERE story_id = '\(name)')
        """)
    }
    let written = try world.write(on: day, zone: zone)
    let rows = try written.rows(.events)
    #expect(Set(rows.map { $0["story_id"] }) == ["first", "last", "middle"])
    for row in rows { #expect(row["at_day"] == day && row["started_day"] == day && row["arrived_day"] == day) }
    #expect(Set(try written.rows(.funnel).map { $0["started_day"] }) == [day])
    let last = try #require(rows.first { $0["story_id"] == "last" })
    #expect(last["started_at"]?.hasSuffix(":59:59.999999Z") == true)
  }

  @Test func `have no time where a clock is wrong by millennia`() throws {
    let world = try WritingWorld([
      StoredSession(
        arrivedAt: "12026-01-02T03:04:05Z", hasSuspectClock: true,
        events: [
          StoredRow(seq: 0, type: .dismiss, at: "0001-01-01T00:00:00Z"),
          StoredRow(seq: 1, type: .dismiss, at: "9999-12-31T23:59:59.999999Z"),
          StoredRow(seq: 2, type: .dismiss, at: "0001-01-01 00:00:00Z BC"),
          StoredRow(seq: 3, type: .dismiss, at: "4000-01-01 00:00:00Z BC"),
          StoredRow(seq: 4, type: .dismiss, at: "294276-12-31 23:59:59.999999Z"),
          StoredRow(seq: 5, type: .dismiss, at: "infinity"), StoredRow(seq: 6, type: .dismiss, at: "-infinity"),
        ])
    ])
    for zone in ["UTC", "Asia/Tokyo"] {
      let rows = try world.write(zone: zone).rows(.events)
      #expect(rows.count == 7)
      #expect(rows[0]["arrived_at"] == nil && rows[0]["arrived_day"] == nil)
      #expect(rows[0]["at"] == "0001-01-01T00:00:00.000000Z" && rows[0]["at_day"] == "0001-01-01")
      #expect(rows[1]["at"] == "9999-12-31T23:59:59.999999Z")
      // No warehouse loads the year 10000 as a date.
      #expect(rows[1]["at_day"] == (zone == "UTC" ? "9999-12-31" : nil))
      for row in rows[2...] { #expect(row["at"] == nil && row["at_day"] == nil) }
    }
  }
}

@Suite struct `Sessions of very many events` {
  @Test(arguments: [1, 2, 3, 5]) func `are written as any other`(_ mostPackedEvents: Int) throws {
    var random = SeededGenerator(seed: UInt64(mostPackedEvents))
    let world = try WritingWorld()
    try world.store((0..<60).map { _ in RandomSession.make(&random) })
    for options in [ExportOptions(compression: .none), ExportOptions(format: .ndjson, compression: .none)] {
      let whole = try world.write(options)
      let parted = try world.write(options, limits: DayLimits(packedEvents: mostPackedEvents))
      #expect(parted.written.counts == whole.written.counts && parted.written.events == whole.written.events)
      #expect(parted.written.sessions == whole.written.sessions && whole.written.sessions == 60)
      for content in ExportContent.allCases {
        let one = try whole.bytes(content).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }.sorted()
        let other = try parted.bytes(content).split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
          .sorted()
        #expect(one == other)
      }
    }
  }

  @Test func `of which one has few and a seq that is enormous`() throws {
    let last = Int(Int32.max)
    let world = try WritingWorld([
      StoredSession(events: [
        StoredRow(seq: 0, type: .start, columns: ["page_count": "1000"]),
        StoredRow(seq: last, type: .pageShown, columns: ["page_index": "999"]),
      ])
    ])
    let day = try world.write()
    #expect(try day.rows(.events).map { $0["seq"] } == ["0", "\(last)"])
    let session = try #require(try day.rows(.sessions).first)
    #expect(session["missing_events"] == "\(last - 1)" && session["expected_events"] == "\(last + 1)")
    #expect(session["has_reached_last"] == "true" && session["page_count"] == "1000")
    #expect(day.written.completeness.missingEvents == last - 1)
  }
}
