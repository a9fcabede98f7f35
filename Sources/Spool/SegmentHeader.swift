/// The first 64 bytes of a segment's file: see ``Spool`` for the table.
struct SegmentHeader: Equatable {
  /// Bytes of a header; the first record follows at this offset.
  static let byteCount = 64

  /// The format's version, in segments and in the identity file.
  static let version: UInt32 = 1

  static let magic: [UInt8] = Array("PFSPOOL\u{1A}".utf8)

  /// The identity of the spool when the segment was made.
  let identity: SpoolIdentity

  /// The segment's own number, also in its file name.
  let number: Int64

  /// Where the trusted bytes of the segment before it end. What stands behind that, there, was never acknowledged.
  let previousEnd: SpoolPosition

  /// The bytes as they stand in the file.
  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: Self.version)
    bytes.append(littleEndian: UInt32(Self.byteCount))
    bytes += identity.bytes
    bytes.append(littleEndian: number)
    bytes.append(littleEndian: previousEnd.segment)
    bytes.append(littleEndian: previousEnd.offset)
    bytes.append(littleEndian: UInt32(0))
    bytes.appendChecksum()
    return bytes
  }

  /// What reading a header found.
  enum Reading: Equatable {
    case valid(SegmentHeader)
    case damaged
    case otherVersion(UInt32)
  }

  /// Reads a header, which damage must never turn into another version: the checksum is looked at first.
  static func read(_ bytes: [UInt8], number: Int64) -> Reading {
    guard bytes.count == byteCount, bytes.starts(with: magic), bytes.hasValidChecksum else { return .damaged }
    let foundVersion: UInt32 = bytes.littleEndian(at: 8)
    guard foundVersion == version else { return .otherVersion(foundVersion) }
    guard let identity = SpoolIdentity(bytes: Array(bytes[16..<32])), bytes.littleEndian(at: 32) == number else {
      return .damaged
    }
    let previousEnd = SpoolPosition(segment: bytes.littleEndian(at: 40), offset: bytes.littleEndian(at: 48))
    return .valid(SegmentHeader(identity: identity, number: number, previousEnd: previousEnd))
  }

  /// The seed of the record headers in segment `number` of the spool `identity`.
  static func seed(identity: SpoolIdentity, number: Int64) -> UInt32 {
    var bytes = identity.bytes
    bytes.append(littleEndian: number)
    return bytes.withUnsafeBytes { CRC32C.checksum($0) }
  }

  /// The file's name: nineteen digits, so that names sort as numbers do.
  static func fileName(number: Int64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 19 - digits.count)) + digits + fileNameEnding
  }

  /// The number in a segment's file name; nil for every other name.
  static func number(fileName: String) -> Int64? {
    guard fileName.hasSuffix(fileNameEnding) else { return nil }
    let digits = fileName.dropLast(fileNameEnding.count)
    guard digits.count == 19, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(digits) else {
      return nil
    }
    return number > 0 ? number : nil
  }

  private static let fileNameEnding = ".segment"
}

/// Little-endian fields of the small fixed structures; not used on the hot path.
extension [UInt8] {
  mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  func littleEndian<Number: FixedWidthInteger>(at offset: Int) -> Number {
    withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
  }

  /// Appends the CRC-32C of everything so far.
  mutating func appendChecksum() {
    append(littleEndian: withUnsafeBytes { CRC32C.checksum($0) })
  }

  /// Whether the last four bytes are the CRC-32C of the others.
  var hasValidChecksum: Bool {
    guard count >= 4 else { return false }
    let computed = withUnsafeBytes { CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[..<(count - 4)])) }
    return littleEndian(at: count - 4) == computed
  }
}
