extension Int16: PostgresDecodable {
  /// Reads `smallint`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Int16 {
    try cell.binary(PostgresType.int2).bigEndianInteger()
  }
}

extension Int32: PostgresDecodable {
  /// Reads `smallint` and `integer`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Int32 {
    if cell.type == PostgresType.int2 { return Int32(try Int16.decode(cell)) }
    return try cell.binary(PostgresType.int4).bigEndianInteger()
  }
}

extension Int64: PostgresDecodable {
  /// Reads `smallint`, `integer`, `bigint` and `oid`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Int64 {
    switch cell.type {
    case PostgresType.int2: return Int64(try Int16.decode(cell))
    case PostgresType.int4: return Int64(try Int32.decode(cell))
    case PostgresType.oid:
      let number: UInt32 = try cell.binary(PostgresType.oid).bigEndianInteger()
      return Int64(number)
    default: return try cell.binary(PostgresType.int8).bigEndianInteger()
    }
  }
}

extension Int: PostgresDecodable {
  /// Reads what `Int64` reads.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Int {
    guard let value = Int(exactly: try Int64.decode(cell)) else { throw .outOfRange }
    return value
  }
}

extension Float: PostgresDecodable {
  /// Reads `real`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Float {
    Float(bitPattern: try cell.binary(PostgresType.float4).bigEndianInteger())
  }
}

extension Double: PostgresDecodable {
  /// Reads `double precision` and `real`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Double {
    if cell.type == PostgresType.float4 { return Double(try Float.decode(cell)) }
    return Double(bitPattern: try cell.binary(PostgresType.float8).bigEndianInteger())
  }
}

extension UnsafeRawBufferPointer {
  /// All the bytes as one number.
  func bigEndianInteger<Number: FixedWidthInteger>() throws(DecodingFault) -> Number {
    guard count == MemoryLayout<Number>.size else { throw .malformed }
    return Number(bigEndian: loadUnaligned(as: Number.self))
  }
}
