import EventRecords
import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `What comes beside the events` {
  private func shown(_ number: UInt64, _ page: [PageText: String], story: String? = "s", duration: Double? = nil)
    -> TestRecord
  {
    var event = TestEvent(session(number), 0, context: story.map { [.storyID: $0] } ?? [:])
    event.page = page
    event.duration = duration
    return TestRecord([event])
  }

  @Test func `page details are the newest, field by field`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(
      shown(1, [.title: "A", .link: "l"]), shown(2, [.title: "B"], duration: 5), shown(3, [.title: "C"], story: nil))
    let pages = "SELECT story_id, page_index, title, link, duration FROM pagefall.story_pages ORDER BY 1"
    #expect(try database.psql(pages) == "|0|C||\ns|0|B|l|5")
    try store.store(shown(4, [.title: "A"]))
    #expect(try database.psql(pages) == "|0|C||\ns|0|A|l|5")
    try store.store(shown(5, [.title: "B", .subtitle: "x"]), shown(6, [.title: "A"]))
    #expect(try database.psql(pages) == "|0|C||\ns|0|A|l|5")
  }

  @Test func `stories are told apart by the bytes of their names`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(
      shown(1, [.title: "A"], story: "caf\u{E9}"), shown(2, [.link: "l"], story: "cafe\u{301}"),
      shown(3, [.link: "m"], story: "caf\u{E9}"))
    #expect(
      try database.psql(
        "SELECT encode(story_id::bytea, 'hex'), title, link FROM pagefall.story_pages ORDER BY 1")
        == "63616665cc81||l\n636166c3a9|A|m")
  }

  @Test func `details that are stored already cost no statement`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(shown(1, [.title: "A"]))
    let before = try database.psql("SELECT xmin FROM pagefall.story_pages")
    try store.store(shown(2, [.title: "A"]))
    #expect(try database.psql("SELECT xmin FROM pagefall.story_pages") == before)
  }

  @Test func `an app has no more pages than fit, and those it has stay current`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(shown(1, [.title: "A"]))
    _ = try database.psql(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, updated_at)
      SELECT 1, 'made up ' || n, 0, now() FROM generate_series(1, \(BatchStore.maximumPagesPerApp - 2)) n
      """)
    try store.store(
      shown(2, [.title: "B"]), shown(3, [.title: "x"], story: "t"), shown(4, [.title: "x"], story: "u"),
      shown(5, [.title: "x"], story: "v"))
    #expect(try database.psql("SELECT count(*) FROM pagefall.story_pages") == "\(BatchStore.maximumPagesPerApp)")
    #expect(try database.psql("SELECT title FROM pagefall.story_pages WHERE story_id = 's'") == "B")
  }

  @Test func `rejected events are kept byte for byte, and a repeat raises a counter`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var record = TestRecord([TestEvent(session(1), 0)], sent: testTime)
    record.rejected = [(.missingField, "{\"a\":\"\u{0}\u{1F600}\"}"), (.invalidJSON, "{"), (.invalidJSON, "{")]
    #expect(try store.store(record) == fates(stored: 1))
    var other = record
    other.app = "other"
    other.events = []
    try store.store(record, other)
    #expect(
      try database.psql(
        "SELECT app_id, code, field, message, count, encode(body, 'hex') FROM pagefall.rejected ORDER BY 1, 2, 5")
          == """
          1|invalid_json|seq|found nothing|4|7b
          1|missing_field|seq|found nothing|2|7b2261223a2200f09f9880227d
          2|invalid_json|seq|found nothing|2|7b
          2|missing_field|seq|found nothing|1|7b2261223a2200f09f9880227d
          """)
  }

  @Test func `page details of an event that is not stored change nothing`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let first = shown(1, [.title: "A"])
    var changed = shown(1, [.title: "C"])
    changed.events[0].at += 1_000_000
    var foreign = shown(1, [.title: "F"])
    foreign.app = "other"
    foreign.events[0].seq = 1
    let title = "SELECT app_id, title FROM pagefall.story_pages"
    // In one batch, beside an event of the same session that is stored; in a batch of their own; beside a stored one again.
    try store.store(first, shown(1, [.title: "B"]), changed)
    #expect(try database.psql(title) == "1|A")
    try store.store(shown(1, [.title: "B"]), changed, foreign)
    #expect(try database.psql(title) == "1|A")
    var next = TestEvent(session(1), 1, context: [.storyID: "s"])
    next.pageIndex = 1
    var both = shown(1, [.title: "B"])
    both.events.append(next)
    #expect(try store.store(both, foreign) == fates(stored: 1, duplicate: 1, foreign: 1))
    #expect(try database.psql(title) == "1|A")
  }

  @Test func `a repeat of a rejected event widens the time it was seen in, in one batch and in several`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    func rejected(_ days: Int64) -> TestRecord {
      var record = TestRecord(received: testTime + days * 86_400_000_000)
      record.rejected = [(.unknownType, "{}")]
      return record
    }
    func seen() throws -> String {
      let day = "SELECT EXTRACT(epoch FROM $ - to_timestamp(\(testTime / 1_000_000)))::int / 86400"
      let (first, last) = (
        day.replacing("$", with: "first_received_at"), day.replacing("$", with: "last_received_at")
      )
      return try database.psql("SELECT count, (\(first)), (\(last)) FROM pagefall.rejected")
    }
    try store.store(rejected(0), rejected(3), rejected(-1), rejected(2))
    #expect(try seen() == "4|-1|3")
    try store.store(rejected(5), rejected(-2))
    #expect(try seen() == "6|-2|5")
    try store.store(rejected(1))
    #expect(try seen() == "7|-2|5")
  }

  @Test func `what devices gave up is the highest they said`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var record = TestRecord([TestEvent(session(1), 0)])
    record.drops = [(5, "d1"), (3, "d1"), (1, "")]
    try store.store(record)
    record.drops = [(4, "d1"), (2, "")]
    try store.store(record)
    #expect(
      try database.psql("SELECT device_id, dropped_events_total FROM pagefall.device_drops ORDER BY 1") == "|2\nd1|5")
  }

  @Test func `the newest arrival is known without reading the events`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(
      TestRecord([TestEvent(session(1), 0)], received: testTime + 5),
      TestRecord([TestEvent(session(2), 0)], received: testTime + 3),
      TestRecord([TestEvent(session(3), 0)], app: "other", received: testTime + 4))
    try store.store(TestRecord([TestEvent(session(4), 0)], received: testTime))
    #expect(
      try database.psql(
        "SELECT name, (extract(epoch FROM data_through) * 1000000)::bigint - \(testTime) FROM pagefall.apps ORDER BY 2")
        == "other|4\nshop|5")
  }

  @Test func `a record that cannot be read is set aside with the batch`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var damaged = TestRecord([TestEvent(session(1), 0), TestEvent(session(2), 0)]).bytes
    damaged[damaged.count - 1 - 8 * 30] ^= 0xFF
    damaged[0] = 9
    let good = TestRecord([TestEvent(session(3), 0)]).bytes
    damaged.withUnsafeBytes { store.add(orSetAside: $0, place: "1:64") }
    good.withUnsafeBytes { store.add(orSetAside: $0, place: "1:900") }
    let (setAside, events) = (store.setAsideCount, store.eventCount)
    #expect(setAside == 1 && events == 1)
    #expect(try store.store() == fates(stored: 1))
    let isEmpty = store.isEmpty
    #expect(isEmpty)
    #expect(
      try database.psql("SELECT place, octet_length(body) FROM pagefall.unreadable_records") == "1:64|\(damaged.count)")
  }

  @Test func `a batch of nothing but rejected events is stored too`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var record = TestRecord()
    record.rejected = [(.notAnObject, "[]")]
    #expect(try store.store(record) == fates())
    #expect(try database.psql("SELECT count(*) FROM pagefall.rejected") == "1")
  }
}
