import Postgres
import SessionMetrics
import StoryEvents

/// Reads the rows of `SessionQuery` into a `SessionHistory`.
struct FunnelRow {
  /// When the session started, in microseconds since 1970.
  let startedAtMicroseconds: Int64
  /// The columns that are the same for all sessions that count alike, as they came.
  let cohort: UnsafeRawBufferPointer

  /// Reads one message of the COPY; nil where it holds no session.
  ///
  /// - Parameter history: is filled with the session's events.
  init?(
    message: UnsafeRawBufferPointer, into history: inout SessionHistory
  ) throws(CopyRowReader.Damaged) {
    guard var row = try CopyRowReader(message: message, columnCount: SessionQuery.Column.allCases.count) else {
      return nil
    }
    history.removeAll()
    guard let events = try row.field() else { return nil }
    try Self.unpack(events, into: &history)
    if let durations = try row.field() { try Self.readStartPageDurations(durations, into: &history) }
    guard let startedAt = try row.field(), startedAt.count == 8 else { throw CopyRowReader.Damaged() }
    startedAtMicroseconds = Self.microsecondsSince1970(startedAt.bigEndian(at: 0))
    cohort = row.remainder
  }

  private static func unpack(
    _ packed: UnsafeRawBufferPointer, into history: inout SessionHistory
  ) throws(CopyRowReader.Damaged) {
    typealias Packed = SessionQuery.PackedEvent
    guard packed.count.isMultiple(of: Packed.byteCount) else { throw CopyRowReader.Damaged() }
    for offset in stride(from: 0, to: packed.count, by: Packed.byteCount) {
      let code = packed.bigEndian(at: offset)
      let duration = Double(bitPattern: UInt64(bitPattern: packed.bigEndian(at: offset + 16)))
      let type = UInt8(truncatingIfNeeded: (code >> Int64(Packed.bitsOfNumber)) & ((1 << Int64(Packed.bitsOfType)) - 1))
      history.append(
        StoredEvent(
          seq: Int(code >> Int64(Packed.bitsOfNumber + Packed.bitsOfType)), type: EventType(rawValue: type),
          number: Int(code & ((1 << Int64(Packed.bitsOfNumber)) - 1)),
          atMicroseconds: microsecondsSince1970(packed.bigEndian(at: offset + 8)),
          durationSeconds: duration.isNaN ? nil : duration))
    }
    history.putInOrder()
  }

  /// The array is the start's `seq`, then a duration for each page. They count where it is the session's first start.
  private static func readStartPageDurations(
    _ array: UnsafeRawBufferPointer, into history: inout SessionHistory
  ) throws(CopyRowReader.Damaged) {
    var numbers = try CopyRowReader.floatArray(array)
    guard !numbers.isEmpty, let seq = numbers.removeFirst() else { throw CopyRowReader.Damaged() }
    let firstStart = history.events.first { $0.type == .start }
    if let firstStart, Double(firstStart.seq) == seq { history.startPageDurations = numbers }
  }

  /// The server counts from 2000-01-01. Its infinities, which no event has, stay far away.
  private static func microsecondsSince1970(_ number: Int64) -> Int64 {
    number.addingReportingOverflow(946_684_800_000_000).partialValue
  }
}

extension CopyRowReader {
  /// Reads a one-dimensional `float8[]` (PostgreSQL source: `array_send`).
  static func floatArray(_ bytes: UnsafeRawBufferPointer) throws(Damaged) -> [Double?] {
    var reader = CopyRowReader(bytes: bytes)
    let dimensions = try reader.integer(Int32.self)
    _ = try reader.integer(Int64.self)  // whether there are nulls, and the type
    if dimensions == 0 { return [] }
    let count = try reader.integer(Int32.self)
    _ = try reader.integer(Int32.self)  // the lower bound
    guard dimensions == 1, count >= 0, Int(count) <= reader.remainder.count / 4 else { throw Damaged() }
    var numbers: [Double?] = []
    numbers.reserveCapacity(Int(count))
    for _ in 0..<count {
      guard let field = try reader.field() else {
        numbers.append(nil)
        continue
      }
      guard field.count == 8 else { throw Damaged() }
      numbers.append(Double(bitPattern: UInt64(bitPattern: field.bigEndian(at: 0))))
    }
    return numbers
  }
}

extension UnsafeRawBufferPointer {
  /// Eight bytes, most significant first. The caller has checked that they are there.
  fileprivate func bigEndian(at offset: Int) -> Int64 {
    Int64(bigEndian: loadUnaligned(fromByteOffset: offset, as: Int64.self))
  }
}
