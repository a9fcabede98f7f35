import EventStore
import Foundation
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `Commits that go wrong` {
  @Test(arguments: [CuttingProxy.Cut.beforeCommit, .afterCommit])
  func `a commit whose answer is lost is found out, and nothing is doubled or lost`(cut: CuttingProxy.Cut) throws {
    let database = try makeDatabase()
    let proxy = try CuttingProxy(to: database.connectionString)
    defer { proxy.stop() }
    var store = try makeStore(proxy.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    proxy.cutNext(cut)
    var record = TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1)])
    record.rejected = [(.invalidJSON, "{")]
    do {
      try store.store(record)
      Issue.record("the lost answer was not noticed")
    } catch let error as EventStoreError {
      #expect(error.isRetryable)
    }
    let kept = store.eventCount
    #expect(kept == 2)
    #expect(try store.store() == fates(stored: 1, duplicate: 1))
    let isEmpty = store.isEmpty
    #expect(isEmpty)
    #expect(try store.store(record) == fates(duplicate: 2))
    #expect(
      try database.psql("SELECT fate, events FROM pagefall.event_fates ORDER BY 1") == "duplicate|3\nstored|2")
    #expect(try database.psql("SELECT count FROM pagefall.rejected") == "2")
  }

  @Test func `a commit that is still under way when it is done again is waited for`() throws {
    let database = try makeDatabase()
    let proxy = try CuttingProxy(to: database.connectionString)
    defer { proxy.stop() }
    var store = try makeStore(proxy.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    _ = try database.psql(
      """
      CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER slow AFTER UPDATE ON pagefall.spools DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        EXECUTE FUNCTION slow()
      """)
    proxy.cutNext(.duringCommit)
    #expect(throws: EventStoreError.self) {
      try store.store(TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1)]))
    }
    #expect(try database.psql("SELECT count(*) FROM events") == "1")
    #expect(try store.store() == fates(stored: 1, duplicate: 1))
    #expect(try database.psql("SELECT count(*) FROM events") == "2")
    #expect(try database.psql("SELECT sum(events) FROM pagefall.event_fates") == "3")
    #expect(try store.store(TestRecord([TestEvent(session(1), 2)])) == fates(stored: 1))
  }

  /// Into the tables themselves, or behind a pooler: the connection goes on.
  @Test func `a backup that is restored under an open connection leaves nothing remembered`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(quietRecord([TestEvent(session(1), 0), TestEvent(session(2), 0), TestEvent(session(2), 1)]))
    let tables = ["spools", "stored_events", "sessions", "event_fates", "changes", "stored_batches"]
    _ = try database.psql(tables.map { "CREATE TABLE backup_\($0) AS TABLE pagefall.\($0)" }.joined(separator: ";"))
    // What it forgets: an event, a session, and that the history of another is null.
    let later = quietRecord([TestEvent(session(1), 1), TestEvent(session(2), 2), TestEvent(session(3), 0)])
    try store.store(later)
    let columns = "spool_id, kind, segment, \"offset\", created_at, updated_at"
    _ = try database.psql(
      "BEGIN; SET LOCAL session_replication_role = replica; "
        + tables.map { table in
          table == "stored_batches"
            ? "DELETE FROM pagefall.\(table) WHERE batch_id NOT IN (SELECT batch_id FROM backup_\(table))"
            : "DELETE FROM pagefall.\(table); INSERT INTO pagefall.\(table) SELECT \(table == "spools" ? columns : "*") "
              + "FROM backup_\(table)"
        }.joined(separator: "; ") + "; COMMIT")
    do {
      try store.store(quietRecord([TestEvent(session(1), 2)]))
      Issue.record("the moved position was not noticed")
    } catch let error as EventStoreError {
      guard case .positionMoved = error else { throw error }
    }
    store.discard()
    #expect(try store.store(later) == fates(stored: 3))
    #expect(try store.store(quietRecord([TestEvent(session(1), 2)])) == fates(stored: 1))
    #expect(try database.psql("SELECT count(*), count(DISTINCT session_id) FROM events") == "7|3")
    try expectHistories(database)
    try expectAccount(database)
  }

  @Test func `a backend killed in the middle of a batch costs only a repetition`() throws {
    let database = try makeDatabase()
    // The last statement before COMMIT that writes a table.
    _ = try database.psql(
      """
      CREATE TABLE attempts (n int);
      CREATE SEQUENCE attempt;
      CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('attempt') < 4 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NULL; END $$;
      CREATE TRIGGER die AFTER INSERT ON pagefall.event_fates FOR EACH STATEMENT EXECUTE FUNCTION die()
      """)
    var store = try makeStore(database.connectionString)
    let record = TestRecord([TestEvent(session(1), 0), TestEvent(session(1), 1)])
    for _ in 0..<3 {
      do {
        try record.bytes.withUnsafeBytes { if store.isEmpty { try store.add($0) } }
        try store.store()
        Issue.record("the killed backend was not noticed")
      } catch let error as EventStoreError {
        #expect(error.isRetryable)
        #expect(try database.psql("SELECT count(*) FROM events") == "0")
      }
    }
    #expect(try store.store() == fates(stored: 2))
    #expect(try database.psql("SELECT fate, events FROM pagefall.event_fates") == "stored|2")
  }

  @Test func `a database that is not migrated says so, and takes the batch afterwards`() throws {
    let database = try TestDatabase()
    var store = try makeStore(database.connectionString)
    do {
      try store.store(TestRecord([TestEvent(session(1), 0)]))
      Issue.record("there are no tables")
    } catch let error as EventStoreError {
      #expect(error.description.contains("pagefall database migrate"))
    }
    var connection = try connect(database)
    try Migrator.migrate(&connection)
    #expect(try store.store() == fates(stored: 1))
  }

  @Test func `a finished run of ingest leaves no position behind`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    #expect(try database.psql("SELECT kind, \"offset\" FROM pagefall.spools") == "file|1")
    store.finish()
    #expect(try database.psql("SELECT count(*) FROM pagefall.spools") == "0")
    #expect(try store.store(TestRecord([TestEvent(session(1), 1)])) == fates(stored: 1))
  }

  @Test func `a replay counts its fates under a name of its own, and leaves no position behind either`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString, source: .replay)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    #expect(try database.psql("SELECT source, fate, events FROM pagefall.event_fates") == "replay|stored|1")
    #expect(try database.psql("SELECT kind, \"offset\" FROM pagefall.spools") == "file|1")
    store.finish()
    #expect(try database.psql("SELECT count(*) FROM pagefall.spools") == "0")
  }

  @Test func `a lost database in the middle of a run of ingest is not taken for an empty one`() throws {
    let database = try makeDatabase()
    var store = try makeStore(database.connectionString)
    try store.store(TestRecord([TestEvent(session(1), 0)]))
    _ = try database.psql(
      "DELETE FROM pagefall.spools; SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    #expect(throws: EventStoreError.self) { try store.store(TestRecord([TestEvent(session(1), 1)])) }
    #expect(throws: EventStoreError.self) { try store.store() }
  }
}
