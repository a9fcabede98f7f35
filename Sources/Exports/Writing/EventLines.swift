import LocalTime
import Postgres
import StoryEvents

/// Writes the lines of events.
struct EventLines: ~Copyable {
  private var file: LineFile
  private var days: LocalDayText
  private let types = NameTable(EventType.allCases.map { (Int($0.rawValue), $0.name) })
  private let sources = NameTable(RichMediaSource.allCases.map { (Int($0.rawValue) + 1, $0.name) })
  private let actions = NameTable(ResponseAction.allCases.map { (Int($0.rawValue) + 1, $0.name) })

  init(_ options: ExportOptions, in directory: borrowing OpenDirectory, _ zone: ReportTimeZone) throws(ExportError) {
    file = try LineFile(.events, options, in: directory)
    days = LocalDayText(zone)
  }

  /// Writes an event of the session whose cells these are.
  ///
  /// - Throws: `.file`; `.database` where an array is damaged.
  mutating func write(
    _ event: ExportedEvent, _ details: EventDetails?, _ session: borrowing SessionCells
  ) throws(ExportError) {
    file.cells.cells(session.identity, count: SessionCells.identityCount)
    file.cells.integer(Int64(event.seq))
    file.cells.name(types[event.typeNumber])
    file.cells.timestamp(event.atMicroseconds)
    file.cells.day(of: event.atMicroseconds, &days)
    file.cells.integer(event.pageIndex)
    file.cells.integer(event.pageCount)
    file.cells.number(event.durationSeconds)
    do { try file.cells.numbers(details?.pageDurations) } catch { throw ExportError(error) }
    file.cells.name(sources[event.sourcePlace])
    file.cells.name(actions[event.actionPlace])
    if let details {
      file.cells.text(details.reason)
      file.cells.text(details.contentCode)
      file.cells.text(details.error)
      file.cells.text(details.categoryID)
      file.cells.text(details.buttonID)
    } else {
      for _ in 0..<5 { file.cells.null() }
    }
    file.cells.cells(session.context, count: SessionCells.contextCount)
    try file.endLine()
  }

  mutating func finish() throws(ExportError) -> WrittenFile { try file.finish() }
}

/// Names by small numbers, as bytes that can be copied.
struct NameTable: ~Copyable {
  private var bytes = ByteBuffer(capacity: 256)
  private var ranges: [Range<Int>] = Array(repeating: 0..<0, count: PackedEvent.type.most + 1)

  init(_ names: [(number: Int, name: String)]) {
    for (number, name) in names {
      let begin = bytes.count
      bytes.append(name)
      ranges[number] = begin..<bytes.count
    }
  }

  /// Empty where the number has no name.
  subscript(_ number: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes.bytes[ranges[number]])
  }
}

extension CellWriter {
  /// A name of ours; empty is null.
  @inline(__always)
  mutating func name(_ utf8: UnsafeRawBufferPointer) {
    if utf8.isEmpty { return null() }
    plain(utf8)
  }

  /// A `float8[]` in the server's binary form (PostgreSQL source: `array_send`) as a JSON array.
  mutating func numbers(_ array: UnsafeRawBufferPointer?) throws(CopyRowReader.Damaged) {
    guard let array else { return null() }
    var numbers = try FloatArrayReader(array)
    let hasMany = numbers.remaining > 1
    beginArray(willHoldMany: hasMany)
    var isFirst = true
    while numbers.remaining > 0 {
      if !isFirst { buffer.append(UInt8(ascii: ",")) }
      isFirst = false
      if let number = try numbers.next(), number.isFinite {
        buffer.append(shortest: number)
      } else {
        buffer.append("null")
      }
    }
    endArray(heldMany: hasMany)
  }
}
