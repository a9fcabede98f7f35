import EventRecords
import EventStore
import Postgres
import StoryEvents
import TestSupport

/// An event as a test writes it down.
struct TestEvent {
  var type = EventType.pageShown
  var session: SessionID
  var seq: Int32
  var at: Int64
  var pageIndex: Int16? = 0
  var pageCount: Int16?
  var context: [ContextField: String] = [:]
  var texts: [EventText: String] = [:]
  var duration: Double?
  var pageDurations: [Double] = []
  var source: RichMediaSource?
  var action: ResponseAction?
  var page: [PageText: String]?

  init(
    _ session: SessionID, _ seq: Int32, at: Int64 = testTime, pageIndex: Int16? = 0,
    context: [ContextField: String] = [:]
  ) {
    self.session = session
    self.seq = seq
    self.at = at
    self.pageIndex = pageIndex
    self.context = context
  }

  /// As it would have been sent.
  var json: String { "{\"type\":\"\(type.name)\",\"session_id\":\"\(session)\",\"seq\":\(seq),\"at\":\(at / 1000)}" }
}

/// The middle of a month that has a partition: now, cut to the day.
let testTime: Int64 = SystemTime.microsecondsSince1970() / 86_400_000_000 * 86_400_000_000

/// A version 7 session whose id says this time.
func session(_ number: UInt64, at microseconds: Int64 = testTime) -> SessionID {
  SessionID(
    millisecondsSince1970: UInt64(microseconds / 1000), randomHigh: UInt16(number % 4096), randomLow: number)
}

/// A version 4 session.
func randomSession(_ number: UInt64) -> SessionID {
  SessionID(high: (number &* 0x9E37_79B9_7F4A_7C15) & ~0xF000 | 0x4000, low: 0x8000_0000_0000_0000 | number)!
}

/// A record as the collector would write it.
struct TestRecord {
  var app = "shop"
  var origin = EventOrigin.http
  var received: Int64? = testTime + 1_000_000
  var sent: Int64?
  var events: [TestEvent] = []
  var rejected: [(code: RejectionCode, body: String)] = []
  var drops: [(total: Int32, device: String)] = []

  init(_ events: [TestEvent] = [], app: String = "shop", received: Int64? = testTime + 1_000_000, sent: Int64? = nil) {
    self.events = events
    self.app = app
    self.received = received
    self.sent = sent
  }

  /// The record's bytes.
  var bytes: [UInt8] {
    var writer = EventRecordWriter()
    writer.begin(
      EventRecordHeader(origin: origin, app: app, receivedAtMicroseconds: received, sentAtMicroseconds: sent))
    var kept: [UnsafeMutableRawBufferPointer] = []
    defer { for buffer in kept { buffer.deallocate() } }
    func keep(_ text: String) -> UnsafeRawBufferPointer {
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(text.utf8.count, 1), alignment: 1)
      buffer.copyBytes(from: text.utf8)
      kept.append(buffer)
      return UnsafeRawBufferPointer(rebasing: buffer.prefix(text.utf8.count))
    }
    var lastContext: ([ContextField: String], UInt32) = ([:], 0)
    for (index, event) in events.enumerated() {
      if event.context != lastContext.0 {
        var values = ContextValues()
        for (field, text) in event.context { values[field] = keep(text) }
        lastContext = (event.context, values.isEmpty ? 0 : writer.appendContext(values))
      }
      var accepted = AcceptedEvent(
        type: event.type, sessionID: event.session, seq: event.seq, atMicroseconds: event.at,
        contextOffset: lastContext.1, index: UInt32(index), rawJSON: keep(event.json))
      accepted.pageIndex = event.pageIndex
      accepted.pageCount = event.pageCount
      accepted.durationSeconds = event.duration
      accepted.source = event.source
      accepted.action = event.action
      for (text, value) in event.texts { accepted.texts[text] = keep(value) }
      event.pageDurations.withUnsafeBufferPointer {
        accepted.pageDurationsSeconds = $0
        writer.append(accepted)
      }
      if let page = event.page {
        var details = PageDetails(
          contextOffset: lastContext.1, pageIndex: event.pageIndex ?? 0, sessionID: event.session)
        for (text, value) in page { details[text] = keep(value) }
        details.durationSeconds = event.duration
        writer.append(details)
      }
    }
    for (index, event) in rejected.enumerated() {
      writer.append(
        RejectedEvent(
          code: event.code, field: keep("seq"), message: keep("found nothing"), index: UInt32(index),
          rawJSON: keep(event.body)))
    }
    for drop in drops { writer.append(DroppedEvents(total: drop.total, deviceID: keep(drop.device))) }
    writer.end()
    return writer.withRecord(0) { Array($0) }
  }
}

extension BatchStore {
  /// Adds records and stores them as one batch.
  @discardableResult
  mutating func store(_ records: TestRecord...) throws -> FateCounts {
    for record in records { try record.bytes.withUnsafeBytes { try add($0) } }
    return try store()
  }
}

/// A store of a test's own into this database, as `pagefall ingest` would use it.
func makeStore(_ connectionString: String, source: BatchSource = .file, random: UInt64 = 1) throws -> BatchStore {
  BatchStore(try ConnectionOptions(connectionString), source: source, random: SeededGenerator(seed: random))
}

/// Fates, by the names of the contract.
func fates(
  stored: Int = 0, duplicate: Int = 0, conflicting: Int = 0, foreign: Int = 0, expired: Int = 0, refused: Int = 0
) -> FateCounts {
  var counts = FateCounts()
  counts.stored = stored
  counts.duplicates = duplicate
  counts.conflictingDuplicates = conflicting
  counts.foreignSessions = foreign
  counts.expired = expired
  counts.refusedByDatabase = refused
  return counts
}
