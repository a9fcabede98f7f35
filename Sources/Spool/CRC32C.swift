internal import CISAL

/// CRC-32C (Castagnoli, RFC 3720 §12.1), hardware-accelerated by ISA-L.
///
/// ISA-L leaves the initial and the final inversion to its caller. A checksum in the standard form can be checked
/// with any other tool.
enum CRC32C {
  /// The state before the first byte.
  static let initial: UInt32 = 0xFFFF_FFFF

  /// The state after `bytes` (at most 2³¹−1 of them) follow what led to `state`.
  static func update(_ state: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return state }
    // ISA-L's declaration lacks a const; it only reads.
    let readOnly = UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self))
    return crc32_iscsi(readOnly, Int32(bytes.count), state)
  }

  /// The standard checksum of `bytes`.
  static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    ~update(initial, bytes)
  }
}
