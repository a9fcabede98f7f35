import EventRecords
import StoryEvents

/// What stands in records, copied out so that it can be compared.
struct RecordContents {
  struct Event: Equatable {
    var type: EventType
    var session: String
    var seq: Int32
    var at: Int64
    var context: [String: String]
    var contextOffset: UInt32
    var pageIndex: Int16?
    var pageCount: Int16?
    var source: RichMediaSource?
    var action: ResponseAction?
    var duration: Double?
    var pageDurations: [Double?]
    var texts: [String: String]
    var index: UInt32
    var raw: String
  }
  struct Rejected: Equatable {
    var code: RejectionCode
    var field: String
    var message: String
    var index: UInt32
    var raw: [UInt8]
  }
  struct Page: Equatable {
    var context: [String: String]
    var pageIndex: Int16
    var duration: Double?
    var payloadIndex: Int32?
    var texts: [String: String]
  }
  struct Dropped: Equatable {
    var total: Int32
    var deviceID: String
  }

  var headers: [EventRecordHeader] = []
  var events: [Event] = []
  var rejected: [Rejected] = []
  var pages: [Page] = []
  var dropped: [Dropped] = []
  var contexts = 0

  init(_ records: [[UInt8]]) throws {
    for record in records { try record.withUnsafeBytes { try add($0) } }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) throws {
    var reader = try EventRecordReader(bytes)
    headers.append(reader.header)
    let accepted = events.count
    let refused = rejected.count
    while let item = try reader.next() {
      switch item {
      case .context: contexts += 1
      case .event(let view):
        var texts: [String: String] = [:]
        for text in EventText.allCases { if let bytes = view.text(text) { texts[text.name] = string(bytes) } }
        events.append(
          Event(
            type: view.type, session: SessionID(storedHigh: view.storedHigh, storedLow: view.low)?.description ?? "",
            seq: view.seq, at: view.atMicroseconds, context: try context(reader, view.contextOffset),
            contextOffset: view.contextOffset, pageIndex: view.pageIndex, pageCount: view.pageCount,
            source: view.source, action: view.action, duration: view.durationSeconds,
            pageDurations: (0..<view.pageDurationCount).map { view.pageDurationSeconds($0) }, texts: texts,
            index: view.index, raw: string(view.rawJSON)))
      case .rejected(let view):
        rejected.append(
          Rejected(
            code: view.code, field: string(view.field), message: string(view.message), index: view.index,
            raw: Array(view.rawJSON)))
      case .page(let view):
        var texts: [String: String] = [:]
        for text in PageText.allCases { if let bytes = view.text(text) { texts[text.name] = string(bytes) } }
        pages.append(
          Page(
            context: try context(reader, view.contextOffset), pageIndex: view.pageIndex,
            duration: view.durationSeconds, payloadIndex: view.payloadIndex, texts: texts))
      case .dropped(let view): dropped.append(Dropped(total: view.total, deviceID: string(view.deviceID)))
      }
    }
    guard reader.acceptedCount == events.count - accepted, reader.rejectedCount == rejected.count - refused else {
      throw EventRecordError.damaged(offset: 24, problem: .badCount)
    }
  }

  private func context(_ reader: EventRecordReader, _ offset: UInt32) throws -> [String: String] {
    var result: [String: String] = [:]
    guard let view = try reader.context(at: offset) else { return result }
    for field in ContextField.allCases { if let bytes = view.value(field) { result[field.name] = string(bytes) } }
    return result
  }

  private func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
}

/// An event's text from its fields; every event has the common ones unless they are given.
func event(_ type: String = "finish", _ fields: String = "", common: String? = nil) -> String {
  let common =
    common ?? #""session_id":"01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f","seq":1,"at":"2026-11-29T10:00:00Z""#
  let parts = [type.isEmpty ? "" : #""type":"\#(type)""#, common, fields]
  return "{" + parts.filter { !$0.isEmpty }.joined(separator: ",") + "}"
}
