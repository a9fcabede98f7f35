import EventRecords
import Postgres
import StoryEvents

/// A row of `pagefall.stored_events` in COPY's binary format.
enum EventRow {
  static let copyStatement = """
    COPY pagefall.stored_events (session_id, seq, type, at, page_index, page_count, duration, source, action, page_durations, \
    reason, content_code, error, category_id, button_id) FROM STDIN (FORMAT binary)
    """

  /// What `pg_type.dat` gives `float8` in every PostgreSQL.
  private static let float8TypeNumber: Int32 = 701

  @inline(__always)
  static func encode(_ event: EventView, _ encoder: inout BinaryCopyEncoder) {
    encoder.beginRow(fieldCount: 15)
    encoder.append(PostgresUUID(high: event.storedHigh, low: event.low))
    encoder.append(event.seq)
    encoder.append(Int16(event.type.rawValue))
    encoder.append(timestampMicrosecondsSince1970: event.atMicroseconds)
    if let index = event.pageIndex { encoder.append(index) } else { encoder.appendNull() }
    if let count = event.pageCount { encoder.append(count) } else { encoder.appendNull() }
    if let seconds = event.durationSeconds { encoder.append(seconds) } else { encoder.appendNull() }
    if let source = event.source { encoder.append(Int16(source.rawValue)) } else { encoder.appendNull() }
    if let action = event.action { encoder.append(Int16(action.rawValue)) } else { encoder.appendNull() }
    if event.pageDurationCount > 0 { encodeDurations(event, &encoder) } else { encoder.appendNull() }
    if event.textMask == 0 {
      for _ in 0..<5 { encoder.appendNull() }
    } else {
      encodeTexts(event, &encoder)
    }
  }

  @inline(never)
  private static func encodeTexts(_ event: EventView, _ encoder: inout BinaryCopyEncoder) {
    for text in EventText.allCases {
      if let value = event.text(text) { encoder.append(bytes: value) } else { encoder.appendNull() }
    }
  }

  /// `float8[]` in the binary form of arrays: dimensions, whether it has nulls, the element's type, then length and
  /// lower bound, then the elements.
  @inline(never)
  private static func encodeDurations(_ event: EventView, _ encoder: inout BinaryCopyEncoder) {
    let count = event.pageDurationCount
    withUnsafeTemporaryAllocation(byteCount: 20 + count * 12, alignment: 8) { bytes in
      var length = 0
      func append<Value: FixedWidthInteger>(_ value: Value) {
        bytes.storeBytes(of: value.bigEndian, toByteOffset: length, as: Value.self)
        length += MemoryLayout<Value>.size
      }
      append(Int32(1))
      append(Int32((0..<count).contains { event.pageDurationSeconds($0) == nil } ? 1 : 0))
      append(float8TypeNumber)
      append(Int32(count))
      append(Int32(1))
      for index in 0..<count {
        if let seconds = event.pageDurationSeconds(index) {
          append(Int32(8))
          append(seconds.bitPattern)
        } else {
          append(Int32(-1))
        }
      }
      encoder.append(bytes: UnsafeRawBufferPointer(rebasing: bytes[..<length]))
    }
  }
}
