extension PostgresValue {
  /// Appends the value's binary form (`.untyped`: its text form with the zero byte that libpq looks for).
  func encode(into bytes: inout [UInt8]) {
    switch self {
    case .null: break
    case .bool(let value): value.encodeBinary(into: &bytes)
    case .int16(let value): value.encodeBinary(into: &bytes)
    case .int32(let value): value.encodeBinary(into: &bytes)
    case .int64(let value): value.encodeBinary(into: &bytes)
    case .double(let value): value.encodeBinary(into: &bytes)
    case .text(let value): value.encodeBinary(into: &bytes)
    case .untyped(let value):
      value.encodeBinary(into: &bytes)
      bytes.append(0)
    case .bytes(let value): bytes += value
    case .uuid(let value): value.encodeBinary(into: &bytes)
    case .timestamp(let value): value.encodeBinary(into: &bytes)
    case .jsonb(let value):
      bytes.append(1)  // the version of the binary form
      value.encodeBinary(into: &bytes)
    case .boolArray(let values): Self.encode(values, PostgresType.bool, into: &bytes)
    case .int16Array(let values): Self.encode(values, PostgresType.int2, into: &bytes)
    case .int32Array(let values): Self.encode(values, PostgresType.int4, into: &bytes)
    case .int64Array(let values): Self.encode(values, PostgresType.int8, into: &bytes)
    case .doubleArray(let values): Self.encode(values, PostgresType.float8, into: &bytes)
    case .textArray(let values): Self.encode(values, PostgresType.text, into: &bytes)
    case .bytesArray(let values): Self.encode(values, PostgresType.bytea, into: &bytes)
    case .uuidArray(let values): Self.encode(values, PostgresType.uuid, into: &bytes)
    case .timestampArray(let values): Self.encode(values, PostgresType.timestampWithTimeZone, into: &bytes)
    }
  }

  /// The binary form of a one-dimensional array (PostgreSQL source: `array_send`): number of dimensions, whether there
  /// are NULLs, element type, then size and lower bound of the dimension, then the elements with their lengths.
  private static func encode<Element: BinaryEncodable>(_ values: [Element?], _ type: UInt32, into bytes: inout [UInt8])
  {
    Int32(values.isEmpty ? 0 : 1).encodeBinary(into: &bytes)
    Int32(values.contains { $0 == nil } ? 1 : 0).encodeBinary(into: &bytes)
    Int32(bitPattern: type).encodeBinary(into: &bytes)
    if values.isEmpty { return }
    Int32(clamping: values.count).encodeBinary(into: &bytes)
    Int32(1).encodeBinary(into: &bytes)
    for value in values {
      guard let value else {
        Int32(-1).encodeBinary(into: &bytes)
        continue
      }
      let lengthPlace = bytes.count
      Int32(0).encodeBinary(into: &bytes)
      value.encodeBinary(into: &bytes)
      let length = UInt32(clamping: bytes.count - lengthPlace - 4)
      for index in 0..<4 { bytes[lengthPlace + index] = UInt8(truncatingIfNeeded: length >> (24 - 8 * index)) }
    }
  }
}

/// What has a binary form of its own.
private protocol BinaryEncodable {
  func encodeBinary(into bytes: inout [UInt8])
}

extension FixedWidthInteger {
  fileprivate func encodeBinary(into bytes: inout [UInt8]) {
    withUnsafeBytes(of: bigEndian) { bytes.append(contentsOf: $0) }
  }
}

extension Int16: BinaryEncodable {}
extension Int32: BinaryEncodable {}
extension Int64: BinaryEncodable {}

extension Bool: BinaryEncodable {
  fileprivate func encodeBinary(into bytes: inout [UInt8]) { bytes.append(self ? 1 : 0) }
}

extension Double: BinaryEncodable {
  fileprivate func encodeBinary(into bytes: inout [UInt8]) { bitPattern.encodeBinary(into: &bytes) }
}

extension String: BinaryEncodable {
  fileprivate func encodeBinary(into bytes: inout [UInt8]) { bytes.append(contentsOf: utf8) }
}

extension [UInt8]: BinaryEncodable {
  fileprivate func encodeBinary(into bytes: inout [UInt8]) { bytes.append(contentsOf: self) }
}

extension PostgresUUID: BinaryEncodable {
  fileprivate func encodeBinary(into bytes: inout [UInt8]) {
    high.encodeBinary(into: &bytes)
    low.encodeBinary(into: &bytes)
  }
}

extension PostgresTimestamp: BinaryEncodable {
  fileprivate func encodeBinary(into bytes: inout [UInt8]) { wireMicroseconds.encodeBinary(into: &bytes) }
}
