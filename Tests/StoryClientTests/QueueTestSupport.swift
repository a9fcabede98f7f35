import Foundation
import StoryEvents
import TestSupport

@testable import StoryClient

/// A clock that a test sets.
final class SetClock: ClientClock, @unchecked Sendable {
  private let lock = NSLock()
  private var wall: Int64
  private var monotonic: Int64 = 5_000_000

  /// 2026-11-30T12:00:00Z.
  static let noon: Int64 = 1_796_040_000_000_000

  /// Now, by the machine's clock. Files have its times, whatever a test's clock says.
  static var machine: Int64 { SystemClock().wallMicroseconds }

  /// So many days, in microseconds.
  static func days(_ count: Int64) -> Int64 { count * 86_400_000_000 }

  init(_ wall: Int64 = SetClock.noon) { self.wall = wall }

  var wallMicroseconds: Int64 { lock.withLock { wall } }
  var monotonicMicroseconds: Int64 { lock.withLock { monotonic } }

  /// Time passes.
  func advance(microseconds: Int64) {
    lock.withLock {
      wall += microseconds
      monotonic += microseconds
    }
  }

  /// Somebody sets the clock.
  func set(_ microseconds: Int64) { lock.withLock { wall = microseconds } }
}

/// Random numbers that a seed decides.
final class SeededRandomness: ClientRandomness, @unchecked Sendable {
  private let lock = NSLock()
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  func next() -> UInt64 { lock.withLock { generator.next() } }
}

/// The system's files, of which some operations fail as a test says.
final class FaultyFiles: QueueFiles, @unchecked Sendable {
  enum Operation: Hashable { case makeDirectory, names, read, status, open, append, truncate, rename, link, remove }

  private let lock = NSLock()
  private var codes: [Operation: Int32] = [:]
  private var room: Int?
  private var interlude: (operation: Operation, ending: String, work: () -> Void)?
  private let real = SystemQueueFiles()

  /// From now on these fail with this code.
  func fail(_ operations: Set<Operation>, _ code: Int32) {
    lock.withLock { for operation in operations { codes[operation] = code } }
  }

  /// From now on nothing fails.
  func heal() {
    lock.withLock {
      codes = [:]
      room = nil
    }
  }

  /// From now on only so many bytes can be appended.
  func leaveRoom(_ bytes: Int) { lock.withLock { room = bytes } }

  /// Once, just before this is done to a file whose name ends so, somebody else does something.
  func before(_ operation: Operation, _ ending: String, _ work: @escaping () -> Void) {
    lock.withLock { interlude = (operation, ending, work) }
  }

  private func check(_ operation: Operation, _ path: String = "") throws(FileFault) {
    let work = lock.withLock { () -> (() -> Void)? in
      guard let interlude, interlude.operation == operation, path.hasSuffix(interlude.ending) else { return nil }
      self.interlude = nil
      return interlude.work
    }
    work?()
    if let code = lock.withLock({ codes[operation] }) { throw FileFault(code) }
  }

  func makeDirectory(_ path: String) throws(FileFault) {
    try check(.makeDirectory)
    try real.makeDirectory(path)
  }
  func names(in path: String) throws(FileFault) -> [String] {
    try check(.names, path)
    return try real.names(in: path)
  }
  func read(_ path: String, mostBytes: Int) throws(FileFault) -> [UInt8] {
    try check(.read, path)
    return try real.read(path, mostBytes: mostBytes)
  }
  func status(_ path: String) throws(FileFault) -> FileStatus {
    try check(.status, path)
    return try real.status(path)
  }
  func status(_ descriptor: Int32) throws(FileFault) -> FileStatus {
    try check(.status)
    return try real.status(descriptor)
  }
  func openToAppend(_ path: String, isNew: Bool) throws(FileFault) -> Int32 {
    try check(.open, path)
    return try real.openToAppend(path, isNew: isNew)
  }
  func append(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileFault) -> Int {
    try check(.append)
    let fit = lock.withLock {
      let fit = min(bytes.count, room ?? .max)
      room = room.map { $0 - fit }
      return fit
    }
    if fit == 0, !bytes.isEmpty { throw FileFault(ENOSPC) }
    return try real.append(descriptor, Array(bytes.prefix(fit)))
  }
  func truncate(_ descriptor: Int32, to size: Int) throws(FileFault) {
    try check(.truncate)
    try real.truncate(descriptor, to: size)
  }
  func close(_ descriptor: Int32) { real.close(descriptor) }
  func rename(_ path: String, to newPath: String) throws(FileFault) {
    try check(.rename, path)
    try real.rename(path, to: newPath)
  }
  func link(_ path: String, to newPath: String) throws(FileFault) {
    try check(.link, path)
    try real.link(path, to: newPath)
  }
  func remove(_ path: String) throws(FileFault) {
    try check(.remove, path)
    try real.remove(path)
  }
}

/// A phone with a queue of its own, or one that shares another's. Its clients never upload.
final class TestPhone {
  let container: String
  let clock: SetClock
  let files: FaultyFiles
  var configuration: StoryClientConfiguration
  private let directory: TemporaryDirectory?
  private let seed: UInt64
  private var clients: UInt64 = 0

  init(seed: UInt64 = 1, container: String? = nil, clock: SetClock = SetClock()) throws {
    directory = container == nil ? try TemporaryDirectory() : nil
    self.container = container ?? directory?.path ?? ""
    self.clock = clock
    self.seed = seed
    files = FaultyFiles()
    // An address that nothing can be sent to stops the uploader before it touches the queue.
    configuration = StoryClientConfiguration(collector: URL(fileURLWithPath: "/nowhere"), writeKey: "pfw_test")
    configuration.queueDirectory = URL(fileURLWithPath: self.container, isDirectory: true)
  }

  var queueDirectory: String { container + "/pagefall" }

  /// Another process, as far as files can tell. Its first look after the bounds is over, so that it comes into nobody's way.
  func client(bounds: QueueBounds = QueueBounds()) -> StoryClient {
    clients += 1
    let client = StoryClient(
      configuration, clock: clock, randomness: SeededRandomness(seed: seed &* 1_000 &+ clients), files: files,
      facts: DeviceFacts(appVersion: "4.2.0", osVersion: "26.1", deviceModel: "iPhone17,1", locale: "de_DE"),
      bounds: bounds, transport: NoTransport(), timer: NoTimer())
    client.eventQueue.background.sync {}
    return client
  }

  /// The names in the queue's directory, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: queueDirectory)) ?? []).sorted()
  }

  func bytes(_ name: String) -> [UInt8] {
    (FileManager.default.contents(atPath: queueDirectory + "/" + name)).map { Array($0) } ?? []
  }

  func write(_ name: String, _ bytes: [UInt8]) throws {
    try FileManager.default.createDirectory(atPath: queueDirectory, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: queueDirectory + "/" + name))
  }
}

private struct NoTransport: UploadTransport {
  var longestSeconds: Double { 1 }
  func send(_ request: UploadRequest, completion: @escaping @Sendable (UploadOutcome) -> Void) {}
}

private struct NoTimer: UploadTimer {
  func call(after seconds: Double, _ work: @escaping @Sendable () -> Void) {}
}

extension StoryClient {
  var eventQueue: EventQueue { services.queue }

  /// All that waits, without removing it.
  func waiting() -> [WaitingEvent] {
    (eventQueue.nextBatch(mostEvents: 1_000_000)?.parts ?? []).flatMap { part in
      part.events.map { WaitingEvent(context: part.context, json: $0.json) }
    }
  }
}

/// An event that waits, as JSON.
struct WaitingEvent {
  var context: [UInt8]
  var json: [UInt8]

  subscript(_ name: String) -> Any? { object[name] }
  var object: [String: Any] { WaitingEvent.object(json) }
  var contextObject: [String: Any] { WaitingEvent.object(context) }
  var properties: [String: Any] { contextObject["properties"] as? [String: Any] ?? [:] }
  var type: String { object["type"] as? String ?? "" }
  var seq: Int { object["seq"] as? Int ?? -1 }
  var session: String { object["session_id"] as? String ?? "" }

  static func object(_ bytes: [UInt8]) -> [String: Any] {
    (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
  }
}

/// A payload with a story of so many pages.
func storyPayload(_ pageCount: Int = 3, storyID: String? = "spring-sale") -> [AnyHashable: Any] {
  var block: [String: Any] = [
    "pages": (0..<pageCount).map {
      ["image": "https://example.com/\($0).jpg", "title": "Page \($0)", "duration": 4.5] as [String: Any]
    }
  ]
  block["story_id"] = storyID
  return ["aps": ["category": "PW_STORIES"], "p": "_1C_2a_000-000000-000000", "u": ["pw_stories": block]]
}
