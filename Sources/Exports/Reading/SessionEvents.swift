import Postgres
import SessionMetrics
import StoryEvents

/// An event out of `DayQuery`'s packed value.
struct ExportedEvent {
  private let code: Int64
  let atMicroseconds: Int64
  private let duration: Double

  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    func number(_ place: Int) -> Int64 {
      Int64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset + place, as: Int64.self))
    }
    code = number(0)
    atMicroseconds = ServerTime.microsecondsSince1970(number(8))
    duration = Double(bitPattern: UInt64(bitPattern: number(16)))
  }

  var seq: Int { PackedEvent.seq.value(in: code) }
  /// The raw value of its type, which a newer version may have added.
  var typeNumber: Int { PackedEvent.type.value(in: code) }
  var type: EventType? { EventType(rawValue: UInt8(typeNumber)) }
  var pageIndex: Int? {
    let place = PackedEvent.pagePlace.value(in: code)
    return place == 0 ? nil : place - 1
  }
  var pageCount: Int? {
    let count = PackedEvent.pageCount.value(in: code)
    return count == 0 ? nil : count
  }
  /// One more than the raw value; 0 is none.
  var sourcePlace: Int { PackedEvent.sourcePlace.value(in: code) }
  /// One more than the raw value; 0 is none.
  var actionPlace: Int { PackedEvent.actionPlace.value(in: code) }
  var durationSeconds: Double? { duration.isNaN ? nil : duration }

  /// The event as the judge takes it: of a start its page count, whatever else a sender gave it; of others their page index.
  var stored: StoredEvent {
    StoredEvent(
      seq: seq, type: type, number: (type == .start ? pageCount : pageIndex) ?? 0, atMicroseconds: atMicroseconds,
      durationSeconds: durationSeconds)
  }
}

/// What few events have.
struct EventDetails {
  let seq: Int
  /// A `float8[]` in the server's binary form.
  let pageDurations: UnsafeRawBufferPointer?
  let reason: UnsafeRawBufferPointer?
  let contentCode: UnsafeRawBufferPointer?
  let error: UnsafeRawBufferPointer?
  let categoryID: UnsafeRawBufferPointer?
  let buttonID: UnsafeRawBufferPointer?

  /// Reads a record of `DayQuery.detailColumns`.
  init(_ reader: inout CopyRowReader) throws(CopyRowReader.Damaged) {
    guard Int(try reader.integer(Int32.self)) == DayQuery.detailColumns.count else { throw CopyRowReader.Damaged() }
    func field(_ type: Int32) throws(CopyRowReader.Damaged) -> UnsafeRawBufferPointer? {
      guard try reader.integer(Int32.self) == type else { throw CopyRowReader.Damaged() }
      return try reader.field()
    }
    guard let seq = try field(TypeNumber.int4), seq.count == 4 else { throw CopyRowReader.Damaged() }
    self.seq = Int(Int32(bigEndian: seq.loadUnaligned(as: Int32.self)))
    pageDurations = try field(TypeNumber.float8Array)
    reason = try field(TypeNumber.text)
    contentCode = try field(TypeNumber.text)
    error = try field(TypeNumber.text)
    categoryID = try field(TypeNumber.text)
    buttonID = try field(TypeNumber.text)
  }

  /// What `pg_type.dat` gives these types in every PostgreSQL.
  private enum TypeNumber {
    static let int4: Int32 = 23
    static let text: Int32 = 25
    static let float8Array: Int32 = 1022
  }
}

/// Takes the numbers out of a one-dimensional `float8[]` in the server's binary form (PostgreSQL source: `array_send`).
struct FloatArrayReader {
  private var reader: CopyRowReader
  /// How many are still to come.
  private(set) var remaining: Int32 = 0

  init(_ array: UnsafeRawBufferPointer) throws(CopyRowReader.Damaged) {
    reader = CopyRowReader(bytes: array)
    let dimensions = try reader.integer(Int32.self)
    _ = try reader.integer(Int64.self)  // whether there are nulls, and the type
    if dimensions == 0 { return }
    remaining = try reader.integer(Int32.self)
    _ = try reader.integer(Int32.self)  // the lower bound
    guard dimensions == 1, remaining >= 0 else { throw CopyRowReader.Damaged() }
  }

  /// The next number; nil is null. There must be one.
  mutating func next() throws(CopyRowReader.Damaged) -> Double? {
    remaining -= 1
    guard let field = try reader.field() else { return nil }
    guard field.count == 8 else { throw CopyRowReader.Damaged() }
    return Double(bitPattern: UInt64(bigEndian: field.loadUnaligned(as: UInt64.self)))
  }
}

/// The events of a row, in the order of seq, each with its details.
struct SessionEvents {
  private(set) var events: [ExportedEvent] = []
  private var details: [EventDetails] = []
  private var nextDetails = 0

  /// Reads a row's events; what was there before is forgotten.
  mutating func read(_ row: DayRow) throws(CopyRowReader.Damaged) {
    events.removeAll(keepingCapacity: true)
    details.removeAll(keepingCapacity: true)
    nextDetails = 0
    if let packed = row.events { try readEvents(packed) }
    if let packed = row.details { try readDetails(packed) }
  }

  /// What few events have of this one. To be asked for each event, in the order of `events`.
  @inline(__always)
  mutating func takeDetails(of event: ExportedEvent) -> EventDetails? {
    guard nextDetails < details.count, details[nextDetails].seq == event.seq else { return nil }
    nextDetails += 1
    return details[nextDetails - 1]
  }

  /// Whether all details have found their event.
  var hasNoDetailsLeft: Bool { nextDetails == details.count }

  private mutating func readEvents(_ packed: UnsafeRawBufferPointer) throws(CopyRowReader.Damaged) {
    guard packed.count.isMultiple(of: PackedEvent.byteCount) else { throw CopyRowReader.Damaged() }
    var isOrdered = true
    var previous = -1
    for offset in stride(from: 0, to: packed.count, by: PackedEvent.byteCount) {
      let event = ExportedEvent(packed, at: offset)
      isOrdered = isOrdered && event.seq > previous
      previous = event.seq
      events.append(event)
    }
    // PostgreSQL nearly always delivers them in order, but nothing obliges it to.
    if !isOrdered { events.sort { $0.seq < $1.seq } }
  }

  private mutating func readDetails(_ packed: UnsafeRawBufferPointer) throws(CopyRowReader.Damaged) {
    var reader = CopyRowReader(bytes: packed)
    var isOrdered = true
    var previous = -1
    while !reader.remainder.isEmpty {
      let next = try EventDetails(&reader)
      isOrdered = isOrdered && next.seq > previous
      previous = next.seq
      details.append(next)
    }
    if !isOrdered { details.sort { $0.seq < $1.seq } }
  }
}
