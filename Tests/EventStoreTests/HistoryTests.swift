import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

private let day: Int64 = 86_400_000_000

/// A record of events that arrived long ago, so that their sessions are quiet, and long after they happened, so that no others
/// seem to follow.
func quietRecord(_ events: [TestEvent], app: String = "shop") -> TestRecord {
  let late = events.map { event in
    var event = event
    event.at -= 7_200_000_000
    return event
  }
  return TestRecord(late, app: app, received: testTime - 3_600_000_000)
}

/// Housekeeping, as any collector does it.
@discardableResult
func pack(_ database: TestDatabase) throws -> Int {
  var connection = try connect(database)
  return try Housekeeping.run(&connection).sessionsPacked
}

@Suite struct `A session's history` {
  /// Every type, all numbers at their ends, durations and none, in no order.
  @Test func `holds each event of a new session, as the rows do`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var events: [TestEvent] = []
    for (number, type) in EventType.allCases.enumerated() {
      var event = TestEvent(
        session(UInt64(number % 3)), Int32(20 - number), at: testTime + Int64(number), pageIndex: nil)
      event.type = type
      if number % 2 == 0 { event.duration = [0, -0.0, 5.25, 1e300, -7][number % 5] }
      events.append(event)
    }
    var first = TestEvent(randomSession(7), .max, at: -62_135_596_800_000_000, pageIndex: 999)
    first.duration = 3
    var start = TestEvent(randomSession(7), 4, at: 253_402_300_799_999_999, pageIndex: nil)
    start.type = .start
    start.pageCount = 1000
    // It says nothing of a start, but a sender may give it.
    start.pageIndex = 7
    start.pageDurations = [1, .nan, 2.5]
    var earlier = TestEvent(randomSession(7), 2, at: 0, pageIndex: 0)
    earlier.type = .start
    earlier.pageCount = 1
    earlier.pageDurations = Array(repeating: .nan, count: 1000)
    var without = TestEvent(randomSession(7), 1, at: -1, pageIndex: nil)
    without.type = .start
    without.pageCount = 2
    try store.store(TestRecord(events + [first]), TestRecord([start, earlier, without], received: nil))
    #expect(try packed(database) == "4|4")
    try expectHistories(database)
    #expect(
      try database.psql("SELECT octet_length(history) FROM pagefall.sessions_other") == "\(4 * 24 + 8 + 1000 * 8)")
    // And by the function alone.
    _ = try database.psql("UPDATE pagefall.sessions SET history = NULL, arrived_at = arrived_at - interval '1 day'")
    #expect(try pack(database) == 4)
    #expect(try packed(database) == "4|4")
    try expectHistories(database)
  }

  @Test func `holds no repeat, no conflict, no stranger and nothing that has expired`() throws {
    let database = try makeDatabase()
    _ = try database.psql("SELECT pagefall.set_retention_line(to_timestamp(\(testTime / 1_000_000)))")
    var store = try makeStore(database.connectionString)
    let event = TestEvent(session(1), 0)
    #expect(
      try store.store(
        TestRecord(
          [
            event, event, TestEvent(session(1), 0, at: testTime + 5), TestEvent(session(2, at: testTime - day), 0),
          ], received: nil), TestRecord([TestEvent(session(1), 1)], app: "stranger"))
        == fates(stored: 1, duplicate: 1, conflicting: 1, foreign: 1, expired: 1))
    #expect(try packed(database) == "1|1")
    try expectHistories(database)
  }

  /// Each way in which a loader can know a session.
  @Test func `is null as soon as another event is stored, and packed when the session is quiet`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var other = try makeStore(database.connectionString, random: 2)
    try store.store(quietRecord([TestEvent(session(1), 0), TestEvent(session(2), 0), TestEvent(session(3), 0)]))
    #expect(try packed(database) == "3|3")
    // Remembered.
    try store.store(quietRecord([TestEvent(session(1), 1)]))
    #expect(try packed(database) == "3|2")
    // Found by a violated key, then by asking.
    try other.store(quietRecord([TestEvent(session(2), 1)]))
    #expect(try packed(database) == "3|1")
    // Only repeats: nothing changes.
    try other.store(quietRecord([TestEvent(session(3), 0)]))
    #expect(try packed(database) == "3|1")
    #expect(try pack(database) == 2)
    #expect(try packed(database) == "3|3")
    try expectHistories(database)
    // What both remember of null histories is not true any more.
    try store.store(quietRecord([TestEvent(session(1), 2)]))
    #expect(try packed(database) == "3|2")
    try other.store(quietRecord([TestEvent(session(2), 2)]))
    #expect(try packed(database) == "3|1")
    try expectHistories(database)
    #expect(try pack(database) == 2)
    #expect(try pack(database) == 0)
    try expectHistories(database)
  }

  /// Whether it is packed at once: the guess that it will not get more.
  @Test(
    arguments: [
      (.pageShown, 1, false), (.start, 59, false), (.pageShown, 61, true), (.richMediaPresented, -3600, false),
      (.finish, 1, true), (.dismiss, 1, true), (.fallback, 1, true), (.richMediaFailed, 1, true),
      (.notificationResponse, 1, true),
    ] as [(EventType, Int64, Bool)])
  func `is made at once where the session seems to be over`(type: EventType, seconds: Int64, isPacked: Bool) throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var last = TestEvent(session(1), 1)
    last.type = type
    try store.store(
      TestRecord(
        [last, TestEvent(session(1), 0, at: testTime - 3_600_000_000)], received: testTime + seconds * 1_000_000))
    #expect(try packed(database) == (isPacked ? "1|1" : "1|0"))
    try expectHistories(database)
  }

  @Test func `of a session that goes on is packed later, and the session is not updated before`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    for seq in 0..<6 as Range<Int32> { try store.store(TestRecord([TestEvent(session(1), seq)])) }
    #expect(try database.psql("SELECT ctid, history IS NULL FROM pagefall.sessions") == "(0,1)|t")
  }

  @Test func `a stream of single events updates its session once`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    for seq in 0..<6 as Range<Int32> { try store.store(quietRecord([TestEvent(session(1), seq)])) }
    // The second version of the row in its page.
    #expect(try database.psql("SELECT ctid FROM pagefall.sessions") == "(0,2)")
  }

  @Test func `is not made of a batch that is stored in halves, and not kept by one`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(quietRecord([TestEvent(session(0), 100), TestEvent(session(1), 100)]))
    _ = try database.psql(
      """
      CREATE SEQUENCE attempt;
      CREATE FUNCTION sometimes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempt') < 4 THEN RAISE EXCEPTION 'not now'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER sometimes AFTER INSERT ON pagefall.stored_events FOR EACH STATEMENT EXECUTE FUNCTION sometimes()
      """)
    let events = (0..<16 as Range<Int32>).map { TestEvent(session(UInt64($0 % 4)), $0) }
    #expect(try store.store(quietRecord(events)) == fates(stored: 16))
    #expect(try packed(database) == "4|0")
    #expect(try pack(database) == 4)
    #expect(try packed(database) == "4|4")
    try expectHistories(database)
  }

  /// Refused rows are found by halving under savepoints; then the others are stored as one batch.
  @Test func `holds what is left where PostgreSQL refuses rows`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(quietRecord([TestEvent(session(0), 100)]))
    _ = try database.psql("ALTER TABLE pagefall.stored_events ADD CHECK (seq NOT IN (3, 4, 11))")
    let events = (0..<16 as Range<Int32>).map { TestEvent(session(UInt64($0 % 4)), $0) }
    #expect(try store.store(quietRecord(events)) == fates(stored: 13, refused: 3))
    #expect(try packed(database) == "4|3")
    try expectHistories(database)
  }

  @Test func `is not made of a session with too many events, which is looked at once`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let events = { (number: UInt64, range: Range<Int32>) in range.map { TestEvent(session(number), $0) } }
    try store.store(quietRecord(events(1, 0..<4096)), quietRecord(events(2, 0..<4097)))
    try store.store(quietRecord(events(3, 0..<4000)), quietRecord([TestEvent(session(4), 0)]))
    try store.store(quietRecord(events(3, 4000..<4096)))
    #expect(try database.psql("SELECT history IS NULL FROM pagefall.sessions ORDER BY session_id") == "f\nt\nt\nf")
    #expect(try pack(database) == 2)
    #expect(try pack(database) == 0)
    #expect(
      try database.psql("SELECT history IS NULL, flags FROM pagefall.sessions ORDER BY session_id")
        == "f|0\nt|2\nf|0\nf|0")
    try store.store(quietRecord([TestEvent(session(3), 4096)]))
    #expect(try pack(database) == 1)
    #expect(try pack(database) == 0)
    try expectHistories(database)
  }

  @Test func `waits until the session has been quiet for ten minutes`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let now = SystemTime.microsecondsSince1970()
    for (number, minutes) in [0, 9, 11].enumerated() {
      for seq in 0..<2 as Range<Int32> {
        try store.store(
          TestRecord([TestEvent(session(UInt64(number)), seq)], received: now - Int64(minutes) * 60_000_000))
      }
    }
    #expect(try packed(database) == "3|0")
    #expect(try pack(database) == 1)
    #expect(
      try database.psql("SELECT history IS NULL FROM pagefall.sessions ORDER BY session_id") == "t\nt\nf")
    // The end of a run is sure to be the end of its sessions.
    store.finish()
    #expect(try packed(database) == "3|3")
    try expectHistories(database)
  }

  @Test func `of many sessions is packed in slices, the newest first`() throws {
    let database = try makeDatabase()
    _ = try database.psql(
      """
      INSERT INTO pagefall.apps (name) VALUES ('shop');
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags)
      SELECT md5(n::text)::uuid, 1, now(), now() - n * interval '1 minute' - interval '30 seconds', 0, 0 FROM generate_series(1, 3000) n;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at, page_index)
      SELECT md5(n::text)::uuid, seq, 2, now(), seq FROM generate_series(1, 2999) n, generate_series(0, n % 4) seq
      """)
    var connection = try connect(database)
    try connection.execute("SELECT pagefall.pack_histories(100, interval '10 minutes')")
    #expect(
      try database.psql(
        "SELECT count(*), max(now() - arrived_at) < interval '112 minutes' FROM pagefall.sessions WHERE history IS NOT NULL"
      )
        == "100|t")
    #expect(try pack(database) == 2891)
    // The last has no events at all.
    #expect(try packed(database) == "3000|2990")
    #expect(try database.psql("SELECT packing >= 3 FROM pagefall.settings") == "t")
    #expect(try pack(database) == 0)
    try expectHistories(database)
  }
}
