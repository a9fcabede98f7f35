/// One value of a result, as it came.
public struct PostgresCell {
  /// The object identifier of its type.
  public let type: UInt32
  /// How its bytes are to be read.
  public let format: ResultFormat
  /// Its bytes, valid while `PostgresDecodable.decode` runs; nil is NULL.
  public let bytes: UnsafeRawBufferPointer?

  /// The bytes of a value in binary of one of these types.
  func binary(_ types: UInt32...) throws(DecodingFault) -> UnsafeRawBufferPointer {
    guard let bytes else { throw .unexpectedNull }
    guard format == .binary, types.contains(type) else { throw .typeMismatch }
    return bytes
  }
}

/// A Swift type that values of a result can be read as.
public protocol PostgresDecodable {
  /// Reads a value.
  static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Self

  /// Reads an array of values; there is no need to write one.
  static func decodeArray(_ cell: PostgresCell) throws(DecodingFault) -> [Self]
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
  /// NULL is nil.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Wrapped? {
    cell.bytes == nil ? nil : try Wrapped.decode(cell)
  }
}

extension Bool: PostgresDecodable {
  /// Reads `boolean`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> Bool {
    let bytes = try cell.binary(PostgresType.bool)
    guard bytes.count == 1 else { throw .malformed }
    return bytes[0] != 0
  }
}

extension PostgresUUID: PostgresDecodable {
  /// Reads `uuid`.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> PostgresUUID {
    guard let uuid = PostgresUUID(bytes: try cell.binary(PostgresType.uuid)) else { throw .malformed }
    return uuid
  }
}

extension PostgresTimestamp: PostgresDecodable {
  /// Reads `timestamptz`, and `timestamp` as if it were UTC.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> PostgresTimestamp {
    let bytes = try cell.binary(PostgresType.timestampWithTimeZone, PostgresType.timestamp)
    let number: Int64 = try bytes.bigEndianInteger()
    guard let timestamp = PostgresTimestamp(wireMicroseconds: number) else { throw .outOfRange }
    return timestamp
  }
}
