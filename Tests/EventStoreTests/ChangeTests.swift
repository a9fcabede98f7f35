import Dispatch
import EventStore
import Foundation
import Postgres
import StoryEvents
import Synchronization
import TestSupport
import Testing

private let minute: Int64 = 60_000_000

@Suite struct `The account of what is stored` {
  @Test func `has a row an app and quarter of the sessions' starts, in the hour of the transaction`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let starts = [0, 15 * minute - 1000, 15 * minute, 44 * minute, 45 * minute].map { testTime - 60 * minute + $0 }
    try store.store(
      TestRecord(
        starts.enumerated().flatMap { number, start in
          (0...Int32(number)).map { TestEvent(session(UInt64(number), at: start), $0) }
        }, received: testTime),
      TestRecord([TestEvent(randomSession(9), 0, at: testTime - 60 * minute)], app: "other", received: testTime))
    #expect(
      try database.psql(
        """
        SELECT app_id, extract(epoch FROM quarter)::bigint - \(testTime / 1_000_000 - 3600), reason, sessions, events
        FROM pagefall.changes ORDER BY 1, 2
        """) == """
          1|0|stored|2|3
          1|900|stored|1|3
          1|1800|stored|1|4
          1|2700|stored|1|5
          2|0|stored|1|1
          """)
    #expect(
      try database.psql(
        "SELECT bool_and(changed_hour IN (date_trunc('hour', now(), 'UTC'), date_trunc('hour', now() - interval '1 minute', 'UTC'))) FROM pagefall.changes"
      ) == "t")
    try expectAccount(database)
  }

  @Test func `counts a session once, whoever remembers it, and no repeat, conflict or stranger`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var other = try makeStore(database.connectionString, random: 2)
    let first = TestEvent(session(1), 0)
    try store.store(TestRecord([first, first, TestEvent(session(1), 0, at: testTime + 5)]))
    // Remembered, and asked for.
    try store.store(TestRecord([first, TestEvent(session(1), 1)]))
    try other.store(TestRecord([first, TestEvent(session(1), 2), TestEvent(session(2), 0)]))
    try other.store(TestRecord([TestEvent(session(1), 3), TestEvent(session(2), 0)], app: "stranger"))
    #expect(try account(database) == "stored|2|4")
    try expectAccount(database)
  }

  @Test func `leaves out what has expired`() throws {
    let database = try makeDatabase()
    _ = try database.psql("SELECT pagefall.set_retention_line(to_timestamp(\(testTime / 1_000_000)))")
    var store = try makeStore(database.connectionString)
    let old = testTime - 30 * minute
    #expect(
      try store.store(TestRecord([TestEvent(session(1), 0), TestEvent(session(2, at: old), 0)]))
        == fates(stored: 1, expired: 1))
    #expect(try account(database) == "stored|1|1")
    try expectAccount(database)
  }

  /// Halved under savepoints down to single events, with sessions that lie in several halves.
  @Test(arguments: [[0], [3, 4], [0, 1, 2, 3, 4], [11], Array(0..<12)] as [[Int32]])
  func `leaves out rows that PostgreSQL refuses`(refused: [Int32]) throws {
    let database = try makeDatabase()
    let list = refused.map(String.init).joined(separator: ",")
    _ = try database.psql("ALTER TABLE pagefall.stored_events ADD CHECK (seq NOT IN (\(list)))")
    var store = try makeStore(database.connectionString)
    let events = (0..<12).map {
      TestEvent(session(UInt64($0 / 5), at: testTime + Int64($0 / 5) * 20 * minute), $0, context: [.locale: "de"])
    }
    try store.store(TestRecord(events, received: testTime + 60 * minute))
    let stored = 12 - refused.count
    let sessions = Set(events.filter { !refused.contains($0.seq) }.map { $0.seq / 5 }).count
    #expect(try account(database) == (stored == 0 ? "" : "stored|\(sessions)|\(stored)"))
    try expectAccount(database)
  }

  /// A unique key of somebody's is found by halving, and no row is refused for good.
  @Test func `is right where a batch is stored in halves`() throws {
    let database = try makeDatabase()
    _ = try database.psql(
      """
      CREATE SEQUENCE attempt;
      CREATE FUNCTION sometimes() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempt') < 4 THEN RAISE EXCEPTION 'not now'; END IF; RETURN NULL; END $$;
      CREATE TRIGGER sometimes AFTER INSERT ON pagefall.stored_events FOR EACH STATEMENT EXECUTE FUNCTION sometimes()
      """)
    var store = try makeStore(database.connectionString)
    let events = (0..<16).map { TestEvent(session(UInt64($0 % 3)), $0, context: $0 < 8 ? [:] : [.locale: "de"]) }
    #expect(try store.store(TestRecord(events)) == fates(stored: 16))
    #expect(try account(database) == "stored|3|16")
    #expect(try database.psql("SELECT count(locale) FROM pagefall.sessions") == "3")
    try expectAccount(database)
  }

  @Test(arguments: [CuttingProxy.Cut.beforeCommit, .afterCommit])
  func `counts a batch once whose commit's answer is lost`(cut: CuttingProxy.Cut) throws {
    let database = try makeDatabase()
    let proxy = try CuttingProxy(to: database.connectionString)
    defer { proxy.stop() }
    var store = try makeStore(proxy.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    proxy.cutNext(cut)
    #expect(throws: EventStoreError.self) {
      try store.store(TestRecord([TestEvent(session(1), 1), TestEvent(session(2), 0)]))
    }
    #expect(try store.store() == fates(stored: 2))
    #expect(try account(database) == "stored|2|3")
    try expectAccount(database)
  }

  @Test func `has no trace of a transaction that is rolled back`() throws {
    let database = try makeDatabase()
    _ = try database.psql("ALTER TABLE pagefall.apps ADD CHECK (data_through IS NULL)")
    var store = try makeStore(database.connectionString)
    #expect(throws: EventStoreError.self) { try store.store(TestRecord([TestEvent(session(1), 0)])) }
    #expect(try account(database) == "")
    try expectAccount(database)
  }

  @Test func `calls what a replay stores replayed`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    var replay = try makeStore(database.connectionString, source: .replay, random: 2)
    try replay.store(
      TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1), TestEvent(session(2), 0)]))
    #expect(try account(database) == "replayed|1|2\nstored|1|1")
    try expectAccount(database)
  }

  @Test func `holds starts of the years 1 and 9999, and either side of 1970`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let ends: [Int64] = [-62_135_596_800_000_000, 253_402_300_799_999_999, -1, 0, -900_000_000, -900_000_001]
    let events = ends.enumerated().map { TestEvent(randomSession(UInt64($0.offset)), 0, at: $0.element) }
    #expect(try store.store(TestRecord(events, received: nil)) == fates(stored: 6))
    #expect(
      try database.psql("SELECT quarter AT TIME ZONE 'UTC', events FROM pagefall.changes ORDER BY 1") == """
        0001-01-01 00:00:00|1
        1969-12-31 23:30:00|1
        1969-12-31 23:45:00|2
        1970-01-01 00:00:00|1
        9999-12-31 23:45:00|1
        """)
    try expectAccount(database)
  }

  @Test func `stops a program that does not keep it, and lets people mend a position`() throws {
    let database = try makeDatabase()
    try withExtendedLifetime(database) {
      var connection = try connect(database)
      try connection.executeScript("UPDATE pagefall.spools SET segment = 1")
      do throws(PostgresError) {
        try connection.executeScript("UPDATE pagefall.spools SET segment = 1, updated_at = now()")
        Issue.record("it was not stopped")
      } catch {
        #expect(error.sqlState?.code == "55000")
        #expect(!error.isRetryable)
        #expect(error.description.contains("update pagefall"))
      }
    }
  }
}

@Suite struct `The account of context filled in later` {
  @Test func `counts a session once a batch, and only if it got a value`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    var other = try makeStore(database.connectionString, random: 2)
    try store.store(TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1, context: [.locale: "de"])]))
    #expect(try account(database) == "stored|1|2")
    try other.store(
      TestRecord([
        TestEvent(session(1), 2, context: [.deviceID: "d"]), TestEvent(session(1), 3, context: [.userID: "u"]),
        TestEvent(session(1), 4, context: [.locale: "fr"]),
      ]))
    #expect(try account(database) == "context_filled|1|0\nstored|1|5")
    // The first store does not know that it was filled: its value comes too late.
    try store.store(TestRecord([TestEvent(session(1), 5, context: [.deviceID: "e"])]))
    #expect(try account(database) == "context_filled|1|0\nstored|1|6")
    try store.store(TestRecord([TestEvent(session(1), 6, context: [.deviceID: "e", .storyID: "s"])]))
    #expect(try account(database) == "context_filled|2|0\nstored|1|7")
    // A repeat fills in nothing.
    try store.store(TestRecord([TestEvent(session(1), 6, context: [.appVersion: "1"])]))
    #expect(try account(database) == "context_filled|2|0\nstored|1|7")
    #expect(try database.psql("SELECT device_id, locale, user_id FROM pagefall.sessions") == "d|de|u")
    try expectAccount(database)
  }

  @Test func `leaves out a session that another collector fills at the same moment`() throws {
    let database = try makeDatabase()
    let connectionString = database.connectionString
    var store = try makeStore(connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0), TestEvent(session(2), 0)]))
    var blocker = try connect(database)
    let id = "'\(session(1))'"
    try blocker.executeScript("BEGIN; UPDATE pagefall.sessions SET device_id = 'theirs' WHERE session_id = \(id)")
    let ended = DispatchSemaphore(value: 0)
    let stored = Mutex<FateCounts?>(nil)
    // A thread of its own: a blocked task would take one of the few that tests run on.
    Thread {
      var other = try? makeStore(connectionString, random: 2)
      let counts = try? other?.store(
        TestRecord([
          TestEvent(session(1), 1, context: [.deviceID: "ours"]),
          TestEvent(session(2), 1, context: [.deviceID: "ours"]),
        ]))
      stored.withLock { $0 = counts }
      ended.signal()
    }.start()
    try waitUntil("the other waits for the row") {
      try database.psql(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") == "1"
    }
    try blocker.executeScript("COMMIT")
    #expect(ended.wait(timeout: .now() + .seconds(30)) == .success)
    #expect(stored.withLock { $0 } == fates(stored: 2))
    #expect(
      try database.psql("SELECT device_id FROM pagefall.sessions ORDER BY session_id") == "theirs\nours")
    #expect(try account(database) == "context_filled|1|0\nstored|2|4")
    try expectAccount(database)
  }

  @Test func `a remembered session that is gone is noticed`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    // By the partition's own name, so that nobody tells the store.
    let partition = try database.psql("SELECT tableoid::regclass FROM pagefall.sessions")
    _ = try database.psql("DELETE FROM \(partition)")
    _ = try database.psql("DELETE FROM \(partition.replacing("sessions", with: "stored_events"))")
    #expect(
      try store.store(TestRecord([TestEvent(session(1), 1, context: [.deviceID: "d"])])) == fates(stored: 1))
    #expect(try database.psql("SELECT device_id FROM pagefall.sessions") == "d")
  }
}
