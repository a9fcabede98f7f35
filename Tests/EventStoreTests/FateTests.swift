import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `Every accepted event has one fate` {
  @Test func `apps are told apart by the bytes of their names`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    // One accent, written in two ways: Swift takes the names for equal.
    let apps = ["caf\u{E9}", "cafe\u{301}"]
    var records: [TestRecord] = []
    for number in 0..<3 {
      for seq in 0..<2 as Range<Int32> {
        records.append(TestRecord([TestEvent(session(UInt64(number)), seq)], app: apps[number % 2]))
      }
    }
    for record in records { try record.bytes.withUnsafeBytes { try store.add($0) } }
    #expect(try store.store() == fates(stored: 6))
    #expect(
      try database.psql("SELECT encode(app::bytea, 'hex'), count(*) FROM events GROUP BY 1 ORDER BY 2")
        == "63616665cc81|2\n636166c3a9|4")
  }

  @Test func `new events are stored with all they say`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var start = TestEvent(session(1), 0, pageIndex: nil)
    start.type = .start
    start.pageCount = 3
    start.pageDurations = [5, .nan, 2.5]
    start.context = [.storyID: "spring", .deviceID: "d1", .properties: #"{"a":1,"b":"x"}"#]
    var shown = TestEvent(session(1), 1, at: testTime + 123_456, pageIndex: 999)
    shown.duration = 0.001
    shown.context = start.context
    var response = TestEvent(randomSession(2), 0, at: -62_135_596_800_000_000, pageIndex: nil)
    response.type = .notificationResponse
    response.action = .button
    response.source = .inApp
    response.texts = [.categoryID: "cat", .buttonID: "b\u{1F600}", .error: "", .reason: "r", .contentCode: "c"]
    #expect(try store.store(TestRecord([start, shown, response])) == fates(stored: 3))
    #expect(
      try database.psql(
        """
        SELECT session_id, seq, type, extract(epoch FROM at), page_index, page_count, duration, page_durations, reason,
          content_code, source, error IS NULL, action, category_id, button_id, app, story_id FROM events ORDER BY type DESC
        """
      ).split(separator: "\n").map(String.init) == [
        "\(session(1))|0|start|\(testTime / 1_000_000).000000||3||{5,NULL,2.5}|||" + "|t||||shop|spring",
        "\(session(1))|1|page_shown|\(testTime / 1_000_000).123456|999||0.001||||" + "|t||||shop|spring",
        "\(randomSession(2))|0|notification_response|-62135596800.000000|||||r|c|in_app|f|button|cat|b\u{1F600}|shop|",
      ])
    #expect(
      try database.psql("SELECT story_id, device_id, properties FROM story_sessions WHERE story_id IS NOT NULL")
        == #"spring|d1|{"a": 1, "b": "x"}"#)
  }

  @Test func `a repeat is a duplicate, in the batch, remembered, and asked for`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let event = TestEvent(session(1), 0)
    #expect(try store.store(TestRecord([event, event]), TestRecord([event])) == fates(stored: 1, duplicate: 2))
    #expect(try store.store(TestRecord([event, TestEvent(session(1), 1)])) == fates(stored: 1, duplicate: 1))
    var other = try makeStore(database.connectionString, random: 2)
    #expect(
      try other.store(TestRecord([event, TestEvent(session(1), 1), TestEvent(session(1), 2)]))
        == fates(stored: 1, duplicate: 2))
    #expect(try database.psql("SELECT count(*), count(DISTINCT seq) FROM events") == "3|3")
  }

  @Test func `the same key with other content is kept as rejected, however it is found out`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let first = TestEvent(session(1), 0)
    let later = TestEvent(session(1), 0, at: testTime + 1000)
    #expect(try store.store(TestRecord([first, later])) == fates(stored: 1, conflicting: 1))
    #expect(try store.store(TestRecord([later])) == fates(conflicting: 1))
    var other = try makeStore(database.connectionString, random: 2)
    #expect(try other.store(TestRecord([later, first])) == fates(duplicate: 1, conflicting: 1))
    #expect(
      try database.psql("SELECT code, count, convert_from(body, 'UTF8') = '\(later.json)' FROM pagefall.rejected")
        == "conflicting_duplicate|3|t")
    #expect(try database.psql("SELECT extract(epoch FROM at) FROM events") == "\(testTime / 1_000_000).000000")
  }

  @Test func `each field of the content makes a conflict, stored or remembered`() throws {
    let database = try makeDatabase()
    for field in 0..<11 { try expectConflict(database, field) }
  }

  private func expectConflict(_ database: TestDatabase, _ field: Int) throws {
    var first = TestEvent(session(UInt64(field)), 0, pageIndex: 1)
    first.texts = [.reason: "a"]
    var later = first
    switch field {
    case 0: later.type = .actionTap
    case 1: later.at += 1
    case 2: later.pageIndex = nil
    case 3: later.pageCount = 1
    case 4: later.source = .push
    case 5: later.action = .default
    case 6: later.texts[.reason] = "b"
    case 7: later.texts[.contentCode] = ""
    case 8: later.texts[.error] = "x"
    case 9: later.texts[.categoryID] = "x"
    default: later.texts[.buttonID] = "x"
    }
    var same = first
    same.duration = 5
    same.context = [.storyID: "other"]
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([first]))
    #expect(try store.store(TestRecord([later, same])) == fates(duplicate: 1, conflicting: 1))
    var other = try makeStore(database.connectionString, random: 2)
    #expect(try other.store(TestRecord([later, same])) == fates(duplicate: 1, conflicting: 1))
  }

  @Test func `an event of another app's session is foreign, in the batch, remembered, and asked for`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let own = TestRecord([TestEvent(session(1), 0)])
    let foreign = TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1)], app: "other")
    #expect(try store.store(own, foreign) == fates(stored: 1, foreign: 2))
    #expect(try store.store(foreign) == fates(foreign: 2))
    var another = try makeStore(database.connectionString, random: 2)
    #expect(try another.store(foreign) == fates(foreign: 2))
    #expect(
      try database.psql("SELECT a.name, r.code, r.count FROM pagefall.rejected r JOIN pagefall.apps a USING (app_id)")
        == "other|foreign_session|3\nother|foreign_session|3")
    #expect(try database.psql("SELECT count(*) FROM events WHERE app = 'shop'") == "1")
  }

  @Test func `the fates add up to what was accepted, by app and day`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let record = TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 0, at: 5), TestEvent(session(1), 1)])
    try store.store(record, TestRecord([TestEvent(session(1), 0)], app: "other"))
    try store.store(record)
    #expect(
      try database.psql(
        """
        SELECT a.name, fate, events FROM pagefall.event_fates JOIN pagefall.apps a USING (app_id)
        WHERE source = 'file' AND received_day >= current_date - 1 ORDER BY 1, 2
        """) == "other|foreign_session|1\nshop|conflicting_duplicate|2\nshop|duplicate|2\nshop|stored|2")
  }

  @Test func `events before the retention line are expired, of old sessions and new`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let day: Int64 = 86_400_000_000
    let old = session(1, at: testTime - 2 * day)
    let young = session(2, at: testTime)
    try store.store(TestRecord([TestEvent(old, 0)], received: testTime))
    _ = try database.psql("SELECT pagefall.set_retention_line(to_timestamp(\((testTime - day) / 1_000_000)))")
    let record = TestRecord(
      [TestEvent(old, 0), TestEvent(old, 1), TestEvent(session(3, at: testTime - 3 * day), 0), TestEvent(young, 0)],
      received: testTime)
    #expect(try store.store(record) == fates(stored: 1, expired: 3))
    var other = try makeStore(database.connectionString, random: 2)
    #expect(try other.store(record) == fates(duplicate: 1, expired: 3))
    #expect(try database.psql("SELECT pagefall.apply_retention()") == "1")
    #expect(try store.store(record) == fates(duplicate: 1, expired: 3))
    #expect(try database.psql("SELECT count(*) FROM events") == "1")
  }

  @Test func `what was removed from the database is not taken for a duplicate`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let record = TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1)])
    try store.store(record)
    _ = try database.psql("TRUNCATE pagefall.stored_events, pagefall.sessions")
    #expect(try store.store(record) == fates(stored: 2))
    _ = try database.psql("DELETE FROM pagefall.stored_events; DELETE FROM pagefall.sessions")
    #expect(try store.store(record) == fates(stored: 2))
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions") == "1")
  }
}
