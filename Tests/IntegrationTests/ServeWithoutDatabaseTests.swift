import Foundation
import TestSupport
import Testing

/// `pagefall serve` and its keys while PostgreSQL is stopped or frozen.
@Suite(.serialized) struct ServeWithoutDatabaseTests {
  let directory: TemporaryDirectory
  let server: DedicatedServer
  let key: String

  init() throws {
    directory = try TemporaryDirectory()
    server = try DedicatedServer()
    try TestDatabase.migrate(server.connectionString)
    key = try createKey(server.connectionString)
  }

  @Test func `events sent while the database is down are stored when it is back`() throws {
    let collector = try RunningCollector(data, database: server.connectionString)
    #expect(try post(1, to: collector).status == 202)
    try server.stop()
    for number in 2...40 { #expect(try post(number, to: collector).status == 202) }
    #expect(try HTTPCall.get("/readyz", port: collector.port).status == 200)
    try server.start()
    #expect(try eventually { try server.psql("SELECT count(*), count(DISTINCT session_id) FROM events") == "40|40" })
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `SIGTERM ends it within 10 s while the database is down`() throws {
    let collector = try RunningCollector(data, database: server.connectionString)
    #expect(try post(1, to: collector).status == 202)
    try server.stop()
    #expect(try post(2, to: collector).status == 202)
    try expectEndInTime(collector)
    try server.start()
    try expectStoredAfterRestart(2)
  }

  @Test func `SIGTERM ends it within 10 s while the database is frozen`() throws {
    let collector = try RunningCollector(data, database: server.connectionString)
    #expect(try post(1, to: collector).status == 202)
    try #require(try eventually { try server.psql("SELECT count(*) FROM events") == "1" })
    server.pause()
    #expect(try post(2, to: collector).status == 202)
    // Long enough that the loader is in the middle of it.
    usleep(700_000)
    try expectEndInTime(collector)

    // It also starts then, and takes events: of the database it only says that it does not answer.
    let second = try RunningCollector(data, database: server.connectionString)
    #expect(try post(3, to: second).status == 202)
    try expectEndInTime(second)
    server.resume()
    try expectStoredAfterRestart(3)
  }

  @Test func `a known key works while the database is down, also after a restart; others cannot be checked`() throws {
    let first = try RunningCollector(data, database: server.connectionString)
    #expect(try post(1, to: first).status == 202)
    // Known on disk as well: the keys are read again every few seconds.
    try #require(eventually { FileManager.default.fileExists(atPath: "\(directory.path)/data/spool-known-keys.json") })
    #expect(try contents("\(directory.path)/data/spool-known-keys.json").contains(key) == false)
    try server.stop()
    #expect(try post(2, to: first).status == 202)
    #expect(try first.terminate().exitCode == 0)

    let second = try RunningCollector(data, database: server.connectionString)
    #expect(try post(3, to: second).status == 202)
    let unknown = try HTTPCall.postEvents(
      EventText.pageShown(session: 4), port: second.port, key: "pfw_" + String(repeating: "A", count: 43))
    #expect(unknown.status == 503)
    #expect(Int(unknown.headers["retry-after"] ?? "") != nil)
    try server.start()
    #expect(try eventually { try server.psql("SELECT count(*) FROM events") == "3" })
    #expect(try second.terminate().exitCode == 0)
  }

  private var data: String { "\(directory.path)/data" }

  private func post(_ number: Int, to collector: RunningCollector) throws -> HTTPCall.Answer {
    try HTTPCall.postEvents(EventText.pageShown(session: number), port: collector.port, key: key)
  }

  private func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func expectEndInTime(_ collector: RunningCollector) throws {
    let end = try collector.terminate()
    #expect(end.exitCode == 0)
    #expect(end.took < .seconds(10), "\(end.took)")
  }

  private func expectStoredAfterRestart(_ count: Int) throws {
    let collector = try RunningCollector(data, database: server.connectionString)
    #expect(try eventually { try server.psql("SELECT count(*) FROM events") == String(count) })
    #expect(try collector.terminate().exitCode == 0)
  }
}
