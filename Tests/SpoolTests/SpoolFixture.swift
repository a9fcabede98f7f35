import Spool
import Synchronization
import TestSupport

/// A spool on a simulated disk, with a clock that the test sets. It begins at 1970, so that segments are numbered from 1.
final class SpoolFixture: Sendable {
  let disk: SimulatedDisk
  let clock = Mutex<Int64>(0)
  let events = Mutex<[SpoolEvent]>([])
  let configuration: SpoolConfiguration
  private let randomness = Mutex(SeededGenerator(seed: 7))

  init(disk: SimulatedDisk = SimulatedDisk(), _ adjust: (inout SpoolConfiguration) -> Void = { _ in }) {
    self.disk = disk
    var configuration = SpoolConfiguration(directory: "/spool")
    configuration.diskReserveFraction = 0
    adjust(&configuration)
    self.configuration = configuration
  }

  func open() throws(SpoolError) -> Spool {
    let environment = SpoolEnvironment(
      fileSystem: disk, nowMicroseconds: { [self] in clock.withLock { $0 } },
      randomBytes: { [self] count in randomness.withLock { generator in generator.bytes(count) } })
    return try Spool(configuration, environment: environment) { [self] event in events.withLock { $0.append(event) } }
  }

  func advanceClock(seconds: Int64) {
    clock.withLock { $0 += seconds * 1_000_000 }
  }

  /// Makes the next identity differ from that of another fixture.
  func advanceGenerator() {
    randomness.withLock { generator in _ = generator.next() }
  }

  func takeEvents() -> [SpoolEvent] {
    events.withLock { events in
      defer { events = [] }
      return events
    }
  }

  func segmentPath(_ number: Int64) -> String {
    let digits = String(number)
    return "/spool/" + String(repeating: "0", count: 19 - digits.count) + digits + ".segment"
  }

  var segmentPaths: [String] { disk.paths.filter { $0.hasSuffix(".segment") } }
}

/// A record as a test sees it.
struct StoredRecord: Equatable {
  var bytes: [UInt8]
  var begin: SpoolPosition
  var end: SpoolPosition
}

extension Spool {
  @discardableResult
  func append(_ bytes: [UInt8]) throws(SpoolError) -> SpoolPosition {
    try bytes.withUnsafeBufferPointer { (bytes) throws(SpoolError) in try append(UnsafeRawBufferPointer(bytes)) }
  }

  @discardableResult
  func append(_ text: String) throws(SpoolError) -> SpoolPosition {
    try append(Array(text.utf8))
  }

  /// Everything that can be read from a position on.
  func records(from position: SpoolPosition? = nil) throws(SpoolError) -> [StoredRecord] {
    var reader = makeReader(from: position)
    var records: [StoredRecord] = []
    while let record = try reader.next() {
      records.append(StoredRecord(bytes: Array(record.bytes), begin: record.begin, end: record.end))
    }
    return records
  }

  func texts(from position: SpoolPosition? = nil) throws(SpoolError) -> [String] {
    try records(from: position).map { String(decoding: $0.bytes, as: UTF8.self) }
  }
}
