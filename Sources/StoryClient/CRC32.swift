/// The checksum of gzip (RFC 1952 §8), also of the queue's entries: polynomial 0xEDB88320, `123456789` gives 0xCBF43926. Own, since
/// the phone's side uses no system library.
struct CRC32 {
  private var state: UInt32 = 0xFFFF_FFFF

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
  }

  /// Takes more bytes in.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    let start = state
    state = Self.table.withUnsafeBufferPointer { table in
      var value = start
      for byte in bytes { value = table[Int(UInt8(truncatingIfNeeded: value) ^ byte)] ^ value >> 8 }
      return value
    }
  }

  /// Of all bytes so far.
  var value: UInt32 { ~state }
}
