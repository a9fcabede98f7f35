extension Array: PostgresDecodable where Element: PostgresDecodable {
  /// Reads a one-dimensional array; `[UInt8]` reads `bytea`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> [Element] {
    try Element.decodeArray(cell)
  }
}

extension PostgresDecodable {
  /// Reads the binary form of an array (PostgreSQL source: `array_send`).
  public static func decodeArray(_ cell: PostgresCell) throws(DecodingFault) -> [Self] {
    guard let bytes = cell.bytes else { throw .unexpectedNull }
    guard cell.format == .binary else { throw .typeMismatch }
    var reader = ArrayReader(rest: bytes)
    let dimensions = try reader.number()
    _ = try reader.number()
    let type = UInt32(bitPattern: try reader.number())
    // Also what a column that is no array at all looks like, with all likelihood.
    guard (0...1).contains(dimensions) else { throw .typeMismatch }
    if dimensions == 0 { return [] }
    let count = try reader.number()
    _ = try reader.number()
    // Each element has at least its length: no count makes us reserve more than came.
    guard count >= 0, Int(count) <= reader.rest.count / 4 else { throw .malformed }
    var values: [Self] = []
    values.reserveCapacity(Int(count))
    for _ in 0..<count {
      values.append(try decode(PostgresCell(type: type, format: .binary, bytes: try reader.element())))
    }
    guard reader.rest.isEmpty else { throw .malformed }
    return values
  }
}

extension UInt8: PostgresDecodable {
  /// Reads `"char"`, PostgreSQL's type of a single byte.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> UInt8 {
    try cell.binary(PostgresType.char).bigEndianInteger()
  }

  /// Reads `bytea`.
  public static func decodeArray(_ cell: PostgresCell) throws(DecodingFault) -> [UInt8] {
    Array(try cell.binary(PostgresType.bytea))
  }
}

private struct ArrayReader {
  var rest: UnsafeRawBufferPointer

  mutating func number() throws(DecodingFault) -> Int32 {
    try take(4).bigEndianInteger()
  }

  /// Nil is NULL.
  mutating func element() throws(DecodingFault) -> UnsafeRawBufferPointer? {
    let length = try number()
    return length == -1 ? nil : try take(Int(length))
  }

  private mutating func take(_ count: Int) throws(DecodingFault) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest.count else { throw .malformed }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count)) }
    return UnsafeRawBufferPointer(rebasing: rest.prefix(count))
  }
}
