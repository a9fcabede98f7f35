import EventStore
import Foundation
import Postgres
import ServiceLog
import Spool
import StoryEvents
import TestSupport
import Testing

/// A spool, and loaders that empty it.
final class LoadedSpool {
  let directory: TemporaryDirectory
  let spool: Spool
  private(set) var accepted = 0
  private var loaders: [(Loader, DispatchSemaphore)] = []

  init(segmentBytes: Int64 = 64 << 20, keep: Duration = .seconds(3600)) throws {
    directory = try TemporaryDirectory()
    var configuration = SpoolConfiguration(directory: directory.path + "/spool")
    configuration.segmentBytes = segmentBytes
    configuration.keepLoaded = keep
    spool = try Spool(configuration, report: { _ in })
  }

  deinit {
    stop()
    spool.close()
  }

  func append(_ records: TestRecord...) throws {
    for record in records {
      _ = try record.bytes.withUnsafeBytes { try spool.append($0) }
      accepted += record.events.count
    }
    try spool.commit()
  }

  /// Appends records of ten events of ten sessions each.
  func fill(_ numbers: Range<Int>) throws {
    for number in numbers {
      try append(TestRecord((0..<10).map { TestEvent(session(UInt64(number / 5 * 10 + $0)), Int32(number % 5)) }))
    }
  }

  @discardableResult
  func load(into connectionString: String, log: ServiceLog = .disabled) throws -> Loader {
    let loader = try Loader(spool: spool, options: ConnectionOptions(connectionString), log: log)
    let ended = DispatchSemaphore(value: 0)
    Thread {
      loader.run()
      ended.signal()
    }.start()
    loaders.append((loader, ended))
    return loader
  }

  /// Stops all loaders; how long the slowest took.
  @discardableResult
  func stop() -> Double {
    var longest = 0.0
    for (loader, ended) in loaders {
      let begun = Date()
      loader.stop()
      ended.wait()
      longest = max(longest, Date().timeIntervalSince(begun))
    }
    loaders = []
    return longest
  }

  func waitUntilLoaded(_ query: (String) throws -> String) throws {
    let end = spool.endPosition
    let identity = spool.identity
    try waitUntil("the spool is loaded", seconds: 60) {
      (try? query("SELECT segment || ':' || \"offset\" FROM pagefall.spools WHERE spool_id = '\(identity)'"))
        == end.description
    }
  }
}

@Suite struct `The loader` {
  @Test func `empties the spool, goes on where it was, and stops at once`() throws {
    let database = try makeDatabase()
    let loaded = try LoadedSpool(segmentBytes: 20_000)
    try loaded.fill(0..<40)
    var loader = try loaded.load(into: database.connectionString)
    try loaded.waitUntilLoaded(database.psql)
    #expect(loaded.stop() < 1)
    #expect(loader.statistics.fates == fates(stored: 400) && loader.statistics.databaseUp == true)
    try loaded.fill(40..<50)
    loader = try loaded.load(into: database.connectionString)
    try loaded.waitUntilLoaded(database.psql)
    #expect(loaded.stop() < 1)
    #expect(loader.statistics.fates == fates(stored: 100))
    #expect(loader.statistics.lagSeconds == 0 && loader.statistics.batches >= 1)
    #expect(try database.psql("SELECT count(*) FROM events") == "500")
    #expect(
      try database.psql("SELECT source, fate, events FROM pagefall.event_fates")
        == "\(loaded.spool.identity)|stored|500")
  }

  @Test func `shows an event within a second when it is idle`() throws {
    let database = try makeDatabase()
    let loaded = try LoadedSpool()
    let loader = try loaded.load(into: database.connectionString)
    try waitUntil("the loader is connected") { loader.statistics.databaseUp == true }
    var connection = try connect(database)
    for number in 0..<5 {
      usleep(UInt32(number) * 130_000)
      let begun = Date()
      try loaded.append(TestRecord([TestEvent(session(UInt64(number)), 0)]))
      try waitUntil("the event is visible") {
        let result = try connection.execute("SELECT count(*) FROM pagefall.stored_events")
        let count: Int64 = try result[0, 0]
        return count == number + 1
      }
      #expect(Date().timeIntervalSince(begun) < 1)
    }
  }

  @Test func `survives backends that are killed again and again`() throws {
    let database = try makeDatabase()
    let loaded = try LoadedSpool(segmentBytes: 50_000)
    let loader = try loaded.load(into: database.connectionString)
    for round in 0..<20 {
      try loaded.fill((round * 10)..<(round * 10 + 10))
      _ = try? database.psql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      usleep(UInt32(round % 4) * 15_000)
    }
    try loaded.waitUntilLoaded(database.psql)
    try waitUntil("the figures are there") { loader.statistics.fates.total == 2000 }
    loaded.stop()
    #expect(try database.psql("SELECT count(*) FROM events") == "2000")
    #expect(try database.psql("SELECT fate, events FROM pagefall.event_fates") == "stored|2000")
  }

  @Test func `two loaders of one spool store each event once and count it once`() throws {
    let database = try makeDatabase()
    let loaded = try LoadedSpool()
    try loaded.load(into: database.connectionString)
    try loaded.load(into: database.connectionString)
    for round in 0..<15 {
      try loaded.fill((round * 10)..<(round * 10 + 10))
      usleep(30_000)
    }
    try loaded.waitUntilLoaded(database.psql)
    loaded.stop()
    #expect(try database.psql("SELECT count(*) FROM events") == "1500")
    #expect(try database.psql("SELECT sum(events) FROM pagefall.event_fates") == "1500")
  }

  @Test func `loads again what a restored backup has forgotten`() throws {
    let database = try makeDatabase()
    let loaded = try LoadedSpool(segmentBytes: 10_000)
    try loaded.fill(0..<20)
    try loaded.load(into: database.connectionString)
    try loaded.waitUntilLoaded(database.psql)
    loaded.stop()
    let backup = "\(database.name)_backup"
    let server = try TestServer.shared
    let administration = try PostgresConnection(ConnectionOptions(server.connectionString()))
    try copyDatabase(database.name, backup, administration)
    defer { _ = try? database.psql("DROP DATABASE \(backup) WITH (FORCE)") }
    try loaded.fill(20..<40)
    try loaded.load(into: database.connectionString)
    try loaded.waitUntilLoaded(database.psql)
    loaded.stop()
    var restored = try PostgresConnection(ConnectionOptions(server.connectionString(database: backup)))
    try loaded.load(into: server.connectionString(database: backup))
    let total = "SELECT (SELECT count(*) FROM events), (SELECT sum(events)::int8 FROM pagefall.event_fates)"
    try waitUntil("the backup has caught up") {
      let result = try restored.execute(total)
      let (events, fates): (Int64, Int64) = (try result[0, 0], try result[0, 1])
      return events == 400 && fates == 400
    }
    loaded.stop()
  }

  @Test func `says so, and loads what is kept, where database and spool do not fit`() throws {
    let database = try makeDatabase()
    let loaded = try LoadedSpool(segmentBytes: 3_000, keep: .zero)
    let lines = LogLines()
    // A database that has never heard of a spool whose oldest segments are gone.
    try loaded.fill(0..<20)
    let first = try makeDatabase()
    try loaded.load(into: first.connectionString)
    try loaded.waitUntilLoaded(first.psql)
    loaded.stop()
    try loaded.fill(20..<25)
    try loaded.load(into: database.connectionString, log: lines.log)
    try loaded.waitUntilLoaded(database.psql)
    loaded.stop()
    #expect(lines.text.contains("does not know this spool"))
    let stored = try #require(Int(try database.psql("SELECT count(*) FROM events")))
    #expect(stored >= 50 && stored < 250)
    // One that is ahead: the spool's disk is an old copy.
    _ = try database.psql("UPDATE pagefall.spools SET segment = segment + 1000")
    try loaded.fill(25..<30)
    try loaded.load(into: database.connectionString, log: lines.log)
    try loaded.waitUntilLoaded(database.psql)
    loaded.stop()
    #expect(lines.text.contains("ahead of this spool"))
    #expect(try database.psql("SELECT count(*) - count(DISTINCT (session_id, seq)) FROM events") == "0")
    // One that is behind what is kept.
    _ = try database.psql("UPDATE pagefall.spools SET segment = 1, \"offset\" = 64")
    try loaded.fill(30..<35)
    try loaded.load(into: database.connectionString, log: lines.log)
    try loaded.waitUntilLoaded(database.psql)
    #expect(lines.text.contains("was a backup restored?"))
  }

  private func copyDatabase(_ source: String, _ copy: String, _ connection: consuming PostgresConnection) throws {
    // The loader's backend may still be ending.
    for attempt in 0... {
      do {
        try connection.executeScript("CREATE DATABASE \(copy) TEMPLATE \(source)")
        return
      } catch {
        if attempt == 200 { throw error }
        usleep(20_000)
      }
    }
  }
}

@Suite struct `The loader and a server of its own` {
  @Test func `waits while the database is away, then stores everything once`() throws {
    let server = try DedicatedServer()
    var connection = try PostgresConnection(ConnectionOptions(server.connectionString))
    try Migrator.migrate(&connection)
    connection = try PostgresConnection(ConnectionOptions(server.connectionString))
    let loaded = try LoadedSpool()
    let lines = LogLines()
    let loader = try loaded.load(into: server.connectionString, log: lines.log)
    try loaded.fill(0..<10)
    try loaded.waitUntilLoaded { try server.psql($0) }
    try server.kill()
    try loaded.fill(10..<20)
    try waitUntil("the loader has noticed") { loader.statistics.databaseUp == false }
    #expect(loader.statistics.lagSeconds > 0)
    try server.start()
    try loaded.fill(20..<30)
    try loaded.waitUntilLoaded { try server.psql($0) }
    #expect(try server.psql("SELECT count(*) FROM events") == "300")
    #expect(try server.psql("SELECT sum(events) FROM pagefall.event_fates") == "300")
    try waitUntil("it says so") { lines.text.contains("the database is back") }
    #expect(lines.text.components(separatedBy: "cannot load").count - 1 <= 6)
    // A server that hangs: stopping takes two seconds at most.
    server.pause()
    try loaded.fill(30..<31)
    usleep(300_000)
    #expect(loaded.stop() < 2.5)
    server.resume()
    try loaded.load(into: server.connectionString)
    try loaded.waitUntilLoaded { try server.psql($0) }
    #expect(try server.psql("SELECT count(*) FROM events") == "310")
    #expect(try server.psql("SELECT sum(events) FROM pagefall.event_fates") == "310")
  }
}

/// A log that a test reads.
///
/// `@unchecked Sendable`: `bytes` is only touched while `lock` is held; loaders write from their threads.
final class LogLines: @unchecked Sendable {
  private let lock = NSLock()
  private var bytes: [UInt8] = []

  var text: String { lock.withLock { String(decoding: bytes, as: UTF8.self) } }

  var log: ServiceLog {
    ServiceLog(minimumLevel: .info, now: { 0 }, sink: { line in self.lock.withLock { self.bytes += line } })
  }
}
