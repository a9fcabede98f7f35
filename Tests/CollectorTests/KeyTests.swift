import EventStore
import Foundation
import Postgres
import TestSupport
import Testing

@testable import Collector

/// Write keys, against a real database.
@Suite struct KeyTests {
  /// A database with its tables; the first use migrates, the others copy.
  private func database() throws -> TestDatabase {
    try TestDatabase(template: "collector-keys") { connectionString in
      var connection = try PostgresConnection(ConnectionOptions(connectionString))
      try Migrator.migrate(&connection)
    }
  }

  private func connect(_ connectionString: String) throws -> PostgresConnection {
    try PostgresConnection(ConnectionOptions(connectionString))
  }

  @Test func `a new key works at once, for its app`() throws {
    let database = try database()
    let collector = try CollectorHarness(database: database.connectionString)
    var connection = try connect(database.connectionString)
    for app in ["shop", "news", "shop"] {
      let key = try KeyStore.create(app: app, right: .ingest, &connection).plaintext
      let answer = try #require(collector.post(SampleEvents.event(1), key: key))
      #expect(answer.status == 202, "\(answer.text)")
    }
    collector.stop()
    #expect(try collector.spooled().apps == ["shop", "news"])
  }

  @Test func `who may not is told so, before the body is read`() throws {
    let database = try database()
    var connection = try connect(database.connectionString)
    let reading = try KeyStore.create(app: "shop", right: .read, &connection).plaintext
    let revoked = try KeyStore.create(app: "shop", right: .ingest, &connection)
    try KeyStore.revoke("\(revoked.id)", &connection)
    let collector = try CollectorHarness(database: database.connectionString)
    let unknown = "pfw_" + String(repeating: "a", count: 32)
    for (header, status, challenge) in [
      (nil, 401, "Bearer"), ("Bearer \(unknown)", 401, #"Bearer error="invalid_token""#),
      ("Bearer \(revoked.plaintext)", 401, #"Bearer error="invalid_token""#),
      ("Bearer", 401, "Bearer"), ("Basic \(unknown)", 401, "Bearer"), ("Bearer nothing", 401, nil),
      ("bearer  \(reading)", 403, #"Bearer error="insufficient_scope""#),
      ("Bearer " + String(repeating: "x", count: 5_000), 401, nil),
    ] as [(String?, Int, String?)] {
      let client = collector.connect()
      client.post(
        [],
        headers: ["Expect: 100-continue", "Content-Type: application/json"]
          + (header.map { ["Authorization: \($0)"] } ?? []))
      let answer = try #require(client.answer())
      #expect(answer.status == status, "\(header ?? "no key")")
      #expect(answer.headers["content-type"] == "application/problem+json")
      if let challenge { #expect(answer.headers["www-authenticate"] == challenge) }
    }
    // The same answers again, now from memory.
    #expect(collector.post(SampleEvents.event(1), key: unknown)?.status == 401)
    #expect(collector.post(SampleEvents.event(1), key: reading)?.status == 403)
  }

  @Test func `a flood of wrong keys is refused, and good ones keep working`() throws {
    let database = try database()
    var connection = try connect(database.connectionString)
    let key = try KeyStore.create(app: "shop", right: .ingest, &connection).plaintext
    let collector = try CollectorHarness(database: database.connectionString)
    #expect(collector.post(SampleEvents.event(1), key: key)?.status == 202)
    let clients = (0..<200).map { _ in collector.connect() }
    for (number, client) in clients.enumerated() {
      client.post(Array(SampleEvents.event(2).utf8), key: "pfw_wrong\(number)")
    }
    #expect(collector.post(SampleEvents.event(3), key: key)?.status == 202)
    for client in clients {
      let status = client.answer()?.status
      #expect(status == 401 || status == 503)
    }
    collector.stop()
    #expect(try collector.spooled().events.count == 2)
  }

  @Test func `a revoked key stops within ten seconds`() throws {
    let database = try database()
    var connection = try connect(database.connectionString)
    let key = try KeyStore.create(app: "shop", right: .ingest, &connection)
    let collector = try CollectorHarness(database: database.connectionString)
    #expect(collector.post(SampleEvents.event(1), key: key.plaintext)?.status == 202)
    try KeyStore.revoke("\(key.id)", &connection)
    let start = MonotonicClock.milliseconds
    var status = 202
    while status == 202, MonotonicClock.milliseconds - start < 10_000 {
      usleep(100_000)
      status = collector.post(SampleEvents.event(1), key: key.plaintext)?.status ?? 0
    }
    #expect(status == 401)
  }

  @Test func `known keys outlive the database and a restart, unknown ones are 503`() throws {
    let server = try DedicatedServer()
    var connection: PostgresConnection? = try connect(server.connectionString)
    guard var open = connection.take() else { return }
    try Migrator.migrate(&open)
    let key = try KeyStore.create(app: "shop", right: .ingest, &open).plaintext
    let reading = try KeyStore.create(app: "shop", right: .read, &open).plaintext
    open.close()
    let directory = try TemporaryDirectory()
    let unknown = "pfw_" + String(repeating: "b", count: 32)
    do {
      let collector = try CollectorHarness(in: directory, database: server.connectionString)
      #expect(collector.post(SampleEvents.event(1), key: key)?.status == 202)
      try server.stop(.fast)
      #expect(collector.post(SampleEvents.event(2), key: key)?.status == 202)
      let answer = try #require(collector.post(SampleEvents.event(2), key: unknown))
      #expect(answer.status == 503)
      #expect(answer.headers["retry-after"] == "1")
    }
    let file = directory.path + "/spool-known-keys.json"
    let attributes = try FileManager.default.attributesOfItem(atPath: file)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!text.contains(key) && text.contains("shop"))
    do {
      let collector = try CollectorHarness(in: directory, database: server.connectionString)
      #expect(collector.post(SampleEvents.event(3), key: key)?.status == 202)
      #expect(collector.post(SampleEvents.event(3), key: reading)?.status == 403)
      #expect(collector.post(SampleEvents.event(3), key: unknown)?.status == 503)
      try server.start()
      var status = 0
      for _ in 0..<100 where status != 401 {
        status = collector.post(SampleEvents.event(3), key: unknown)?.status ?? 0
        if status != 401 { usleep(100_000) }
      }
      #expect(status == 401)
    }
    try Data("{not json".utf8).write(to: URL(fileURLWithPath: file))
    let collector = try CollectorHarness(in: directory, database: server.connectionString)
    #expect(collector.post(SampleEvents.event(4), key: key)?.status == 202)
  }

  @Test func `a hung database holds nobody for long, and the stop neither`() throws {
    let server = try DedicatedServer()
    var connection = try connect(server.connectionString)
    try Migrator.migrate(&connection)
    let key = try KeyStore.create(app: "shop", right: .ingest, &connection).plaintext
    connection.close()
    let collector = try CollectorHarness(database: server.connectionString)
    #expect(collector.post(SampleEvents.event(1), key: key)?.status == 202)
    server.pause()
    defer { server.resume() }
    let start = MonotonicClock.milliseconds
    #expect(collector.post(SampleEvents.event(1), key: "pfw_" + String(repeating: "c", count: 32))?.status == 503)
    #expect(collector.post(SampleEvents.event(2), key: key)?.status == 202)
    #expect(MonotonicClock.milliseconds - start < 9_000)
    let stop = MonotonicClock.milliseconds
    collector.stop()
    #expect(MonotonicClock.milliseconds - stop < 9_000)
  }

  @Test func `a key's rate is kept, and a large batch passes in the end`() throws {
    let collector = try CollectorHarness { $0.maximumEventsPerSecond = 5 }
    let batch = SampleEvents.batch((0..<12).map { SampleEvents.event($0) })
    #expect(collector.post(batch)?.status == 202)
    let refused = try #require(collector.post(SampleEvents.event(20)))
    #expect(refused.status == 429)
    #expect(refused.headers["content-type"] == "application/problem+json")
    let wait = try #require(refused.headers["retry-after"].flatMap { Int($0) })
    #expect((1...2).contains(wait))
    sleep(UInt32(wait))
    #expect(collector.post(SampleEvents.event(20))?.status == 202)
  }
}
