import EventStore
import Foundation
import Postgres
import StoryEvents
import TestSupport
import Testing

@Suite struct `Migrating the tables` {
  @Test func `an empty database is missing all, and up to date afterwards`() throws {
    let database = try TestDatabase()
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    #expect(try Migrator.status(&connection) == .missing)
    #expect(try Migrator.plan(&connection).count == Migrator.latestVersion)
    let applied = try Migrator.migrate(&connection)
    #expect(applied.map(\.version) == Array(1...Migrator.latestVersion))
    #expect(try Migrator.status(&connection) == .upToDate)
    #expect(try Migrator.migrate(&connection).isEmpty)
    #expect(try database.psql("SELECT count(*) FROM events") == "0")
  }

  @Test func `the printed SQL makes the same tables`() throws {
    let database = try TestDatabase()
    _ = try database.psql(Migrator.printSQL())
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    #expect(try Migrator.status(&connection) == .upToDate)
  }

  @Test func `a database that lacks a migration is behind, and gets only that one`() throws {
    let database = try TestDatabase()
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    let last = try #require(try Migrator.plan(&connection).last)
    let others = try #require(Migrator.printSQL().split(separator: "\n-- \(last.name)\n").first)
    _ = try database.psql(String(others))
    #expect(try Migrator.status(&connection) == .behind(1))
    #expect(try Migrator.migrate(&connection).map(\.version) == [Migrator.latestVersion])
  }

  @Test func `a database of a newer program is left alone`() throws {
    let database = try makeDatabase()
    _ = try database.psql(
      "INSERT INTO pagefall.migrations VALUES (\(Migrator.latestVersion + 1), 'later', sha256('x'))")
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    #expect(try Migrator.status(&connection) == .ahead(1))
    #expect(throws: EventStoreError.self) { try Migrator.migrate(&connection) }
  }

  @Test func `a migration that was changed after it was applied is found out`() throws {
    let database = try makeDatabase()
    _ = try database.psql("UPDATE pagefall.migrations SET checksum = sha256('x') WHERE version = 1")
    var connection = try connect(database)
    defer { withExtendedLifetime(database) {} }
    do {
      _ = try Migrator.status(&connection)
      Issue.record("a changed migration passed")
    } catch {
      #expect(error.description.contains("0001_tables"))
    }
  }

  @Test func `programs that migrate at once do not get in each other's way`() async throws {
    let database = try TestDatabase()
    let connectionString = database.connectionString
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          var connection = try PostgresConnection(ConnectionOptions(connectionString))
          return try Migrator.migrate(&connection).count
        }
      }
      var applied = 0
      for try await count in group { applied += count }
      #expect(applied == Migrator.latestVersion)
    }
  }

  @Test func `a database that is not UTF-8 is refused`() throws {
    let database = try TestDatabase()
    let name = database.name + "_latin"
    _ = try database.psql("CREATE DATABASE \(name) ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    defer { _ = try? database.psql("DROP DATABASE \(name) WITH (FORCE)") }
    var connection = try connect(database, overrides: ["dbname": name])
    #expect(throws: EventStoreError.self) { try Migrator.migrate(&connection) }
  }

  @Test func `every table, view and column of people's is described`() throws {
    let database = try makeDatabase()
    let undescribed = try database.psql(
      """
      SELECT c.relname FROM pg_class c WHERE c.relkind IN ('p', 'v', 'r') AND NOT c.relispartition
        AND (c.relnamespace = 'pagefall'::regnamespace OR c.oid = 'public.events'::regclass)
        AND obj_description(c.oid) IS NULL
      """)
    #expect(undescribed == "")
    let undescribedColumns = try database.psql(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = 'pagefall.changes'::regclass AND attnum > 0
        AND col_description(attrelid, attnum) IS NULL
      """)
    #expect(undescribedColumns == "")
  }

  @Test(arguments: [
    "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f", "91a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f",
    "f1a226bf-4900-4cc1-9d2e-5a1b2c3d4e5f", "00000000-0000-1000-8000-000000000000",
    "ffffffff-ffff-8fff-bfff-ffffffffffff", "016f5e66-e7ff-7fff-bfff-ffffffffffff",
    "016f5e66-e800-7000-8000-000000000000", "03bb2cc3-d7ff-7fff-bfff-ffffffffffff",
    "03bb2cc3-d800-7000-8000-000000000000",
  ])
  func `SQL and Swift agree on the stored form of an id, and undo it`(sent: String) throws {
    let id = try #require(SessionID(sent))
    try withConnection { (connection) in
      let result = try connection.execute(
        "SELECT pagefall.stored_session_id($1), pagefall.sent_session_id(pagefall.stored_session_id($1))",
        [.uuid(try #require(PostgresUUID(sent)))])
      let stored: PostgresUUID = try result[0, 0]
      let undone: PostgresUUID = try result[0, 1]
      #expect(stored == PostgresUUID(high: id.storedHigh, low: id.low))
      #expect(undone.description == sent)
    }
  }
}
