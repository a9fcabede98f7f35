/// Takes the rows out of a binary COPY (PostgreSQL documentation, "COPY", "Binary Format").
package struct CopyRowReader {
  /// The bytes were not a row of the shape that was asked for.
  package struct Damaged: Error {
    package init() {}
  }

  private var rest: UnsafeRawBufferPointer

  /// What follows the row's fields that were read so far.
  package var remainder: UnsafeRawBufferPointer { rest }

  /// Begins with one message of the server; nil where it holds no row (the header alone, or the trailer).
  package init?(message: UnsafeRawBufferPointer, columnCount: Int) throws(Damaged) {
    rest = message
    if message.starts(with: Self.signature) {
      _ = try take(Self.signature.count + 4)
      _ = try take(Int(try integer(Int32.self)))
    }
    if rest.isEmpty { return nil }
    let count = try integer(Int16.self)
    if count == -1 { return nil }
    guard Int(count) == columnCount else { throw Damaged() }
  }

  /// Begins in the middle of a row.
  package init(bytes: UnsafeRawBufferPointer) {
    rest = bytes
  }

  /// The next field's bytes; nil is NULL.
  package mutating func field() throws(Damaged) -> UnsafeRawBufferPointer? {
    let length = try integer(Int32.self)
    return length == -1 ? nil : try take(Int(length))
  }

  /// A number, most significant byte first.
  package mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(Damaged) -> Value {
    Value(bigEndian: try take(MemoryLayout<Value>.size).loadUnaligned(as: Value.self))
  }

  private mutating func take(_ count: Int) throws(Damaged) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= rest.count else { throw Damaged() }
    defer { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }
    return UnsafeRawBufferPointer(rebasing: rest[..<count])
  }

  private static let signature: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00]
}
