import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `Months and retention` {
  @Test func `two months back and two ahead, and never more`() throws {
    let database = try makeDatabase()
    let expected = try database.psql(
      "SELECT string_agg(to_char(now() AT TIME ZONE 'UTC' + make_interval(months => n), 'YYYY_MM'), ',' ORDER BY n) FROM generate_series(-2, 2) n"
    )
    let months = "SELECT string_agg(to_char(month, 'YYYY_MM'), ',' ORDER BY month) FROM pagefall.months"
    #expect(try database.psql(months) == expected)
    #expect(try database.psql("SELECT pagefall.make_months()") == "0")
    #expect(try database.psql(months) == expected)
  }

  @Test func `making a month moves its rows out of the default, and they are known as before`() throws {
    let database = try makeDatabase()
    let day: Int64 = 86_400_000_000
    let old = testTime - 300 * day
    var store = try makeStore(database.connectionString)
    let record = TestRecord([
      TestEvent(session(1, at: old), 0), TestEvent(session(1, at: old), 1),
      TestEvent(session(2, at: old - 90 * day), 0),
      TestEvent(randomSession(3), 0),
    ])
    try store.store(record)
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_events_default") == "3")
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_events_other") == "1")
    _ = try database.psql("SELECT pagefall.make_month(to_timestamp(\(old / 1_000_000))::date)")
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_events_default") == "1")
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions_default") == "1")
    #expect(try database.psql("SELECT count(*) FROM events") == "4")
    #expect(try store.store(record) == fates(duplicate: 4))
    var other = try makeStore(database.connectionString, random: 2)
    #expect(try other.store(record) == fates(duplicate: 4))
  }

  @Test(arguments: ["2019-12-31", "2100-01-01", "0001-01-01"])
  func `only months that version 7 ids are stored by can be made`(month: String) throws {
    let database = try makeDatabase()
    #expect(throws: (any Error).self) { try database.psql("SELECT pagefall.make_month('\(month)')") }
  }

  @Test func `retention drops whole months, keeps what starts later, and counts what it removes`() throws {
    let database = try makeDatabase()
    let day: Int64 = 86_400_000_000
    let old = testTime - 70 * day
    var store = try makeStore(database.connectionString)
    // Sent by a clock 70 days behind: its id lies in the old month, its corrected start is now.
    try store.store(TestRecord([TestEvent(session(1, at: old), 0)], received: testTime, sent: old))
    try store.store(TestRecord([TestEvent(session(2, at: old), 0), TestEvent(session(2, at: old), 1)], received: old))
    try store.store(TestRecord([TestEvent(randomSession(3), 0, at: old)], received: old))
    try store.store(TestRecord([TestEvent(session(4), 0)]))
    _ = try database.psql("SELECT pagefall.make_month(to_timestamp(\(old / 1_000_000))::date)")
    _ = try database.psql("SELECT pagefall.set_retention_line(to_timestamp(\((testTime - 5 * day) / 1_000_000)))")
    #expect(try database.psql("SELECT pagefall.apply_retention()") == "3")
    #expect(try database.psql("SELECT count(*), count(DISTINCT session_id) FROM events") == "2|2")
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions") == "2")
    #expect(try database.psql("SELECT sum(events), sum(sessions) FROM pagefall.retention_removed") == "3|2")
    let months = try database.psql("SELECT count(*) FROM pagefall.months WHERE dropped_at IS NOT NULL")
    #expect(Int(months) ?? 0 > 0)
    // A dropped month does not come back by itself.
    #expect(try database.psql("SELECT pagefall.make_months()") == "0")
    #expect(
      try store.store(TestRecord([TestEvent(session(1, at: old), 0)], received: testTime, sent: old))
        == fates(duplicate: 1))
  }
}
