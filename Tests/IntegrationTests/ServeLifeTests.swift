import Foundation
import TestSupport
import Testing

/// How `pagefall serve` starts, serves and ends, with its database up.
@Suite(.serialized) struct ServeLifeTests {
  let directory: TemporaryDirectory
  let database: TestDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase.migrated()
  }

  @Test func `it says in one line that it is ready, and ends in good order when idle`() throws {
    let collector = try RunningCollector(data, database: database.connectionString)
    #expect(
      collector.process.standardOutput == "pagefall serve: ready on http://127.0.0.1:\(collector.port)\n")
    #expect(try HTTPCall.get("/healthz", port: collector.port).status == 200)
    #expect(try HTTPCall.get("/readyz", port: collector.port).status == 200)
    let end = try collector.terminate()
    #expect(end.exitCode == 0)
    #expect(end.took < .seconds(10))
  }

  @Test func `SIGTERM under load ends it within 10 s, and what it acknowledged is stored after the next start`() throws
  {
    let key = try createKey(database.connectionString)
    let collector = try RunningCollector(data, database: database.connectionString)
    let sender = Acknowledged()
    sender.send(to: collector.port, key: key)
    try #require(eventually { sender.count > 50 })
    let end = try collector.terminate()
    #expect(end.exitCode == 0)
    #expect(end.took < .seconds(10))
    let acknowledged = sender.stop()
    try expectStored(acknowledged)
  }

  @Test func `after kill -9 every acknowledged event is stored, each once`() throws {
    let key = try createKey(database.connectionString)
    let sender = Acknowledged()
    for round in 0..<3 {
      let collector = try RunningCollector(data, database: database.connectionString)
      sender.send(to: collector.port, key: key)
      let goal = sender.count + 60
      try #require(eventually { sender.count > goal })
      // At another moment each time.
      usleep(UInt32(50_000 + 70_000 * round))
      try collector.kill()
      _ = sender.stop()
    }
    try expectStored(sender.stop())
  }

  @Test func `an event is visible within a second of its answer`() throws {
    let key = try createKey(database.connectionString)
    let collector = try RunningCollector(data, database: database.connectionString)
    // The first batch makes partitions and caches.
    #expect(try HTTPCall.postEvents(EventText.pageShown(session: 1), port: collector.port, key: key).status == 202)
    _ = try eventually { try count() == 1 }
    var delays: [Duration] = []
    var watcher = try EventWatcher(database.connectionString)
    for number in 2...21 {
      let answer = try HTTPCall.postEvents(EventText.pageShown(session: number), port: collector.port, key: key)
      #expect(answer.status == 202)
      delays.append(try watcher.wait(forSession: EventText.sessionID(number)))
    }
    delays.sort()
    print("from answer to visible: median \(delays[10]), longest \(delays[19])")
    #expect(delays[10] < .seconds(1))
    // A machine that does other things may be late once, not always.
    #expect(delays[17] < .seconds(2))
    #expect(try collector.terminate().exitCode == 0)
  }

  private var data: String { "\(directory.path)/data" }

  private func count() throws -> Int { Int(try database.psql("SELECT count(*) FROM events")) ?? -1 }

  /// Starts a collector on the same spool, and expects that all these sessions come to the table, and each once.
  private func expectStored(_ sessions: [Int]) throws {
    let collector = try RunningCollector(data, database: database.connectionString)
    let wanted = Set(sessions.map(EventText.sessionID))
    var stored: [String] = []
    let isStored = try eventually {
      stored = try database.psql("SELECT session_id FROM events").components(separatedBy: "\n")
      return wanted.isSubset(of: stored)
    }
    #expect(isStored, "\(wanted.subtracting(stored).count) of \(wanted.count) acknowledged events are missing")
    #expect(Set(stored).count == stored.count)
    #expect(try collector.terminate().exitCode == 0)
  }
}
