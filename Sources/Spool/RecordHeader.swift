/// The sixteen bytes before each record: see ``Spool`` for the table.
struct RecordHeader: Equatable {
  /// Bytes of a header.
  static let byteCount = 16

  /// What every header begins with; its first byte is rare in text, so that searching for it is quick.
  static let marker: UInt32 = 0x7F50_46E9

  /// Bytes of the record itself.
  let payloadBytes: UInt32

  /// CRC-32C of the record itself.
  let payloadChecksum: UInt32

  /// Writes the header at `destination`, to stand at `offset` in a segment with this `seed`.
  func write(to destination: UnsafeMutableRawPointer, seed: UInt32, offset: Int64) {
    destination.storeBytes(of: Self.marker.littleEndian, as: UInt32.self)
    destination.storeBytes(of: payloadBytes.littleEndian, toByteOffset: 4, as: UInt32.self)
    destination.storeBytes(of: payloadChecksum.littleEndian, toByteOffset: 8, as: UInt32.self)
    let checksum = Self.checksum(of: UnsafeRawPointer(destination), seed: seed, offset: offset)
    destination.storeBytes(of: checksum.littleEndian, toByteOffset: 12, as: UInt32.self)
  }

  /// The header at `source` (16 readable bytes, any alignment); nil when it is not one, or not of this place.
  init?(at source: UnsafeRawPointer, seed: UInt32, offset: Int64) {
    func field(_ byteOffset: Int) -> UInt32 {
      UInt32(littleEndian: source.loadUnaligned(fromByteOffset: byteOffset, as: UInt32.self))
    }
    guard field(0) == Self.marker, field(12) == Self.checksum(of: source, seed: seed, offset: offset) else {
      return nil
    }
    payloadBytes = field(4)
    payloadChecksum = field(8)
  }

  init(payloadBytes: Int, payloadChecksum: UInt32) {
    self.payloadBytes = UInt32(payloadBytes)
    self.payloadChecksum = payloadChecksum
  }

  /// The secret seed and the place take part, so that neither a sender's bytes nor a misplaced block pass for a
  /// header. Segments stay below 4 GiB, so the lower half of the offset tells every place apart.
  private static func checksum(of header: UnsafeRawPointer, seed: UInt32, offset: Int64) -> UInt32 {
    let start = seed ^ UInt32(truncatingIfNeeded: offset)
    return ~CRC32C.update(start, UnsafeRawBufferPointer(start: header, count: 12))
  }
}
