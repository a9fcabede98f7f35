import EventRecords
import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

private let day: Int64 = 86_400_000_000

@Suite struct `Sessions` {
  @Test func `context is kept field by field, the first value that is not null`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    // Within a batch …
    try store.store(
      TestRecord([
        TestEvent(session(1), 0), TestEvent(session(1), 1, context: [.deviceID: "d1", .locale: "de"]),
        TestEvent(session(1), 2, context: [.deviceID: "d2", .userID: "u1"]),
      ]))
    // … and after it, remembered and asked for.
    try store.store(TestRecord([TestEvent(session(1), 3, context: [.deviceID: "d3", .storyID: "s1"])]))
    var other = try makeStore(database.connectionString, random: 2)
    try other.store(
      TestRecord([
        TestEvent(session(1), 3, context: [.deviceID: "d3", .storyID: "s1"]),
        TestEvent(session(1), 4, context: [.storyID: "s2", .properties: #"{"a":[1]}"#, .locale: "fr"]),
        TestEvent(session(2), 0, context: [.storyID: "s9"]),
      ]))
    #expect(
      try database.psql(
        "SELECT device_id, locale, user_id, story_id, properties, app_version IS NULL FROM story_sessions WHERE device_id IS NOT NULL"
      ) == #"d1|de|u1|s1|{"a": [1]}|t"#)
  }

  @Test func `duplicates and conflicting events add nothing`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    var conflicting = TestEvent(session(1), 0, at: 5, context: [.storyID: "no"])
    conflicting.page = [.title: "no"]
    var duplicate = TestEvent(session(1), 0, context: [.storyID: "no"])
    duplicate.page = [.title: "no"]
    #expect(try store.store(TestRecord([duplicate, conflicting])) == fates(duplicate: 1, conflicting: 1))
    var other = try makeStore(database.connectionString, random: 2)
    try other.store(TestRecord([duplicate, conflicting]))
    #expect(try database.psql("SELECT count(story_id), count(*) FROM pagefall.sessions") == "0|1")
    #expect(try database.psql("SELECT count(*) FROM pagefall.story_pages") == "0")
  }

  @Test func `the first event of a session fixes its start, arrival and offset for good`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let id = randomSession(1)
    try store.store(TestRecord([TestEvent(id, 5, at: testTime)], received: testTime + 9, sent: testTime - day))
    try store.store(TestRecord([TestEvent(id, 0, at: testTime - 50)], received: testTime + 99))
    #expect(
      try database.psql(
        "SELECT extract(epoch FROM started_at), extract(epoch FROM arrived_at), clock_offset_us, flags FROM pagefall.sessions"
      ) == "\((testTime + day) / 1_000_000).000009|\(testTime / 1_000_000).000009|\(day + 9)|1"
        || database.psql("SELECT clock_offset_us, flags FROM pagefall.sessions") == "\(day + 9)|1")
  }

  @Test func `a clock that is wrong by days or years loses nothing and makes no partition`() throws {
    let database = try makeDatabase()
    for days: Int64 in [-20 * 365, -401, -90, -1, 1, 90, 3650] { try expectHarmless(database, days) }
  }

  private func expectHarmless(_ database: TestDatabase, _ days: Int64) throws {
    let partitions = try database.psql("SELECT count(*) FROM pg_inherits")
    _ = try database.psql("TRUNCATE pagefall.stored_events, pagefall.sessions")
    var store = try makeStore(database.connectionString)
    let wrong = testTime + days * day
    let records = [
      TestRecord([TestEvent(session(1, at: wrong), 0, at: wrong), TestEvent(session(1, at: wrong), 1, at: wrong)]),
      TestRecord([TestEvent(session(2, at: wrong), 0, at: wrong)], sent: wrong),
      TestRecord([TestEvent(randomSession(3), 0, at: wrong)]),
    ]
    for record in records { try record.bytes.withUnsafeBytes { try store.add($0) } }
    #expect(try store.store() == fates(stored: 4))
    for record in records { try record.bytes.withUnsafeBytes { try store.add($0) } }
    #expect(try store.store() == fates(duplicate: 4))
    #expect(try database.psql("SELECT count(*) FROM events") == "4")
    #expect(try database.psql("SELECT count(*) FROM pg_inherits") == partitions)
    // Session 2's clock was corrected; the others count at their arrival where they are unbelievable.
    #expect(
      try database.psql(
        "SELECT count(*) FROM pagefall.sessions WHERE abs(extract(epoch FROM started_at - arrived_at)) > 400.1 * 86400")
        == "0")
  }

  @Test func `properties that PostgreSQL cannot hold cost only the events that carry them`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let counts = try store.store(
      TestRecord([
        TestEvent(session(1), 0), TestEvent(session(1), 1, context: [.properties: #"{"a":1e999999}"#]),
        TestEvent(session(1), 2), TestEvent(session(2), 0, context: [.properties: #"{"a":1e999999}"#]),
        TestEvent(session(3), 0, context: [.properties: #"{"a":1}"#]),
      ]))
    #expect(counts == fates(stored: 3, refused: 2))
    #expect(
      try database.psql("SELECT string_agg(code, ',') FROM pagefall.rejected")
        == "refused_by_database,refused_by_database")
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions") == "2")
  }
}
