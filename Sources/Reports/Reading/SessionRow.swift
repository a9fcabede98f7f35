import Postgres
import SessionMetrics

/// A row of `SessionQuery`.
package struct SessionRow {
  /// When the session started, in microseconds since 1970.
  package let startedAtMicroseconds: Int64
  /// The columns that the reader asked for, as they came.
  package let columns: UnsafeRawBufferPointer

  /// Reads one message of the COPY; nil where it holds no session, or one without events.
  ///
  /// - Parameters:
  ///   - columnCount: how many columns the reader asked for.
  ///   - history: is filled with the session's events.
  init?(
    message: UnsafeRawBufferPointer, columnCount: Int, into history: inout SessionHistory
  ) throws(CopyRowReader.Damaged) {
    guard var row = try CopyRowReader(message: message, columnCount: SessionQuery.fixedColumnCount + columnCount)
    else { return nil }
    guard let packed = try row.field() else { return nil }
    try PackedHistory.read(packed, into: &history)
    guard let startedAt = try row.field(), startedAt.count == 8 else { throw CopyRowReader.Damaged() }
    startedAtMicroseconds = PostgresTime.microsecondsSince1970(startedAt.bigEndian(at: 0))
    columns = row.remainder
  }
}

extension CopyRowReader {
  /// A text, or null.
  mutating func text() throws(Damaged) -> String? {
    try field().map { String(decoding: $0, as: UTF8.self) }
  }

  /// An `integer` that is never null.
  mutating func int32() throws(Damaged) -> Int32 {
    guard let bytes = try field(), bytes.count == 4 else { throw Damaged() }
    return Int32(bigEndian: bytes.loadUnaligned(as: Int32.self))
  }

  /// A `bigint` that is never null.
  mutating func int64() throws(Damaged) -> Int64 {
    guard let bytes = try field(), bytes.count == 8 else { throw Damaged() }
    return bytes.bigEndian(at: 0)
  }

  /// A `timestamptz` that is never null, in microseconds since 1970.
  mutating func instant() throws(Damaged) -> Int64 { PostgresTime.microsecondsSince1970(try int64()) }

  /// A `boolean` that is never null.
  mutating func flag() throws(Damaged) -> Bool {
    guard let bytes = try field(), bytes.count == 1 else { throw Damaged() }
    return bytes[0] != 0
  }
}
