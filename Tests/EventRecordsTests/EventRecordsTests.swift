import StoryEvents
import Testing

@testable import EventRecords

private let session = SessionID("01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f")
private let randomSession = SessionID("9d2e5a1b-2c3d-4e5f-8a9b-0c1d2e3f4a5b")

/// A literal's bytes, which live as long as the process.
func literal(_ text: StaticString) -> UnsafeRawBufferPointer {
  UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
}

func text(_ bytes: UnsafeRawBufferPointer?) -> String? {
  bytes.map { String(decoding: $0, as: UTF8.self) }
}

/// A record with an item of each kind.
func writeSample(_ writer: inout EventRecordWriter) throws {
  let session = try #require(session)
  writer.begin(
    EventRecordHeader(
      origin: .file, app: "shop", receivedAtMicroseconds: 1_795_946_400_000_001, sentAtMicroseconds: nil))
  var context = ContextValues()
  context[.storyID] = literal("spring-sale")
  context[.properties] = literal(#"{"plan":"free"}"#)
  context[.appVersion] = literal("")
  let offset = writer.appendContext(context)

  var start = AcceptedEvent(
    type: .start, sessionID: session, seq: 0, atMicroseconds: -1, contextOffset: offset, index: 7,
    rawJSON: literal(#"{"type":"start"}"#))
  start.pageCount = 2
  let durations: [Double] = [5, .nan, 0.5]
  durations.withUnsafeBufferPointer {
    start.pageDurationsSeconds = $0
    writer.append(start)
  }

  var response = AcceptedEvent(
    type: .notificationResponse, sessionID: try #require(randomSession), seq: .max, atMicroseconds: 5, contextOffset: 0,
    index: 8, rawJSON: literal("{}"))
  response.action = .button
  response.source = .inApp
  response.durationSeconds = 4.25
  response.pageIndex = 999
  response.texts[.categoryID] = literal("12")
  response.texts[.buttonID] = literal("yes ✓")
  response.texts[.reason] = literal("")
  writer.append(response)

  writer.append(
    RejectedEvent(
      code: .invalidSeq, field: literal("seq"), message: literal("seq is -1"), index: 9,
      rawJSON: literal("{\"seq\":-1}")))

  var page = PageDetails(contextOffset: offset, pageIndex: 3, sessionID: session)
  page[.title] = literal("Welcome")
  page[.key] = literal("k")
  page.payloadIndex = 4
  page.durationSeconds = 5
  writer.append(page)
  writer.append(DroppedEvents(total: 12, deviceID: literal("device-1")))
  writer.end()
}

@Suite struct `Event records` {
  @Test func `everything that was written is read back`() throws {
    var writer = EventRecordWriter(capacity: 0)
    try writeSample(&writer)
    #expect(writer.recordCount == 1)
    try writer.withRecord(0) { bytes in
      #expect(bytes.count % 8 == 0)
      var reader = try EventRecordReader(bytes)
      #expect(
        reader.header
          == EventRecordHeader(
            origin: .file, app: "shop", receivedAtMicroseconds: 1_795_946_400_000_001, sentAtMicroseconds: nil))
      #expect(reader.acceptedCount == 2)
      #expect(reader.rejectedCount == 1)

      guard case .context(let context)? = try reader.next() else { throw Surprise() }
      #expect(text(context.value(.storyID)) == "spring-sale")
      #expect(text(context.value(.appVersion)) == "")
      #expect(text(context.value(.properties)) == #"{"plan":"free"}"#)
      #expect(context.value(.deviceID) == nil)

      guard case .event(let start)? = try reader.next() else { throw Surprise() }
      #expect(start.type == .start)
      #expect(SessionID(storedHigh: start.storedHigh, storedLow: start.low) == session)
      #expect(start.seq == 0 && start.atMicroseconds == -1 && start.index == 7)
      #expect(start.pageIndex == nil && start.pageCount == 2 && start.source == nil && start.action == nil)
      #expect(start.durationSeconds == nil && start.pageDurationCount == 3)
      #expect(start.pageDurationSeconds(0) == 5 && start.pageDurationSeconds(1) == nil)
      #expect(start.pageDurationSeconds(2) == 0.5)
      #expect(text(start.rawJSON) == #"{"type":"start"}"#)
      #expect(start.contextOffset == context.offset)
      #expect(text(try reader.context(at: start.contextOffset)?.value(.storyID)) == "spring-sale")

      guard case .event(let response)? = try reader.next() else { throw Surprise() }
      #expect(response.type == .notificationResponse && response.seq == .max && response.contextOffset == 0)
      #expect(SessionID(storedHigh: response.storedHigh, storedLow: response.low) == randomSession)
      #expect(response.action == .button && response.source == .inApp && response.durationSeconds == 4.25)
      #expect(response.pageIndex == 999 && response.pageCount == nil)
      #expect(text(response.text(.categoryID)) == "12" && text(response.text(.buttonID)) == "yes ✓")
      #expect(text(response.text(.reason)) == "" && response.text(.error) == nil && response.text(.contentCode) == nil)
      #expect(text(response.rawJSON) == "{}")
      #expect(try reader.context(at: 0)?.mask == nil)

      guard case .rejected(let rejected)? = try reader.next() else { throw Surprise() }
      #expect(rejected.code == .invalidSeq && rejected.index == 9)
      #expect(text(rejected.field) == "seq" && text(rejected.message) == "seq is -1")
      #expect(text(rejected.rawJSON) == "{\"seq\":-1}")

      guard case .page(let page)? = try reader.next() else { throw Surprise() }
      #expect(page.pageIndex == 3 && page.payloadIndex == 4 && page.durationSeconds == 5)
      #expect(text(page.text(.title)) == "Welcome" && text(page.text(.key)) == "k" && page.text(.link) == nil)
      #expect(page.contextOffset == context.offset)

      guard case .dropped(let dropped)? = try reader.next() else { throw Surprise() }
      #expect(dropped.total == 12 && text(dropped.deviceID) == "device-1")
      #expect(try reader.next() == nil)
    }
  }

  @Test func `several records stand in one buffer, and an empty one leaves nothing`() throws {
    var writer = EventRecordWriter(capacity: 0)
    let header = EventRecordHeader(origin: .http, app: "", receivedAtMicroseconds: nil, sentAtMicroseconds: 3)
    for _ in 0..<200 { try writeSample(&writer) }
    writer.begin(header)
    writer.end()
    #expect(writer.recordCount == 200)
    for index in 0..<200 { #expect(try writer.withRecord(index, countItems) == 6) }
    writer.begin(header)
    writer.append(DroppedEvents(total: 1, deviceID: literal("")))
    writer.removeRecords(from: 100)
    #expect(writer.recordCount == 100)
    try writeSample(&writer)
    for index in 0..<101 { #expect(try writer.withRecord(index, countItems) == 6) }
    writer.removeAll(maximumCapacity: 1024)
    #expect(writer.recordCount == 0 && writer.byteCount == 0)
  }

  @Test func `an event's context wins over its batch's, field by field`() {
    var base = ContextValues()
    var own = ContextValues()
    var merged = ContextValues()
    base[.storyID] = literal("a")
    base[.locale] = literal("de")
    own[.storyID] = literal("b")
    own[.userID] = literal("u")
    merged.merge(base: base, override: own)
    #expect(text(merged[.storyID]) == "b" && text(merged[.locale]) == "de" && text(merged[.userID]) == "u")
    #expect(merged[.deviceID] == nil)
    merged[.storyID] = nil
    #expect(merged[.storyID] == nil)
    merged.removeAll()
    #expect(merged.isEmpty == true)
  }
}

struct Surprise: Error {}

/// Reads everything of a record and counts its items.
func countItems(_ bytes: UnsafeRawBufferPointer) throws -> Int {
  var reader = try EventRecordReader(bytes)
  var count = 0
  while let item = try reader.next() {
    count += 1
    switch item {
    case .context(let context):
      for field in ContextField.allCases { touch(context.value(field)) }
    case .event(let event):
      for field in EventText.allCases { touch(event.text(field)) }
      for index in 0..<event.pageDurationCount { _ = event.pageDurationSeconds(index) }
      touch(event.rawJSON)
      _ = (event.pageIndex, event.pageCount, event.source, event.action, event.durationSeconds, event.seq)
      touch(try reader.context(at: event.contextOffset)?.value(.properties))
    case .rejected(let rejected):
      touch(rejected.field)
      touch(rejected.message)
      touch(rejected.rawJSON)
    case .page(let page):
      for field in PageText.allCases { touch(page.text(field)) }
      _ = (page.pageIndex, page.payloadIndex, page.durationSeconds)
      touch(try reader.context(at: page.contextOffset)?.value(.storyID))
    case .dropped(let dropped): touch(dropped.deviceID)
    }
  }
  return count
}

/// Reads every byte, so that a range outside the record would be noticed.
private func touch(_ bytes: UnsafeRawBufferPointer?) {
  guard let bytes else { return }
  var sum: UInt8 = 0
  for byte in bytes { sum &+= byte }
  withExtendedLifetime(sum) {}
}
