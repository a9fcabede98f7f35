import EventStore
import Foundation
import Postgres
import Spool
import TestSupport
import Testing

@testable import Collector

/// Starting, stopping, being full, and what the other endpoints say.
@Suite struct LifeCycleTests {
  @Test func `the probes and the figures answer`() throws {
    let collector = try CollectorHarness { $0.version = "9.8.7" }
    #expect(try #require(collector.get("/healthz")).text == #"{"status":"ok"}"#)
    #expect(try #require(collector.get("/readyz?verbose=1")).text == #"{"status":"ready"}"#)
    #expect(collector.post(SampleEvents.event(1))?.status == 202)
    #expect(collector.post("nonsense")?.status == 400)
    let metrics = try #require(collector.get("/metrics"))
    #expect(metrics.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    for line in [
      #"pagefall_http_responses_total{status="202"} 1"#, #"pagefall_http_responses_total{status="400"} 1"#,
      "pagefall_events_accepted_total 1", "pagefall_bodies_unreadable_total 1", "pagefall_spool_full 0",
      #"pagefall_key_checks_total{outcome="known"} 2"#, "pagefall_spool_records_total 2",
      "pagefall_commit_requests_count 2", #"pagefall_build_info{version="9.8.7"} 1"#,
    ] { #expect(metrics.text.contains("\n\(line)\n"), "\(line)") }
    // Each family is announced once, before its figures; each line is one of the format's three.
    var families: Set<Substring> = []
    for line in metrics.text.split(separator: "\n") {
      if line.hasPrefix("# TYPE ") { #expect(families.insert(line.split(separator: " ")[2]).inserted) }
      #expect(line.hasPrefix("#") || line.split(separator: " ").count == 2)
    }
  }

  @Test func `figures on an address of their own are nowhere else`() throws {
    let collector = try CollectorHarness { $0.metricsListen = ListenAddress(host: "127.0.0.1", port: 0) }
    let port = try #require(collector.addresses.metrics?.port)
    #expect(collector.get("/metrics")?.status == 404)
    #expect(collector.get("/metrics", port: port)?.status == 200)
    #expect(collector.get("/healthz", port: port)?.status == 200)
    let client = RawClient(port: port)
    client.post(Array(SampleEvents.event(1).utf8))
    #expect(client.answer()?.status == 404)
  }

  @Test func `a full spool is 503, not ready, and loses nothing`() throws {
    let collector = try CollectorHarness {
      $0.spool.segmentBytes = 64 * 1024
      $0.spool.maximumBytes = 256 * 1024
    }
    var acknowledged = 0
    var refused: RawClient.Answer?
    for batch in 0..<200 where refused == nil {
      let answer = try #require(
        collector.post(SampleEvents.batch((0..<20).map { SampleEvents.event(batch * 20 + $0) })))
      if answer.status == 202 { acknowledged += 20 } else { refused = answer }
    }
    #expect(refused?.status == 503)
    #expect(refused?.headers["retry-after"] == "10")
    #expect(refused?.text.contains(#""code":"spool_full""#) == true)
    #expect(acknowledged > 0)
    let ready = try #require(collector.get("/readyz"))
    #expect(ready.status == 503)
    #expect(ready.text.contains("largest size"))
    #expect(collector.get("/healthz")?.status == 200)
    collector.stop()
    #expect(try collector.spooled().events.count >= acknowledged)
  }

  @Test func `a sync that fails acknowledges nothing, and the next one serves again`() throws {
    let disk = FailingDisk()
    let collector = try CollectorHarness(spoolEnvironment: disk.environment())
    #expect(collector.post(SampleEvents.event(1))?.status == 202)
    disk.isFailing.store(true, ordering: .relaxed)
    for session in 2..<5 {
      let answer = try #require(collector.post(SampleEvents.event(session)))
      #expect(answer.status == 503)
      #expect(answer.text.contains("not_durable"))
      #expect(collector.post("nonsense")?.status == 503)
    }
    #expect(collector.log.all.contains { $0.contains("spool commit failed") })
    disk.isFailing.store(false, ordering: .relaxed)
    #expect(collector.post(SampleEvents.event(9))?.status == 202)
    collector.stop()
    let stored = Set(try collector.spooled().events.map { $0.low & 0xFFFF })
    #expect(stored.contains(1) && stored.contains(9))
  }

  @Test func `answers that nobody reads count as bytes in flight`() throws {
    let collector = try CollectorHarness { $0.maximumBytesInFlight = 3 * 1024 * 1024 }
    let bad = "[" + (0..<9_000).map { #"{"type":"x\#($0)"}"# }.joined(separator: ",") + "]"
    var clients: [RawClient] = []
    var status = 0
    for _ in 0..<20 where status != 503 {
      let deaf = RawClient(port: collector.addresses.events.port, receiveBufferBytes: 4096)
      // The kernel takes some megabytes of answers; what it does not take is ours to hold.
      for _ in 0..<5 { deaf.post(Array(bad.utf8)) }
      clients.append(deaf)
      usleep(100_000)
      status = collector.post(SampleEvents.event(1) + String(repeating: " ", count: 300_000))?.status ?? 0
    }
    #expect(status == 503)
  }

  @Test(arguments: ["0.0.0.0:0", ":0", "[::]:0"])
  func `without keys only the loopback is listened on`(address: String) throws {
    #expect(throws: CollectorError.openBeyondLoopback(address: try #require(ListenAddress(address)).description)) {
      _ = try CollectorHarness { $0.listen = ListenAddress(address)! }
    }
  }

  @Test(arguments: ["127.0.0.1:0", "localhost:0", "127.0.0.9:0", "[::1]:0"])
  func `without keys each loopback address will do`(address: String) throws {
    let collector = try CollectorHarness { $0.listen = ListenAddress(address)! }
    #expect(collector.addresses.events.port != 0)
  }

  @Test func `an address that is taken, or none, is said in one line`() throws {
    let collector = try CollectorHarness()
    let taken = collector.addresses.events
    #expect(throws: CollectorError.self) { _ = try CollectorHarness { $0.listen = taken } }
    do {
      _ = try CollectorHarness { $0.listen = ListenAddress(host: "no-such-host.invalid", port: 1) }
      Issue.record("it started")
    } catch let error as CollectorError {
      #expect(error.description.hasPrefix("cannot listen on no-such-host.invalid:1: "))
      #expect(!error.description.contains("\n"))
    }
  }

  @Test func `a spool in use is said, and the port is free again`() throws {
    let collector = try CollectorHarness()
    do {
      _ = try CollectorHarness(in: collector.directory)
      Issue.record("it started")
    } catch let error as CollectorError {
      #expect(error.description.contains("in use"))
    }
    #expect(collector.post(SampleEvents.event(1))?.status == 202)
  }

  @Test func `every 202 is in the spool after a stop under load`() throws {
    let collector = try CollectorHarness()
    let acknowledged = AcknowledgedSessions()
    let port = collector.addresses.events.port
    let senders = try (0..<8).map { sender in
      try NamedThread("sender") {
        let client = RawClient(port: port)
        for number in 0..<100_000 {
          let session = sender * 1_000_000 + number
          client.post(Array(SampleEvents.event(session).utf8))
          guard let answer = client.answer(), answer.status == 202 else { return }
          acknowledged.add(session)
        }
      }
    }
    usleep(500_000)
    let start = MonotonicClock.milliseconds
    collector.stop()
    #expect(MonotonicClock.milliseconds - start < 5_000)
    for sender in senders { sender.join() }
    let sessions = acknowledged.all
    #expect(sessions.count > 100)
    let stored = Set(try collector.spooled().events.map { $0.low & 0xFFFF_FFFF_FFFF })
    #expect(sessions.allSatisfy { stored.contains(UInt64($0)) })
  }

  @Test func `events reach PostgreSQL within a second`() throws {
    let database = try TestDatabase(template: "collector-keys") { connectionString in
      var connection = try PostgresConnection(ConnectionOptions(connectionString))
      try Migrator.migrate(&connection)
    }
    let collector = try CollectorHarness(database: database.connectionString) {
      $0.isOpen = true
      $0.isLoading = true
    }
    #expect(collector.post(SampleEvents.batch((0..<10).map { SampleEvents.event($0) }))?.status == 202)
    let start = MonotonicClock.milliseconds
    var count = "0"
    while count != "10", MonotonicClock.milliseconds - start < 5_000 {
      count = try database.psql("SELECT count(*) FROM events")
    }
    #expect(count == "10")
    #expect(MonotonicClock.milliseconds - start < 1_000)
    let text = try #require(collector.get("/metrics")).text
    #expect(text.contains("\npagefall_events_loaded_total{fate=\"stored\"} 10\n"))
    #expect(text.contains("\npagefall_database_up 1\n"))
  }

  @Test func `a stop with a hung database takes less than ten seconds`() throws {
    let server = try DedicatedServer()
    var connection = try PostgresConnection(ConnectionOptions(server.connectionString))
    try Migrator.migrate(&connection)
    connection.close()
    let collector = try CollectorHarness(database: server.connectionString) {
      $0.isOpen = true
      $0.isLoading = true
    }
    #expect(collector.post(SampleEvents.event(1))?.status == 202)
    usleep(500_000)
    server.pause()
    defer { server.resume() }
    #expect(collector.post(SampleEvents.event(2))?.status == 202)
    usleep(500_000)
    let start = MonotonicClock.milliseconds
    collector.stop()
    #expect(MonotonicClock.milliseconds - start < 9_000)
  }
}

/// Which sessions were acknowledged, from several threads.
final class AcknowledgedSessions: Sendable {
  private let sessions = Monitor<[Int]>([])
  func add(_ session: Int) { sessions.withLock { $0.append(session) } }
  var all: [Int] { sessions.withLock { $0 } }
}
