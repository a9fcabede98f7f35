import Compression
import Foundation

@testable import StoryClient

/// A queue in memory: sessions of events that numbers name.
///
/// `@unchecked Sendable`: the lock guards all of its state.
final class MemoryQueue: UploadQueue, @unchecked Sendable {
  private let lock = NSLock()
  private var parts: [QueuedPart] = []
  private var dropped: [String] = []
  private var removed: [String] = []
  private var leaseOfOther = false
  private var leases: [Double] = []
  private var holdsLease = false

  /// Files a session of so many events.
  func record(_ file: String, _ count: Int, eventBytes: Int = 0) {
    locked {
      let padding = String(repeating: "x", count: eventBytes)
      let events = (0..<count).map {
        QueuedEvent(json: Array(#"{"name":"\#(file)-\#($0)\#(padding)"}"#.utf8), endOffset: ($0 + 1) * 100)
      }
      parts.append(QueuedPart(file: file, context: Array(#"{"story_id":"\#(file)"}"#.utf8), events: events))
    }
  }

  var waiting: Int { locked { parts.reduce(0) { $0 + $1.events.count } } }
  var removedCount: Int { locked { removed.count } }
  var droppedNames: [String] { locked { dropped } }
  /// The seconds of all leases that were taken.
  var leaseSeconds: [Double] { locked { leases } }
  var isLeased: Bool { locked { holdsLease } }

  /// Another process takes the lease, or gives it back.
  func setLeaseOfOther(_ isTaken: Bool) { locked { leaseOfOther = isTaken } }

  func nextBatch(mostEvents: Int) -> QueuedBatch? {
    locked {
      var room = mostEvents
      var batch = QueuedBatch(parts: [])
      for part in parts where room > 0 {
        let events = Array(part.events.prefix(room))
        batch.parts.append(QueuedPart(file: part.file, context: part.context, events: events))
        room -= events.count
      }
      return batch.parts.isEmpty ? nil : batch
    }
  }

  func remove(_ batch: QueuedBatch) { locked { removed += forget(batch) } }
  func drop(_ batch: QueuedBatch) { locked { dropped += forget(batch) } }
  var droppedEventsTotal: Int { locked { dropped.count } }

  func takeLease(seconds: Double) -> Bool {
    locked {
      guard !leaseOfOther else { return false }
      leases.append(seconds)
      holdsLease = true
      return true
    }
  }

  func releaseLease() { locked { holdsLease = false } }

  private func forget(_ batch: QueuedBatch) -> [String] {
    var names: [String] = []
    for part in batch.parts {
      guard let index = parts.firstIndex(where: { $0.file == part.file }) else { continue }
      names += part.events.map { String(decoding: $0.json, as: UTF8.self) }
      let last = part.events.last?.endOffset ?? 0
      parts[index].events.removeAll { $0.endOffset <= last }
    }
    parts.removeAll { $0.events.isEmpty }
    return names
  }

  private func locked<Value>(_ work: () -> Value) -> Value {
    lock.lock()
    defer { lock.unlock() }
    return work()
  }
}

/// A clock and a timer that the test moves.
///
/// `@unchecked Sendable`: the lock guards all of its state.
final class ManualTime: ClientClock, UploadTimer, @unchecked Sendable {
  private let lock = NSLock()
  private var elapsed: Int64 = 0
  private var alarms: [(microseconds: Int64, work: @Sendable () -> Void)] = []

  var wallMicroseconds: Int64 { 1_796_032_805_120_000 + monotonicMicroseconds }

  var monotonicMicroseconds: Int64 {
    lock.lock()
    defer { lock.unlock() }
    return elapsed
  }

  func call(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
    lock.lock()
    defer { lock.unlock() }
    alarms.append((elapsed + Int64(seconds * 1_000_000), work))
  }

  /// Lets time pass, and rings what is due.
  func pass(seconds: Double) {
    lock.lock()
    elapsed += Int64(seconds * 1_000_000)
    let due = alarms.filter { $0.microseconds <= elapsed }.sorted { $0.microseconds < $1.microseconds }
    alarms.removeAll { $0.microseconds <= elapsed }
    lock.unlock()
    for alarm in due { alarm.work() }
  }
}

/// Always the same number: 0 is no jitter, `UInt64.max` the most.
struct FixedRandomness: ClientRandomness {
  var value: UInt64 = 0
  func next() -> UInt64 { value }
}

/// Answers as the test says, at once, and remembers what it was sent.
///
/// `@unchecked Sendable`: the lock guards all of its state.
final class ScriptedTransport: UploadTransport, @unchecked Sendable {
  let longestSeconds = 30.0
  private let lock = NSLock()
  private var bodies: [String] = []
  private var heads: [UploadRequest] = []
  private let respond: @Sendable (_ body: String, _ number: Int) -> UploadOutcome?

  /// - Parameter respond: gets the body as text and the request's number, from 0; nil: it never comes back.
  init(_ respond: @escaping @Sendable (_ body: String, _ number: Int) -> UploadOutcome?) {
    self.respond = respond
  }

  var sent: [String] {
    lock.lock()
    defer { lock.unlock() }
    return bodies
  }

  var requests: [UploadRequest] {
    lock.lock()
    defer { lock.unlock() }
    return heads
  }

  func send(_ request: UploadRequest, completion: @escaping @Sendable (UploadOutcome) -> Void) {
    let body = (try? gunzip(request.body)).map { String(decoding: $0, as: UTF8.self) } ?? "no gzip"
    lock.lock()
    let number = bodies.count
    bodies.append(body)
    heads.append(request)
    lock.unlock()
    if let outcome = respond(body, number) { completion(outcome) }
  }
}

/// Unpacks gzip by zlib.
func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
  var body = DecompressedBody()
  var decompressor = try Decompressor(.gzip)
  try bytes.withUnsafeBytes { try body.decompress($0, with: &decompressor, limitBytes: 64 * 1024 * 1024) }
  return Array(body.bytes)
}

extension UploadAnswer {
  /// Pagefall's 202.
  static func accepted(_ count: Int, rejected: Int = 0) -> UploadAnswer {
    let errors = (0..<rejected).map { #"{"index":\#($0),"code":"missing_field","field":"at","message":"no at"}"# }
    return UploadAnswer(
      status: count > 0 ? 202 : 422,
      body: Array(
        #"{"accepted":\#(count),"rejected":\#(rejected),"errors":[\#(errors.joined(separator: ","))],"warnings":[]}"#
          .utf8))
  }

  /// One of Pagefall's problem documents.
  static func problem(_ status: Int, retryAfter: String? = nil) -> UploadAnswer {
    UploadAnswer(
      status: status, retryAfter: retryAfter,
      body: Array(#"{"type":"about:blank","title":"T","status":\#(status),"code":"a_code","detail":"words"}"#.utf8))
  }

  /// Somebody else's page.
  static func page(_ status: Int) -> UploadAnswer {
    UploadAnswer(status: status, body: Array("<!DOCTYPE html><title>Welcome to our WiFi</title>".utf8))
  }
}

/// How many events a body has.
func eventCount(_ body: String) -> Int { body.components(separatedBy: #"{"name":"#).count - 1 }
