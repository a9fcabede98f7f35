import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

private let minute: Int64 = 60_000_000
private let day: Int64 = 86_400_000_000

@Suite struct `The account of what is removed` {
  /// Six sessions of one to six events, two a quarter, one of them without a time in its id.
  private func makeFilledDatabase() throws -> TestDatabase {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(
      TestRecord(
        (0..<6).flatMap { (number: Int64) in
          let start = testTime + number / 2 * 15 * minute
          let id = number == 5 ? randomSession(5) : session(UInt64(number), at: start)
          return (0...Int32(number)).map {
            TestEvent(id, $0, at: start, context: [.deviceID: number % 2 == 0 ? "even" : "odd"])
          }
        }, received: testTime + 60 * minute))
    try expectAccount(database)
    return database
  }

  private static let erasures: [(how: String, sessions: Int, events: Int)] = [
    ("SELECT pagefall.erase_sessions(ARRAY(SELECT session_id FROM story_sessions WHERE device_id = 'odd'))", 3, 12),
    (
      "SELECT pagefall.erase_sessions(ARRAY['\(session(1))', '\(session(1))', NULL, '\(randomSession(77))']::uuid[])",
      1, 2
    ),
    ("SELECT pagefall.erase_sessions('{}'), pagefall.erase_sessions(NULL)", 0, 0),
    ("DELETE FROM pagefall.stored_events WHERE seq = 2", 0, 4),
    ("DELETE FROM pagefall.stored_events; DELETE FROM pagefall.sessions", 6, 21),
    ("DELETE FROM pagefall.sessions; DELETE FROM pagefall.stored_events", 6, 21),
    ("BEGIN; DELETE FROM pagefall.sessions; DELETE FROM pagefall.stored_events; COMMIT", 6, 21),
    ("DELETE FROM pagefall.sessions WHERE device_id = 'even'", 3, 9),
    ("TRUNCATE pagefall.stored_events, pagefall.sessions", 6, 21),
    ("TRUNCATE pagefall.sessions, pagefall.stored_events", 6, 21),
    ("TRUNCATE pagefall.sessions", 6, 21),
    ("TRUNCATE pagefall.stored_events", 0, 21),
    (
      "DELETE FROM pagefall.stored_events WHERE seq = 2; TRUNCATE pagefall.stored_events; TRUNCATE pagefall.sessions",
      6, 21
    ),
    ("DELETE FROM pagefall.sessions WHERE false; DELETE FROM pagefall.stored_events WHERE false", 0, 0),
    ("BEGIN; DELETE FROM pagefall.stored_events; TRUNCATE pagefall.sessions; ROLLBACK", 0, 0),
  ]

  @Test(arguments: erasures.indices)
  func `says what is erased, in each quarter, whichever way`(index: Int) throws {
    let (how, sessions, events) = Self.erasures[index]
    let database = try makeFilledDatabase()
    _ = try database.psql(how)
    let erased = sessions + events == 0 ? "" : "erased|\(sessions)|\(events)\n"
    #expect(try account(database) == erased + "stored|6|21", "\(how)")
    try expectAccount(database)
  }

  /// Each trigger would see the end of both.
  @Test(arguments: [
    "WITH gone AS (DELETE FROM pagefall.stored_events) DELETE FROM pagefall.sessions",
    "WITH gone AS (DELETE FROM pagefall.sessions RETURNING session_id) DELETE FROM pagefall.stored_events e USING gone g WHERE g.session_id = e.session_id",
  ])
  func `cannot be got round by one statement that deletes events and sessions`(how: String) throws {
    let database = try makeFilledDatabase()
    #expect(throws: (any Error).self) { try database.psql(how) }
    _ = try database.psql(
      "BEGIN; SAVEPOINT a; DELETE FROM pagefall.sessions; ROLLBACK TO a; DELETE FROM pagefall.stored_events; COMMIT")
    #expect(try account(database) == "erased|0|21\nstored|6|21")
    try expectAccount(database)
  }

  @Test func `goes on after an erasure, and a store that remembered the sessions makes them anew`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let record = TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1), TestEvent(session(2), 0)])
    try store.store(record)
    #expect(try database.psql("SELECT pagefall.erase_sessions(ARRAY['\(session(1))']::uuid[])") == "1")
    #expect(try database.psql("SELECT count(*) FROM events") == "1")
    #expect(try store.store(record) == fates(stored: 2, duplicate: 1))
    #expect(try account(database) == "erased|1|2\nstored|3|5")
    try expectAccount(database)
  }

  @Test func `counts what retention removes, of whole months and of parts, once and not as erased`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let old = testTime - 70 * day
    _ = try database.psql("SELECT pagefall.make_month(to_timestamp(\(old / 1_000_000))::date)")
    let line = testTime - 5 * day
    // In the dropped month: kept for its corrected start; removed, two apps.
    try store.store(TestRecord([TestEvent(session(1, at: old), 0)], received: testTime, sent: old))
    try store.store(TestRecord([TestEvent(session(2, at: old), 0), TestEvent(session(2, at: old), 1)], received: old))
    try store.store(TestRecord([TestEvent(session(3, at: old), 0)], app: "other", received: old))
    // In the other partitions: ids without a time, a month that has no partition, the line's own month.
    try store.store(TestRecord([TestEvent(randomSession(4), 0, at: old)], received: old))
    try store.store(TestRecord([TestEvent(session(5, at: old - 300 * day), 0)], received: old - 300 * day))
    try store.store(TestRecord([TestEvent(session(6, at: line - 1000), 0)], received: line))
    try store.store(TestRecord([TestEvent(session(7, at: line), 0)], received: line))
    try store.store(TestRecord([TestEvent(randomSession(8), 0), TestEvent(session(9), 0)]))
    try expectAccount(database)
    _ = try database.psql("SELECT pagefall.set_retention_line(to_timestamp(\(line / 1_000_000)))")
    _ = try database.psql("BEGIN; SELECT pagefall.apply_retention(); ROLLBACK")
    #expect(try account(database) == "stored|9|10")
    #expect(try database.psql("SELECT pagefall.apply_retention()") == "6")
    #expect(try account(database) == "retained|5|6\nstored|9|10")
    try expectAccount(database)
    #expect(try database.psql("SELECT sum(sessions), sum(events) FROM pagefall.retention_removed") == "5|6")
    #expect(try database.psql("SELECT pagefall.apply_retention()") == "0")
    #expect(try account(database) == "retained|5|6\nstored|9|10")
  }

  @Test func `has no part in the making of a month`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    let old = testTime - 300 * day
    try store.store(
      TestRecord([TestEvent(session(1, at: old), 0), TestEvent(session(2, at: old), 0)], received: old))
    _ = try database.psql("SELECT pagefall.make_month(to_timestamp(\(old / 1_000_000))::date)")
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_events_default") == "0")
    #expect(try account(database) == "stored|2|2")
    try expectAccount(database)
    let suffix = try database.psql("SELECT to_char(to_timestamp(\(old / 1_000_000)), 'YYYY_MM')")
    #expect(
      try database.psql(
        "SELECT count(*) FROM pg_indexes WHERE tablename = 'sessions_\(suffix)' AND indexdef LIKE '%(started_at, story_id)%'"
      )
        == "1")
  }
}

@Suite struct `Migrating to the account of changes` {
  /// A database as the program of before made it.
  private func makeOldDatabase() throws -> TestDatabase {
    let database = try TestDatabase()
    let parts = Migrator.printSQL().split(separator: "\n-- 0006_changes\n", maxSplits: 1)
    _ = try database.psql(String(parts[0]))
    return database
  }

  @Test func `what is stored already is counted, by its arrival`() throws {
    let database = try makeOldDatabase()
    _ = try database.psql(
      """
      INSERT INTO pagefall.apps (name) VALUES ('shop'), ('other');
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags)
      SELECT md5(n::text)::uuid, 1 + n % 2, start, '2026-03-01 10:59:59.999999Z'::timestamptz + n * interval '10 minutes', 0, 0
      FROM unnest(ARRAY['0001-01-01 00:14:59.999999Z', '9999-12-31 23:59:59.999999Z', '4000-02-03 00:15:00Z BC',
        '290000-01-01 00:44:59.999999Z', '1969-12-31 23:59:59.999999Z', '2026-03-01 10:14:59.999999Z',
        '2026-03-01 10:14:59.999999Z', '2026-03-01 10:15:00Z']::timestamptz[]) WITH ORDINALITY AS v(start, n);
      INSERT INTO pagefall.stored_events (session_id, seq, type, at)
      SELECT session_id, seq, 2, now() FROM pagefall.sessions, generate_series(1, app_id) seq;
      DELETE FROM pagefall.stored_events WHERE session_id = md5('3')::uuid
      """)
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    #expect(try Migrator.migrate(&connection).first?.name == "0006_changes")
    #expect(try account(database) == "stored|8|10")
    #expect(
      try database.psql(
        "SELECT sum(sessions), sum(events) FROM pagefall.changes WHERE changed_hour = '2026-03-01 11:00:00Z'") == "6|7")
    try expectAccount(database)
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    try expectAccount(database)
    #expect(try database.psql("SELECT count(DISTINCT database_id), count(*) FROM pagefall.settings") == "1|1")
  }

  @Test func `roles that load or read go on doing so`() throws {
    let database = try makeOldDatabase()
    let (ingest, report, neither) = ("\(database.name)_in", "\(database.name)_out", "\(database.name)_no")
    _ = try database.psql(
      """
      CREATE ROLE \(ingest); CREATE ROLE \(report); CREATE ROLE \(neither);
      SELECT pagefall.grant_ingest('\(ingest)'), pagefall.grant_report('\(report)')
      """)
    defer {
      _ = try? database.psql(
        "DROP OWNED BY \(ingest), \(report), \(neither); DROP ROLE \(ingest), \(report), \(neither)")
    }
    var connection = try connect(database)
    try Migrator.migrate(&connection)
    let rights = try database.psql(
      """
      SELECT r, p, has_table_privilege(r, 'pagefall.changes', p)
      FROM unnest(ARRAY['\(ingest)', '\(report)', '\(neither)']) r, unnest(ARRAY['SELECT', 'UPDATE', 'DELETE']) p
      """)
    #expect(
      rights.replacing(database.name, with: "") == """
        _in|SELECT|t
        _in|UPDATE|t
        _in|DELETE|f
        _out|SELECT|t
        _out|UPDATE|f
        _out|DELETE|f
        _no|SELECT|f
        _no|UPDATE|f
        _no|DELETE|f
        """)
  }
}
