/// A parameter of a statement. All but `.null` and `.untyped` tell the server their type and go in binary.
public enum PostgresValue: Sendable, Equatable {
  /// NULL of the type that the statement implies.
  case null
  /// `boolean`
  case bool(Bool)
  /// `smallint`
  case int16(Int16)
  /// `integer`
  case int32(Int32)
  /// `bigint`; PostgreSQL also compares it with, and stores it in, the smaller ones.
  case int64(Int64)
  /// `double precision`
  case double(Double)
  /// `text`. PostgreSQL has no text with U+0000 (22021).
  case text(String)
  /// A value in PostgreSQL's text form whose type the statement implies: enum, numeric, date, interval, …
  case untyped(String)
  /// `bytea`
  case bytes([UInt8])
  /// `uuid`
  case uuid(PostgresUUID)
  /// `timestamptz`
  case timestamp(PostgresTimestamp)
  /// `jsonb`, as JSON text.
  case jsonb(String)
  /// `boolean[]`
  case boolArray([Bool?])
  /// `smallint[]`
  case int16Array([Int16?])
  /// `integer[]`
  case int32Array([Int32?])
  /// `bigint[]`
  case int64Array([Int64?])
  /// `double precision[]`
  case doubleArray([Double?])
  /// `text[]`
  case textArray([String?])
  /// `bytea[]`
  case bytesArray([[UInt8]?])
  /// `uuid[]`
  case uuidArray([PostgresUUID?])
  /// `timestamptz[]`
  case timestampArray([PostgresTimestamp?])
}

extension PostgresValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
  /// `nil` is `.null`.
  public init(nilLiteral: ()) { self = .null }
  /// `true` is `.bool(true)`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// `7` is `.int64(7)`.
  public init(integerLiteral value: Int64) { self = .int64(value) }
  /// `0.5` is `.double(0.5)`.
  public init(floatLiteral value: Double) { self = .double(value) }
  /// `"a"` is `.text("a")`.
  public init(stringLiteral value: String) { self = .text(value) }
}

extension PostgresValue {
  /// The type that the server is told; 0 leaves it to the statement.
  var type: UInt32 {
    switch self {
    case .null, .untyped: PostgresType.unspecified
    case .bool: PostgresType.bool
    case .int16: PostgresType.int2
    case .int32: PostgresType.int4
    case .int64: PostgresType.int8
    case .double: PostgresType.float8
    case .text: PostgresType.text
    case .bytes: PostgresType.bytea
    case .uuid: PostgresType.uuid
    case .timestamp: PostgresType.timestampWithTimeZone
    case .jsonb: PostgresType.jsonb
    case .boolArray: PostgresType.boolArray
    case .int16Array: PostgresType.int2Array
    case .int32Array: PostgresType.int4Array
    case .int64Array: PostgresType.int8Array
    case .doubleArray: PostgresType.float8Array
    case .textArray: PostgresType.textArray
    case .bytesArray: PostgresType.byteaArray
    case .uuidArray: PostgresType.uuidArray
    case .timestampArray: PostgresType.timestampWithTimeZoneArray
    }
  }
}
