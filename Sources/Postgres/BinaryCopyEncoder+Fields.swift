/// One call appends one field: its length and its value.
extension BinaryCopyEncoder {
  /// NULL.
  @inlinable
  public mutating func appendNull() { store(Int32(-1)) }

  /// `boolean`
  @inlinable
  public mutating func append(_ value: Bool) { appendField(value ? 1 as UInt8 : 0) }

  /// `smallint`
  @inlinable
  public mutating func append(_ value: Int16) { appendField(value) }

  /// `integer`
  @inlinable
  public mutating func append(_ value: Int32) { appendField(value) }

  /// `bigint`
  @inlinable
  public mutating func append(_ value: Int64) { appendField(value) }

  /// `double precision`
  @inlinable
  public mutating func append(_ value: Double) { appendField(value.bitPattern) }

  /// `timestamptz`, in microseconds since 1970; the largest and the smallest number are the infinities.
  @inlinable
  public mutating func append(timestampMicrosecondsSince1970 microseconds: Int64) {
    appendField(PostgresTimestamp(microsecondsSince1970: microseconds).wireMicroseconds)
  }

  /// `uuid`
  @inlinable
  public mutating func append(_ value: PostgresUUID) {
    reserve(20)
    storeReserved(Int32(16))
    storeReserved(value.high)
    storeReserved(value.low)
  }

  /// `bytea`, or a text type (then UTF-8 without zero bytes; the server checks). Less than a gigabyte.
  @inlinable
  public mutating func append(bytes: UnsafeRawBufferPointer) {
    reserve(4 + bytes.count)
    storeReserved(Int32(truncatingIfNeeded: bytes.count))
    appendReserved(bytes)
  }

  /// A text type.
  @inlinable
  public mutating func append(text: String) {
    var text = text
    text.withUTF8 { append(bytes: UnsafeRawBufferPointer($0)) }
  }

  /// `jsonb`, as JSON text in UTF-8.
  @inlinable
  public mutating func append(jsonb: UnsafeRawBufferPointer) {
    reserve(5 + jsonb.count)
    storeReserved(Int32(truncatingIfNeeded: jsonb.count + 1))
    storeReserved(1 as UInt8)  // the version of the binary form
    appendReserved(jsonb)
  }

  @inlinable
  mutating func appendField<Number: FixedWidthInteger>(_ value: Number) {
    reserve(4 + MemoryLayout<Number>.size)
    storeReserved(Int32(truncatingIfNeeded: MemoryLayout<Number>.size))
    storeReserved(value)
  }

  @inlinable
  mutating func appendReserved(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress {
      UnsafeMutableRawBufferPointer(rebasing: buffer.dropFirst(count)).copyMemory(
        from: UnsafeRawBufferPointer(start: start, count: bytes.count))
    }
    count &+= bytes.count
  }
}
