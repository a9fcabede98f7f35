/// Makes the bytes of `COPY … FROM STDIN (FORMAT binary)` in a buffer that is used again and again: nothing is
/// allocated per row (PostgreSQL documentation, COPY, "Binary Format").
///
/// ```swift
/// var encoder = BinaryCopyEncoder()
/// try connection.copyIn("COPY points (id, x) FROM STDIN (FORMAT binary)") { writer in
///   encoder.appendHeader()
///   for point in points {
///     encoder.beginRow(fieldCount: 2)
///     encoder.append(point.id)
///     encoder.append(point.x)
///     if encoder.byteCount > 65_536 { try writer.write(&encoder) }
///   }
///   encoder.appendTrailer()
///   try writer.write(&encoder)
/// }
/// ```
///
/// Whether fields and types fit the table is the caller's to know; the server refuses what does not (22P03, 22P04).
public struct BinaryCopyEncoder: ~Copyable {
  @usableFromInline var buffer: UnsafeMutableRawBufferPointer
  @usableFromInline var count = 0

  /// - Parameter capacityBytes: what it can hold before it has to grow.
  public init(capacityBytes: Int = 131_072) {
    buffer = .allocate(byteCount: max(capacityBytes, 64), alignment: 16)
  }

  deinit {
    buffer.deallocate()
  }

  /// The number of bytes encoded since the last emptying.
  @inlinable
  public var byteCount: Int { count }

  /// Forgets all bytes and keeps the memory. Also what has to be done with an encoder before a COPY that follows one
  /// which threw.
  @inlinable
  public mutating func removeAll() { count = 0 }

  /// Begins the stream: once, before the first row.
  public mutating func appendHeader() {
    for byte in "PGCOPY\n".utf8 { store(byte) }
    for byte: UInt8 in [0xFF, 0x0D, 0x0A, 0x00] { store(byte) }
    store(Int32(0))  // flags
    store(Int32(0))  // length of the header's extension
  }

  /// Ends the stream: once, after the last row.
  public mutating func appendTrailer() { store(Int16(-1)) }

  /// Begins a row of that many fields, which have to follow.
  @inlinable
  public mutating func beginRow(fieldCount: Int16) { store(fieldCount) }

  /// Calls `body` with all encoded bytes, valid during the call.
  public func withUnsafeBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
    try body(encodedBytes)
  }

  /// Valid until the next change.
  var encodedBytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: buffer.prefix(count)) }

  /// Makes room for `additional` bytes more.
  @inlinable
  mutating func reserve(_ additional: Int) {
    if buffer.count - count < additional { grow(additional) }
  }

  @usableFromInline
  @inline(never)
  mutating func grow(_ additional: Int) {
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(buffer.count * 2, count + additional), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer.prefix(count)))
    buffer.deallocate()
    buffer = larger
  }

  /// Appends a number, highest byte first.
  @inlinable
  mutating func store<Number: FixedWidthInteger>(_ number: Number) {
    reserve(MemoryLayout<Number>.size)
    storeReserved(number)
  }

  /// The same where room has been made.
  @inlinable
  mutating func storeReserved<Number: FixedWidthInteger>(_ number: Number) {
    buffer.storeBytes(of: number.bigEndian, toByteOffset: count, as: Number.self)
    count &+= MemoryLayout<Number>.size
  }
}

/// `@unchecked Sendable`: the buffer belongs to this noncopyable value alone, and changes only in `mutating` functions.
extension BinaryCopyEncoder: @unchecked Sendable {}
