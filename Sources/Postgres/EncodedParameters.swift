import CLibPQ

/// The parameters of one statement in the form that libpq takes: all bytes in one buffer.
struct EncodedParameters {
  private var types: [Oid] = []
  private var offsets: [Int?] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []
  private var bytes: [UInt8] = []

  /// - Throws: `.usage` for more than 65,535 parameters, more than a gigabyte, or a zero byte in an `.untyped` text.
  init(_ values: [PostgresValue]) throws(PostgresError) {
    guard values.count <= 65_535 else {
      throw PostgresError(.usage, "a statement takes at most 65535 parameters; use an array or COPY")
    }
    for value in values {
      if case .untyped(let text) = value, text.utf8.contains(0) {
        throw PostgresError(.usage, "an untyped parameter holds a zero byte")
      }
      let offset = bytes.count
      value.encode(into: &bytes)
      guard bytes.count - offset < 1 << 30 else {
        throw PostgresError(.usage, "a parameter is larger than a gigabyte, which PostgreSQL cannot store")
      }
      types.append(value.type)
      offsets.append(value == .null ? nil : offset)
      lengths.append(Int32(bytes.count - offset))
      if case .untyped = value { formats.append(0) } else { formats.append(1) }
    }
    // So that an empty last value has an address inside of the buffer: a null pointer would be NULL.
    bytes.append(0)
  }

  func withPointers<Value>(
    _ body: (
      Int32, UnsafePointer<Oid>?, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Value
  ) -> Value {
    bytes.withUnsafeBytes { buffer in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      let values = offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }
      return values.withUnsafeBufferPointer { values in
        body(Int32(types.count), types, values.baseAddress, lengths, formats)
      }
    }
  }
}
