import Postgres

/// A row of `DayQuery`; its bytes are those of the message, and valid as long.
struct DayRow {
  /// The session's id as it was sent: bytes 0–7 and 8–15.
  let idHigh: UInt64
  let idLow: UInt64
  let startedAtMicroseconds: Int64
  let arrivedAtMicroseconds: Int64
  let clockOffsetMicroseconds: Int64
  let hasSuspectClock: Bool
  /// Its events are too many to be packed.
  let isLarge: Bool
  /// See `PackedEvent`; nil where it has none.
  let events: UnsafeRawBufferPointer?
  /// See `DayQuery.detailColumns`; nil where no event has any.
  let details: UnsafeRawBufferPointer?
  let appID: Int32
  /// UTF-8; nil where the sender named none.
  let story: UnsafeRawBufferPointer?
  /// The columns of app and story, as they came.
  let cohort: UnsafeRawBufferPointer
  let hasDevice: Bool
  /// Stands at the columns after the story's: `DayQuery.contextTexts`, then the properties.
  let context: CopyRowReader

  /// The place of the device in `context`.
  private static let devicePlace = DayQuery.contextTexts.prefix { $0 != .deviceID }.count

  /// Reads one message of the COPY; nil where it holds no session.
  init?(message: UnsafeRawBufferPointer) throws(CopyRowReader.Damaged) {
    guard var row = try CopyRowReader(message: message, columnCount: DayQuery.columnCount) else { return nil }
    let id = try row.fixedField(byteCount: 16)
    let low = UInt64(bigEndian: id.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    (idHigh, idLow) = (Self.sentHigh(ofStored: UInt64(bigEndian: id.loadUnaligned(as: UInt64.self))), low)
    startedAtMicroseconds = try row.timestamp()
    arrivedAtMicroseconds = try row.timestamp()
    clockOffsetMicroseconds = Int64(bigEndian: try row.fixedField(byteCount: 8).loadUnaligned(as: Int64.self))
    hasSuspectClock = try row.fixedField(byteCount: 1)[0] != 0
    isLarge = try row.fixedField(byteCount: 1)[0] != 0
    events = try row.field()
    details = try row.field()
    let beforeCohort = row.remainder
    appID = Int32(bigEndian: try row.fixedField(byteCount: 4).loadUnaligned(as: Int32.self))
    story = try row.field()
    cohort = UnsafeRawBufferPointer(rebasing: beforeCohort[..<(beforeCohort.count - row.remainder.count)])
    context = row
    for _ in 0..<Self.devicePlace { _ = try row.field() }
    hasDevice = try row.field() != nil
  }

  /// Undoes the stored form as `pagefall.sent_session_id` does, whatever the id is.
  private static func sentHigh(ofStored high: UInt64) -> UInt64 {
    let first = high >> 60
    if first == 0 { return high }
    let digits = (high >> 12) & 0xFFFF_FFFF_FFFF
    return digits << 16 | first << 12 | high & 0xFFF
  }
}

extension CopyRowReader {
  /// A field that is not null and has this many bytes.
  mutating func fixedField(byteCount: Int) throws(Damaged) -> UnsafeRawBufferPointer {
    guard let field = try field(), field.count == byteCount else { throw Damaged() }
    return field
  }

  /// A `timestamptz` that is not null, in microseconds since 1970.
  mutating func timestamp() throws(Damaged) -> Int64 {
    let field = try fixedField(byteCount: 8)
    return ServerTime.microsecondsSince1970(Int64(bigEndian: field.loadUnaligned(as: Int64.self)))
  }
}

/// The server's count of time.
enum ServerTime {
  /// From microseconds since 2000-01-01. The infinities, and what lies that far away, become the years ±280,000: no event
  /// has such a time, and arithmetic with days must not overflow.
  @inline(__always)
  static func microsecondsSince1970(_ number: Int64) -> Int64 {
    min(max(number, -most), most) + 946_684_800_000_000
  }

  private static let most: Int64 = 8_800_000_000_000_000_000
}
