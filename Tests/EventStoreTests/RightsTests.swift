import Postgres
import StoryEvents
import TestSupport
import Testing

@testable import EventStore

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

  /// A replay with everything that one may do, of a session of this number.
  private func replay(_ number: UInt64, _ options: ConnectionOptions) throws(EventStoreError) {
    var shown = TestEvent(session(number), 0)
    shown.page = [.title: "\(number)"]
    var first = TestRecord([shown, TestEvent(session(number), 0, at: 1)])
    first.rejected = [(.invalidJSON, "{\(number)")]
    let second = TestRecord([TestEvent(session(number), 1, context: [.storyID: "s"])])
    var store = BatchStore(options, source: .replay)
    for record in [first, second, TestRecord([TestEvent(session(number), 0)], app: "app \(number)")] {
      do { try record.bytes.withUnsafeBytes { try store.add($0) } } catch { throw EventStoreError(wrapping: error) }
      _ = try store.storeReplayed()
    }
    do {
      var connection = try PostgresConnection(options)
      let entries = try RejectedStore.list(RejectedFilter(), limit: 9, &connection).entries
      let reason = RejectedReason(code: "invalid_seq", field: "seq", message: "m")
      try RejectedStore.update(entries.map { ($0.key, reason) }, &connection)
      try RejectedStore.remove(entries.map(\.key), &connection)
      var cursor = try RejectedStore.begin(keys: nil, &connection)
      _ = try RejectedStore.nextPage(RejectedFilter(), &cursor, &connection)
    } catch {
      throw EventStoreError(wrapping: error)
    }
    store.finish()
  }

  /// Takes each right of a table from the ingest role, one at a time.
  @Test func `a role that may not do all that a replay does is told so before it begins`() throws {
    try withRoles { database, ingest, report in
      func mayReplay(_ role: String) throws -> Bool {
        var connection = try PostgresConnection(options(database, as: role))
        return try RejectedStore.mayReplay(&connection)
      }
      #expect(try mayReplay(ingest))
      #expect(try !mayReplay(report))
      let rights = try database.psql(
        """
        SELECT a.privilege_type, 'pagefall.' || c.relname FROM pg_class c CROSS JOIN aclexplode(c.relacl) a
        WHERE a.grantee = '\(ingest)'::regrole AND c.relkind IN ('r', 'p') ORDER BY 2, 1
        """
      ).split(separator: "\n").map { $0.split(separator: "|").map(String.init) }
      #expect(rights.count > 30)
      var number: UInt64 = 100
      var needless: Set<String> = []
      for right in rights {
        _ = try database.psql("REVOKE \(right[0]) ON \(right[1]) FROM \(ingest)")
        if try mayReplay(ingest) {
          number += 1
          needless.insert(right[1])
          #expect(throws: Never.self, "\(right)") { try replay(number, options(database, as: ingest)) }
        }
        _ = try database.psql("GRANT \(right[0]) ON \(right[1]) TO \(ingest)")
      }
      #expect(
        needless == [
          "pagefall.device_drops", "pagefall.months", "pagefall.notification_buttons",
          "pagefall.notification_categories",
          "pagefall.rejected_removed", "pagefall.stored_batches", "pagefall.unreadable_records", "pagefall.write_keys",
        ])
    }
  }

  private static let forbidden = [
    "DELETE FROM pagefall.stored_events", "UPDATE pagefall.stored_events SET seq = 1", "DELETE FROM pagefall.sessions",
    "TRUNCATE pagefall.stored_events", "SELECT pagefall.make_month('2024-01-01')",
    "SELECT pagefall.set_retention_line(now())", "SELECT pagefall.apply_retention()", "DROP TABLE pagefall.rejected",
    "INSERT INTO pagefall.write_keys (key_hash, prefix, app_id, access_right) VALUES (sha256('a'), 'x', 1, 'ingest')",
    "UPDATE pagefall.settings SET epoch = 0", "CREATE TABLE pagefall.mine (a int)",
    "SELECT pagefall.grant_report('pagefall')", "SELECT pagefall.erase_sessions('{}')", "DELETE FROM pagefall.changes",
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
      for table in [
        "story_sessions", "pagefall.rejected", "pagefall.story_pages", "pagefall.event_fates", "pagefall.changes",
        "pagefall.stored_batches", "pagefall.notification_categories", "pagefall.notification_buttons",
      ] {
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
