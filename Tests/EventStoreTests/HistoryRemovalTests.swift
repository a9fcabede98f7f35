import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

private let day: Int64 = 86_400_000_000

@Suite struct `A history and what people do by hand` {
  /// Six sessions of one to six events.
  private func events() -> [TestEvent] {
    (0..<6 as Range<UInt64>).flatMap { number in
      (0...Int32(number)).map {
        TestEvent(number == 5 ? randomSession(5) : session(number), $0, context: [.deviceID: "d\(number % 2)"])
      }
    }
  }

  /// What is done, and how many sessions have a history afterwards.
  private static let deeds: [(how: String, packed: String)] = [
    ("DELETE FROM pagefall.stored_events WHERE seq = 2", "6|2"),
    ("DELETE FROM pagefall.stored_events", "6|0"),
    ("DELETE FROM pagefall.stored_events WHERE false", "6|6"),
    ("UPDATE pagefall.stored_events SET at = at + interval '1 second' WHERE seq = 4", "6|4"),
    ("UPDATE pagefall.stored_events SET seq = 77 WHERE seq = 5", "6|5"),
    (
      "UPDATE pagefall.stored_events SET session_id = '\(session(0))', seq = 9 WHERE session_id = '\(session(1))' AND seq = 1",
      "6|4"
    ),
    (
      // From one partition to another.
      """
      UPDATE pagefall.stored_events SET session_id = pagefall.stored_session_id('\(randomSession(5))'), seq = 9
      WHERE session_id = '\(session(1))' AND seq = 1
      """, "6|4"
    ),
    (
      // To a session that has no row.
      "UPDATE pagefall.stored_events SET session_id = '\(session(5))' WHERE session_id = '\(session(1))' AND seq = 1",
      "6|5"
    ),
    ("BEGIN; DELETE FROM pagefall.stored_events; ROLLBACK", "6|6"),
    ("TRUNCATE pagefall.stored_events", "6|0"),
    ("TRUNCATE pagefall.stored_events, pagefall.sessions", "0|0"),
    ("TRUNCATE pagefall.sessions", "0|0"),
    ("DELETE FROM pagefall.sessions WHERE device_id = 'd1'", "3|3"),
    ("DELETE FROM pagefall.sessions; DELETE FROM pagefall.stored_events", "0|0"),
    ("SELECT pagefall.erase_sessions(ARRAY(SELECT session_id FROM story_sessions WHERE device_id = 'd1'))", "3|3"),
    (
      """
      BEGIN; DELETE FROM pagefall.stored_events WHERE session_id = '\(session(2))' AND seq = 0;
      DELETE FROM pagefall.sessions WHERE session_id = '\(session(2))'; COMMIT
      """, "5|5"
    ),
  ]

  /// Then half of it comes again, and all of it, with other events: from stores that remember, and from one that does not.
  @Test(arguments: deeds.indices)
  func `is right after it, and when the events come again`(index: Int) throws {
    let (how, expected) = Self.deeds[index]
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(quietRecord(events()))
    #expect(try packed(database) == "6|6")
    _ = try database.psql(how)
    #expect(try packed(database) == expected, "\(how)")
    try expectHistories(database)
    try store.store(quietRecord(events().filter { $0.seq % 2 == 1 }))
    try expectHistories(database)
    var other = try makeStore(database.connectionString, random: 2)
    try other.store(quietRecord((0..<8).map { TestEvent(session($0), 20) } + [TestEvent(randomSession(5), 20)]))
    try expectHistories(database)
    try pack(database)
    try expectHistories(database)
    try store.store(quietRecord(events()))
    try expectHistories(database)
    try pack(database)
    try expectHistories(database)
    #expect(try database.psql("SELECT count(*) FROM pagefall.sessions WHERE history IS NULL AND flags = 0") == "0")
  }

  /// A session that comes again while its old events are there has more than come with it.
  @Test func `is not made of a session that was deleted while its events stayed, until it is packed`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let state = "SELECT has_loose_events, (SELECT count(*) FROM pagefall.loose_sessions) FROM pagefall.settings"
    try store.store(quietRecord(events()))
    _ = try database.psql("DELETE FROM pagefall.sessions WHERE session_id IN ('\(session(2))', '\(session(3))')")
    #expect(try database.psql(state) == "t|2")
    try store.store(quietRecord([TestEvent(session(2), 50), TestEvent(session(8), 0)]))
    #expect(try packed(database) == "6|4")
    #expect(try pack(database) == 2)
    #expect(try packed(database) == "6|6")
    try expectHistories(database)
    #expect(try database.psql(state) == "t|1")
    _ = try database.psql("DELETE FROM pagefall.stored_events WHERE session_id = '\(session(3))' AND seq = 0")
    #expect(try database.psql(state) == "t|1")
    _ = try database.psql("DELETE FROM pagefall.stored_events WHERE session_id = '\(session(3))'")
    #expect(try database.psql(state) == "f|0")
    try store.store(quietRecord([TestEvent(session(9), 0)]))
    #expect(try packed(database) == "7|7")
    _ = try database.psql("TRUNCATE pagefall.sessions")
    #expect(try database.psql(state) == "t|1")
    try store.store(quietRecord([TestEvent(session(9), 1)]))
    #expect(try packed(database) == "1|0")
    _ = try database.psql("DELETE FROM pagefall.stored_events")
    #expect(try database.psql(state) == "f|0")
    try expectHistories(database)
  }

  @Test func `is made at once again when the month goes that loose events lie in`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let state = "SELECT has_loose_events, (SELECT count(*) FROM pagefall.loose_sessions) FROM pagefall.settings"
    let old = testTime - 200 * day
    _ = try database.psql("SELECT pagefall.make_month(to_timestamp(\(old / 1_000_000))::date)")
    try store.store(
      TestRecord([1, 2].map { TestEvent(session($0, at: old), 0) }, received: old + 3_600_000_000),
      quietRecord([TestEvent(session(3), 0)]))
    _ = try database.psql("DELETE FROM pagefall.sessions WHERE session_id <> '\(session(2, at: old))'")
    #expect(try database.psql(state) == "t|2")
    let retention =
      "SELECT pagefall.set_retention_line(to_timestamp(\((testTime - 100 * day) / 1_000_000))), pagefall.apply_retention()"
    _ = try database.psql(retention)
    #expect(try database.psql(state) == "t|1")
    _ = try database.psql("DELETE FROM pagefall.stored_events")
    #expect(try database.psql(state) == "f|0")
    // Where all sessions went, their events have to go, all of them.
    _ = try database.psql(
      "SELECT pagefall.set_retention_line(NULL), pagefall.make_month(to_timestamp(\(old / 1_000_000))::date)")
    try store.store(TestRecord([TestEvent(session(4, at: old), 0)], received: old + 3_600_000_000))
    _ = try database.psql("TRUNCATE pagefall.sessions")
    #expect(try database.psql(state) == "t|1")
    _ = try database.psql(retention)
    #expect(try database.psql(state) == "f|0")
    try store.store(quietRecord([TestEvent(session(5), 0)]))
    #expect(try packed(database) == "1|1")
    try expectHistories(database)
  }

  @Test func `goes with its session into a month, and stays what it is when a month goes`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let old = testTime - 200 * day
    func end(_ number: UInt64, _ seq: Int32, at: Int64) -> TestEvent {
      var event = TestEvent(session(number, at: old), seq, at: at)
      event.type = .finish
      return event
    }
    // In no month yet; one of them starts today by its corrected clock.
    try store.store(
      TestRecord(
        [TestEvent(session(1, at: old), 0, at: old), end(1, 1, at: old)], received: old))
    try store.store(TestRecord([end(2, 0, at: testTime)], received: testTime, sent: old))
    try store.store(TestRecord([TestEvent(session(3, at: old), 0)], received: old))
    try store.store(TestRecord([TestEvent(session(3, at: old), 1)], received: old))
    let suffix = try database.psql("SELECT to_char(to_timestamp(\(old / 1_000_000)), 'YYYY_MM')")
    _ = try database.psql("SELECT pagefall.make_month(to_timestamp(\(old / 1_000_000))::date)")
    #expect(try database.psql("SELECT count(*), count(history) FROM pagefall.sessions_\(suffix)") == "3|2")
    try expectHistories(database)
    try store.store(TestRecord([TestEvent(session(1, at: old), 2)], received: old))
    #expect(try packed(database) == "3|1")
    #expect(try pack(database) == 2)
    try expectHistories(database)
    _ = try database.psql(
      "SELECT pagefall.set_retention_line(to_timestamp(\((testTime - 5 * day) / 1_000_000))), pagefall.apply_retention()"
    )
    #expect(try packed(database) == "1|1")
    try expectHistories(database)
    try store.store(TestRecord([TestEvent(session(2, at: old), 1)], received: testTime, sent: old))
    #expect(try packed(database) == "1|0")
    try expectHistories(database)
  }

  /// What was stored since the transaction began would stay behind without a session, or go unseen with its month.
  @Test(
    arguments: [
      "TRUNCATE pagefall.stored_events", "DELETE FROM pagefall.stored_events", "DELETE FROM pagefall.sessions",
      "UPDATE pagefall.stored_events SET seq = seq + 1", "SELECT pagefall.erase_sessions(ARRAY[gen_random_uuid()])",
      "SELECT pagefall.apply_retention()",
    ], ["REPEATABLE READ", "SERIALIZABLE"])
  func `is safe from what is done in an isolation that does not see all`(deed: String, isolation: String) throws {
    let database = try makeDatabase()
    var connection = try connect(database)
    do throws(PostgresError) {
      try connection.executeScript("BEGIN ISOLATION LEVEL \(isolation); SELECT 1; \(deed)")
      Issue.record("it was not stopped")
    } catch {
      #expect(error.sqlState?.code == "25001" && error.description.contains("READ COMMITTED"))
    }
    withExtendedLifetime(database) {}
  }

  @Test func `is safe from a program that knows of no histories`() throws {
    let database = try makeDatabase()
    var connection = try connect(database)
    do throws(PostgresError) {
      try connection.executeScript(
        """
        BEGIN; SELECT set_config('pagefall.keeps_account', 'changes', true);
        UPDATE pagefall.spools SET segment = 1, updated_at = now()
        """)
      Issue.record("it was not stopped")
    } catch {
      #expect(error.sqlState?.code == "55000" && error.description.contains("update pagefall"))
    }
    withExtendedLifetime(database) {}
  }
}

@Suite struct `Migrating to histories` {
  @Test func `what is stored already is packed later, and roles go on doing what they did`() throws {
    let database = try TestDatabase()
    let parts = Migrator.printSQL().split(separator: "\n-- 0009_histories\n", maxSplits: 1)
    _ = try database.psql(String(parts[0]))
    let (ingest, report, neither) = ("\(database.name)_in", "\(database.name)_out", "\(database.name)_no")
    _ = try database.psql(
      """
      CREATE ROLE \(ingest); CREATE ROLE \(report); CREATE ROLE \(neither);
      SELECT pagefall.grant_ingest('\(ingest)'), pagefall.grant_report('\(report)');
      INSERT INTO pagefall.apps (name) VALUES ('shop');
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags)
      SELECT md5(n::text)::uuid, 1, now(), now() - interval '1 hour', 0, 0 FROM generate_series(1, 3) n;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at) SELECT md5(n::text)::uuid, 0, 2, now()
      FROM generate_series(2, 4) n
      """)
    defer {
      _ = try? database.psql(
        "DROP OWNED BY \(ingest), \(report), \(neither); DROP ROLE \(ingest), \(report), \(neither)")
    }
    var connection = try connect(database)
    #expect(try Migrator.migrate(&connection).first?.name == "0009_histories")
    #expect(try packed(database) == "3|0")
    // The fourth has events and no row.
    #expect(try database.psql("SELECT has_loose_events FROM pagefall.settings") == "t")
    let rights = try database.psql(
      """
      SELECT r, f, has_function_privilege(r, 'pagefall.' || f, 'EXECUTE')
      FROM unnest(ARRAY['\(ingest)', '\(report)', '\(neither)']) r, unnest(ARRAY['packed_history(uuid)',
        'pack_histories(integer, interval)']) f
      WHERE f NOT LIKE 'packed%' OR r <> '\(neither)'
      ORDER BY r COLLATE "C", f COLLATE "C"
      """)
    #expect(
      rights.replacing(database.name, with: "") == """
        _in|pack_histories(integer, interval)|t
        _in|packed_history(uuid)|t
        _no|pack_histories(integer, interval)|f
        _out|pack_histories(integer, interval)|f
        _out|packed_history(uuid)|t
        """)
    var asIngest = try connect(database, overrides: ["options": "-c role=\(ingest)"])
    #expect(try Housekeeping.run(&asIngest).sessionsPacked == 3)
    #expect(try packed(database) == "3|2")
    try expectHistories(database)
    var asReport = try connect(database, overrides: ["options": "-c role=\(report)"])
    let unpacked = try asReport.execute(
      "SELECT count(coalesce(s.history, pagefall.packed_history(s.session_id))) FROM pagefall.sessions s")
    #expect(try unpacked[0, 0] == 2 as Int64)
    var store = BatchStore(
      try ConnectionOptions(database.connectionString, overrides: ["options": "-c role=\(ingest)"]), source: .file)
    for title in ["A", "B"] {
      var shown = TestEvent(session(title == "A" ? 1 : 2), 0)
      shown.page = [.title: title]
      #expect(try store.store(quietRecord([shown])) == fates(stored: 1))
    }
    #expect(try asReport.execute("SELECT count(*) FROM pagefall.stored_batches")[0, 0] == 2 as Int64)
    #expect(try asReport.execute("SELECT count(*) FROM pagefall.story_page_changes")[0, 0] == 1 as Int64)
  }
}
