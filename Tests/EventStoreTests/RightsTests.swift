import EventStore
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite(.serialized) struct `Roles with few rights` {
  /// Roles belong to the whole server: made once, of this test's own names.
  private func withRoles(_ body: (TestDatabase, _ ingest: String, _ report: String) throws -> Void) throws {
    let database = try makeDatabase()
    let ingest = "\(database.name)_ingest"
    let report = "\(database.name)_report"
    _ = try database.psql(
      """
      CREATE ROLE \(ingest) LOGIN; CREATE ROLE \(report) LOGIN;
      SELECT pagefall.grant_ingest('\(ingest)'), pagefall.grant_report('\(report)')
      """)
    defer { _ = try? database.psql("DROP OWNED BY \(ingest), \(report); DROP ROLE \(ingest), \(report)") }
    try body(database, ingest, report)
  }

  /// The server lets its own user in only; that user then becomes another.
  private func options(_ database: TestDatabase, as role: String) throws -> ConnectionOptions {
    try ConnectionOptions(database.connectionString, overrides: ["options": "-c role=\(role)"])
  }

  @Test func `the ingest role stores, makes months and keeps house`() throws {
    try withRoles { database, ingest, _ in
      var store = BatchStore(try options(database, as: ingest), source: .file)
      var shown = TestEvent(session(1), 0)
      shown.page = [.title: "A"]
      var record = TestRecord([shown, TestEvent(session(1), 0, at: 1), TestEvent(randomSession(2), 0)])
      record.rejected = [(.invalidJSON, "{")]
      record.drops = [(1, "d")]
      #expect(try store.store(record) == fates(stored: 2, conflicting: 1))
      #expect(
        try store.store(TestRecord([TestEvent(session(1), 1, context: [.storyID: "s"])])) == fates(stored: 1))
      var other = BatchStore(try options(database, as: ingest), source: .file)
      #expect(try other.store(record) == fates(duplicate: 2, conflicting: 1))
      var connection = try PostgresConnection(options(database, as: ingest))
      _ = try database.psql(
        "DELETE FROM pagefall.months WHERE month > now() + interval '1 month'; DROP TABLE IF EXISTS nothing")
      let suffix = try database.psql("SELECT to_char(now() AT TIME ZONE 'UTC' + interval '2 months', 'YYYY_MM')")
      _ = try database.psql("DROP TABLE pagefall.stored_events_\(suffix), pagefall.sessions_\(suffix)")
      #expect(try Housekeeping.run(&connection, maximumRejected: 1).monthsMade == 1)
      #expect(try KeyStore.activeKeys(&connection).isEmpty)
    }
  }

  private static let forbidden = [
    "DELETE FROM pagefall.stored_events", "UPDATE pagefall.stored_events SET seq = 1", "DELETE FROM pagefall.sessions",
    "TRUNCATE pagefall.stored_events", "SELECT pagefall.make_month('2024-01-01')",
    "SELECT pagefall.set_retention_line(now())", "SELECT pagefall.apply_retention()", "DROP TABLE pagefall.rejected",
    "INSERT INTO pagefall.write_keys (key_hash, prefix, app_id, access_right) VALUES (sha256('a'), 'x', 1, 'ingest')",
    "UPDATE pagefall.settings SET epoch = 0", "CREATE TABLE pagefall.mine (a int)",
    "SELECT pagefall.grant_report('pagefall')",
  ]

  @Test func `the ingest role can do no more`() throws {
    try withRoles { database, ingest, _ in
      var connection = try PostgresConnection(options(database, as: ingest))
      for statement in Self.forbidden {
        do throws(PostgresError) {
          try connection.executeScript(statement)
          Issue.record("it could: \(statement)")
        } catch {
          #expect(error.sqlState == .insufficientPrivilege, "\(statement)")
        }
      }
    }
  }

  @Test func `the report role reads everything but keys, and writes nothing`() throws {
    try withRoles { database, _, report in
      var store = try makeStore(database.connectionString)
      try store.store(TestRecord([TestEvent(session(1), 0), TestEvent(randomSession(2), 0)]))
      var connection = try PostgresConnection(options(database, as: report))
      let events = try connection.execute("SELECT count(*), count(app) FROM events")
      let counted: Int64 = try events[0, 1]
      #expect(counted == 2)
      for table in ["story_sessions", "pagefall.rejected", "pagefall.story_pages", "pagefall.event_fates"] {
        try connection.execute("SELECT * FROM \(table)")
      }
      for statement in [
        "SELECT * FROM pagefall.write_keys", "DELETE FROM pagefall.rejected", "SELECT pagefall.make_months()",
      ] {
        #expect(throws: PostgresError.self) { try connection.executeScript(statement) }
      }
    }
  }
}
