import LocalTime

/// Writes the cells of lines, one behind the other in the order of the columns, as CSV or NDJSON.
///
/// CSV is RFC 4180 with CRLF: NULL is nothing, an empty text is `""`, quotes stand only where they are needed. NDJSON has an
/// object a line, ended by a line feed, with every key in the order of the columns.
struct CellWriter: ~Copyable {
  /// What was written.
  var buffer: ByteBuffer
  /// The column that the next cell is of.
  private(set) var column = 0
  /// Whether lines are NDJSON.
  let isJSON: Bool
  /// Whether a quote is put before texts that a spreadsheet would run.
  let isSafe: Bool
  /// Of NDJSON: what stands in front of each column's value, `{"app":` and `,"seq":`, one behind the other.
  private var leads = ByteBuffer(capacity: 1_024)
  /// Where the lead of a column ends; the one of the column before says where it begins.
  private var leadEnds: [Int] = []
  private var utcDay = DayText()

  init(_ columns: [ExportColumn], _ options: ExportOptions, capacity: Int) {
    buffer = ByteBuffer(capacity: capacity)
    isJSON = options.format == .ndjson
    isSafe = options.isCSVSafe
    for column in columns {
      leads.append(leadEnds.isEmpty ? "{\"" : ",\"")
      leads.append(column.name)
      leads.append("\":")
      leadEnds.append(leads.count)
    }
  }

  /// Of CSV the line of names; NDJSON has none.
  mutating func header(_ columns: [ExportColumn]) {
    if isJSON { return }
    for column in columns { name(column.name) }
    endLine()
  }

  /// Ends a line; the next cell is the first of the next.
  @inline(__always)
  mutating func endLine() {
    if isJSON { buffer.append("}\n") } else { buffer.append("\r\n") }
    column = 0
  }

  /// Begins somewhere else than with the first column.
  mutating func begin(at column: Int) { self.column = column }

  /// Adds cells that were written before, each with what stands in front of it.
  @inline(__always)
  mutating func cells(_ bytes: UnsafeRawBufferPointer, count: Int) {
    buffer.append(bytes)
    column += count
  }

  /// Puts what stands in front of a cell.
  @inline(__always)
  mutating func beginCell() {
    if isJSON {
      let begin = column == 0 ? 0 : leadEnds[column - 1]
      buffer.append(UnsafeRawBufferPointer(rebasing: leads.bytes[begin..<leadEnds[column]]))
    } else if column > 0 {
      buffer.append(UInt8(ascii: ","))
    }
    column += 1
  }

  @inline(__always)
  mutating func null() {
    beginCell()
    if isJSON { buffer.append("null") }
  }

  @inline(__always)
  mutating func integer(_ value: Int64) {
    beginCell()
    buffer.append(decimal: value)
  }

  mutating func integer(_ value: Int?) {
    guard let value else { return null() }
    integer(Int64(value))
  }

  /// What is not finite is null: JSON has no word for it.
  mutating func number(_ value: Double?) {
    guard let value, value.isFinite else { return null() }
    beginCell()
    buffer.append(shortest: value)
  }

  mutating func boolean(_ value: Bool) {
    beginCell()
    if value { buffer.append("true") } else { buffer.append("false") }
  }

  /// A name of ours: letters, digits, `_` and `-`, which neither format has to escape.
  mutating func name(_ value: String) {
    beginCell()
    quote()
    buffer.append(value)
    quote()
  }

  /// As `name`.
  @inline(__always)
  mutating func plain(_ value: UnsafeRawBufferPointer) {
    beginCell()
    quote()
    buffer.append(value)
    quote()
  }

  /// Begins a cell that is a JSON array. The commas of more than one element must be quoted in CSV.
  mutating func beginArray(willHoldMany: Bool) {
    beginCell()
    if willHoldMany && !isJSON { buffer.append(UInt8(ascii: "\"")) }
    buffer.append(UInt8(ascii: "["))
  }

  /// Ends it.
  mutating func endArray(heldMany: Bool) {
    buffer.append(UInt8(ascii: "]"))
    if heldMany && !isJSON { buffer.append(UInt8(ascii: "\"")) }
  }

  /// An instant, in microseconds since 1970; null outside the years 1–9999 (UTC).
  @inline(__always)
  mutating func timestamp(_ microseconds: Int64) {
    let (day, microsecondOfDay) = microseconds.quotientRoundedDown(by: 86_400_000_000)
    guard DayText.dayNumbers.contains(day) else { return null() }
    beginCell()
    quote()
    utcDay.append(dayNumber: day, to: &buffer)
    buffer.append(most: 17) { place in
      let (second, fraction) = UInt64(microsecondOfDay).quotientAndRemainder(dividingBy: 1_000_000)
      place.storeBytes(of: UInt8(ascii: "T"), as: UInt8.self)
      place.storeTwoDigits(second / 3_600, at: 1)
      place.storeBytes(of: UInt8(ascii: ":"), toByteOffset: 3, as: UInt8.self)
      place.storeTwoDigits(second / 60 % 60, at: 4)
      place.storeBytes(of: UInt8(ascii: ":"), toByteOffset: 6, as: UInt8.self)
      place.storeTwoDigits(second % 60, at: 7)
      place.storeBytes(of: UInt8(ascii: "."), toByteOffset: 9, as: UInt8.self)
      place.storeTwoDigits(fraction / 10_000, at: 10)
      place.storeTwoDigits(fraction / 100 % 100, at: 12)
      place.storeTwoDigits(fraction % 100, at: 14)
      place.storeBytes(of: UInt8(ascii: "Z"), toByteOffset: 16, as: UInt8.self)
      return 17
    }
    quote()
  }

  /// The local day that holds an instant; null outside the years 1–9999.
  @inline(__always)
  mutating func day(of microseconds: Int64, _ days: inout LocalDayText) {
    guard let dayNumber = days.dayNumber(of: microseconds) else { return null() }
    beginCell()
    quote()
    days.append(dayNumber: dayNumber, to: &buffer)
    quote()
  }

  /// The 36-character form, in lower case.
  mutating func uuid(high: UInt64, low: UInt64) {
    beginCell()
    quote()
    buffer.append(most: 36) { place in
      var offset = 0
      for digit in 0..<32 {
        if digit == 8 || digit == 12 || digit == 16 || digit == 20 {
          place.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self)
          offset += 1
        }
        let half = digit < 16 ? high : low
        let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - digit % 16 * 4)) & 0xF
        place.storeBytes(of: value < 10 ? 0x30 + value : 0x57 + value, toByteOffset: offset, as: UInt8.self)
        offset += 1
      }
      return offset
    }
    quote()
  }

  /// Of NDJSON the quote of a text.
  @inline(__always)
  mutating func quote() {
    if isJSON { buffer.append(UInt8(ascii: "\"")) }
  }
}
