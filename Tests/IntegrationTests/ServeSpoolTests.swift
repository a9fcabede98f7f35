import Foundation
import TestSupport
import Testing

/// `pagefall serve` where its spool and its database do not agree (architecture §2).
@Suite struct ServeSpoolTests {
  let directory: TemporaryDirectory
  let database: TestDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase.migrated()
  }

  @Test func `events that are only taken are loaded at a later start`() throws {
    _ = try serve(1...3, database, ["--no-load"]) { true }
    #expect(try count(database) == 0)
    _ = try serve(4...4, database) { try count(database) == 4 }
  }

  @Test func `a spool whose database was exchanged is loaded again, and another spool adds to it`() throws {
    _ = try serve(1...5, database) { try count(database) == 5 }
    let empty = try TestDatabase.migrated()
    _ = try serve(6...6, empty) { try count(empty) == 6 }
    // A session that is stored already, and a new one.
    _ = try serve(6...7, empty, data: "other") { try count(empty) == 7 }
  }

  @Test func `an old copy of the spool is said to be one, and what it takes from then on is stored`() throws {
    _ = try serve(1...2, database) { try count(database) == 2 }
    try FileManager.default.copyItem(atPath: "\(data)/spool", toPath: "\(directory.path)/copy")
    _ = try serve(3...40, database) { try count(database) == 40 }
    try FileManager.default.removeItem(atPath: "\(data)/spool")
    try FileManager.default.moveItem(atPath: "\(directory.path)/copy", toPath: "\(data)/spool")
    let said = try serve(41...43, database) { try count(database) == 43 }
    #expect(said.contains("level=warning"), "\(said)")
  }

  @Test func `what an old copy of the spool took without loading is stored at the next start`() throws {
    _ = try serve(1...2, database) { try count(database) == 2 }
    try FileManager.default.copyItem(atPath: "\(data)/spool", toPath: "\(directory.path)/copy")
    _ = try serve(3...6, database) { try count(database) == 6 }
    try FileManager.default.removeItem(atPath: "\(data)/spool")
    try FileManager.default.moveItem(atPath: "\(directory.path)/copy", toPath: "\(data)/spool")
    _ = try serve(7...40, database, ["--no-load"]) { true }
    _ = try serve(41...41, database) { try count(database) == 41 }
  }

  @Test func `a database restored from a backup gets again what the spool still keeps`() throws {
    _ = try serve(1...2, database) { try count(database) == 2 }
    let backup = try database.psql("SELECT row_to_json(s)::text FROM pagefall.spools s")
    #expect(!backup.isEmpty)
    _ = try database.psql("CREATE TABLE saved AS SELECT * FROM pagefall.spools")
    _ = try serve(3...6, database) { try count(database) == 6 }
    // As it was before the second run: its position, and its events.
    _ = try database.psql(
      """
      DELETE FROM pagefall.stored_events WHERE session_id IN
        (SELECT session_id FROM pagefall.stored_events ORDER BY session_id OFFSET 2);
      DELETE FROM pagefall.sessions WHERE session_id NOT IN (SELECT session_id FROM pagefall.stored_events);
      DELETE FROM pagefall.spools; INSERT INTO pagefall.spools SELECT * FROM saved
      """)
    _ = try serve(7...7, database) { try count(database) == 7 }
  }

  private var data: String { "\(directory.path)/data" }

  /// Starts a collector, sends these sessions, waits for the condition, and stops it.
  /// - Returns: its log.
  private func serve(
    _ sessions: ClosedRange<Int>, _ database: TestDatabase, _ arguments: [String] = [], data name: String = "data",
    until condition: () throws -> Bool
  ) throws -> String {
    let collector = try RunningCollector(
      "\(directory.path)/\(name)", database: database.connectionString, ["--open"] + arguments)
    for number in sessions {
      #expect(try HTTPCall.postEvents(EventText.pageShown(session: number), port: collector.port).status == 202)
    }
    #expect(try eventually(within: .seconds(30), condition), "\(collector.process.standardError)")
    #expect(try collector.terminate().exitCode == 0)
    return collector.process.standardError
  }

  private func count(_ database: TestDatabase) throws -> Int {
    try #require(Int(database.psql("SELECT count(*) FROM events")))
  }
}
