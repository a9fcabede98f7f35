import EventRecords
import Foundation
import Postgres
import ServiceLog
import Spool
import Synchronization
import TestSupport

@testable import Collector

/// A whole collector on a free port, with a directory of its own.
final class CollectorHarness {
  let directory: TemporaryDirectory
  let collector: Collector
  let addresses: CollectorAddresses
  let log = LogLines()
  private let thread: NamedThread
  private let failure = Monitor<CollectorError?>(nil)

  /// - Parameter adjust: changes the configuration; without a database it is open.
  init(
    in directory: TemporaryDirectory? = nil, database: String? = nil, spoolEnvironment: SpoolEnvironment = .system,
    _ adjust: (inout CollectorConfiguration) -> Void = { _ in }
  ) throws {
    self.directory = try directory ?? TemporaryDirectory()
    var configuration = CollectorConfiguration(
      spool: SpoolConfiguration(directory: self.directory.path + "/spool"),
      database: try ConnectionOptions(database ?? "host=127.0.0.1 port=1 dbname=none user=none"))
    configuration.listen = ListenAddress(host: "127.0.0.1", port: 0)
    configuration.isOpen = database == nil
    configuration.isLoading = false
    adjust(&configuration)
    let lines = log
    collector = Collector(
      configuration, log: ServiceLog(minimumLevel: .debug, now: { 0 }, sink: { lines.append($0) }), now: nil,
      spoolEnvironment: spoolEnvironment)
    let started = Monitor<CollectorAddresses?>(nil)
    let running = collector
    let failed = failure
    thread = try NamedThread("collector") {
      do throws(CollectorError) {
        try running.run { addresses in
          started.withLock { $0 = addresses }
          started.signal()
        }
      } catch {
        failed.withLock { $0 = error }
      }
    }
    let failure = failure
    guard
      let addresses = started.wait(
        milliseconds: 20_000,
        { addresses -> CollectorAddresses?? in
          if let addresses { return .some(addresses) }
          return failure.withLock { $0 } == nil ? nil : .some(nil)
        })
    else { throw CollectorError.system(operation: "start a collector in time", code: 0) }
    guard let addresses else {
      thread.join()
      throw failure.withLock { $0 } ?? CollectorError.system(operation: "start", code: 0)
    }
    self.addresses = addresses
  }

  deinit { stop() }

  /// Stops it; everything is closed then.
  func stop() {
    collector.stop()
    thread.join()
  }

  func connect() -> RawClient { RawClient(port: addresses.events.port) }

  /// Posts a body on a connection of its own.
  func post(_ body: [UInt8], headers: [String] = ["Content-Type: application/json"], key: String? = nil)
    -> RawClient.Answer?
  {
    let client = connect()
    client.post(body, headers: headers, key: key)
    return client.answer()
  }

  func post(_ body: String, headers: [String] = ["Content-Type: application/json"], key: String? = nil)
    -> RawClient.Answer?
  {
    post(Array(body.utf8), headers: headers, key: key)
  }

  func get(_ path: String, port: UInt16? = nil) -> RawClient.Answer? {
    let client = RawClient(port: port ?? addresses.events.port)
    client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
    return client.answer()
  }

  /// What is readable in the spool, after `stop`.
  func spooled() throws -> Spooled {
    let spool = try Spool(SpoolConfiguration(directory: directory.path + "/spool")) { _ in }
    defer { spool.close() }
    var reader = spool.makeReader()
    var spooled = Spooled()
    while let record = try reader.next() {
      var items = try EventRecordReader(record.bytes)
      spooled.apps.insert(items.header.app)
      if let received = items.header.receivedAtMicroseconds { spooled.received.append(received) }
      while let item = try items.next() {
        switch item {
        case .event(let event):
          spooled.events.append(SpooledEvent(high: event.storedHigh, low: event.low, seq: event.seq))
        case .rejected(let rejected): spooled.rejected.append((rejected.code.name.description, Array(rejected.rawJSON)))
        case .context, .page, .dropped: break
        }
      }
    }
    return spooled
  }
}

struct SpooledEvent: Hashable {
  let high: UInt64
  let low: UInt64
  let seq: Int32
}

/// What a spool holds.
struct Spooled {
  var apps: Set<String> = []
  var received: [Int64] = []
  var events: [SpooledEvent] = []
  var rejected: [(code: String, bytes: [UInt8])] = []
}

/// Lines of a log.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])
  func append(_ bytes: borrowing [UInt8]) {
    let line = String(decoding: copy bytes, as: UTF8.self)
    lines.withLock { $0.append(line) }
  }
  var all: [String] { lines.withLock { $0 } }
}

extension RawClient {
  /// Posts a body to /v1/events.
  func post(_ body: [UInt8], headers: [String] = ["Content-Type: application/json"], key: String? = nil) {
    var head = "POST /v1/events HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.count)\r\n"
    if let key { head += "Authorization: Bearer \(key)\r\n" }
    for header in headers { head += header + "\r\n" }
    send(Array((head + "\r\n").utf8) + body)
  }
}

/// Events as a phone would send them.
enum SampleEvents {
  /// One event of a session whose id ends with this number.
  static func event(_ session: Int, seq: Int = 0) -> String {
    let tail = String(session, radix: 16)
    let id = "01a226bf-4900-7cc1-9d2e-" + String(repeating: "0", count: 12 - tail.count) + tail
    return #"{"type":"page_shown","session_id":"\#(id)","seq":\#(seq),"at":"2026-11-29T10:00:00.004Z","page_index":0}"#
  }

  /// A batch object.
  static func batch(_ events: [String]) -> String { #"{"events":["# + events.joined(separator: ",") + "]}" }
}
