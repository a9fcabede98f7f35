import Foundation
import Postgres
import TestSupport
import Testing

/// `pagefall ingest` of events, stopped just before its commit: its last statement waits for a row that the test has locked.
final class LateEvents {
  private var lock: PostgresConnection
  private let loader: PagefallProcess.Running
  private let database: TestDatabase

  /// Starts it, and waits until it has written all it is going to write.
  /// - Parameters:
  ///   - app: one that has events already; one loader at a time can be held for it.
  ///   - sessions: one event each.
  init(_ fixture: ExportFixture, app: String, _ sessions: ClosedRange<Int>, at day: String) throws {
    database = fixture.database
    lock = try PostgresConnection(ConnectionOptions(database.connectionString))
    try lock.execute("BEGIN")
    try lock.execute("SELECT FROM pagefall.apps WHERE name = '\(app)' FOR UPDATE")
    let waiting = """
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%UPDATE pagefall.apps SET data_through%' AND pid <> pg_backend_pid()
      """
    let before = try database.psql(waiting)
    let path = "\(fixture.directory.path)/late-\(sessions.lowerBound).ndjson"
    let lines = ExportEvent.lines(sessions, at: day).joined(separator: "\n")
    try lines.write(toFile: path, atomically: true, encoding: .utf8)
    loader = try PagefallProcess.start(["ingest", path, "--app", app, "--database", database.connectionString])
    let database = database
    try #require(eventually { try database.psql(waiting) != before }, "\(loader.standardError)")
  }

  /// Lets it commit.
  func commit() throws {
    try lock.execute("COMMIT")
    try #require(try loader.waitForExit() == 0, "\(loader.standardError)")
  }

  /// Ends it before its commit.
  func kill() throws {
    loader.signal(9)
    try loader.waitForExit()
    try lock.execute("COMMIT")
    // The server notices that its client is gone when it has the row.
    let open = """
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%ingest%'
      """
    let database = database
    try #require(eventually { try database.psql(open) == "0" })
  }
}
