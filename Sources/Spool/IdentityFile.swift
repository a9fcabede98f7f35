/// The file `identity`: the spool's identity and the highest segment number that may have been used.
///
/// Both in one file on purpose: an identity whose numbers are no longer known could give a position twice, so where this
/// file is lost the identity goes with it. It is replaced as a whole by a rename.
struct IdentityFile: Equatable {
  static let name = "identity"
  static let byteCount = 48
  static let magic: [UInt8] = Array("PFIDENT\u{1A}".utf8)

  /// Numbers are reserved this many at a time, so that only every sixteenth new segment replaces the file.
  static let numbersReservedAtOnce: Int64 = 16

  let identity: SpoolIdentity

  /// Segments up to this number may exist, or may have existed.
  var reservedThrough: Int64

  var bytes: [UInt8] {
    var bytes = Self.magic
    bytes.append(littleEndian: SegmentHeader.version)
    bytes += identity.bytes
    bytes.append(littleEndian: reservedThrough)
    bytes.append(littleEndian: UInt64(0))
    bytes.appendChecksum()
    return bytes
  }

  /// What reading the file found.
  enum Reading: Equatable {
    case valid(IdentityFile)
    case damaged
    case otherVersion(UInt32)
  }

  static func read(_ bytes: [UInt8]) -> Reading {
    guard bytes.count == byteCount, bytes.starts(with: magic), bytes.hasValidChecksum else { return .damaged }
    let foundVersion: UInt32 = bytes.littleEndian(at: 8)
    guard foundVersion == SegmentHeader.version else { return .otherVersion(foundVersion) }
    let reservedThrough: Int64 = bytes.littleEndian(at: 28)
    guard let identity = SpoolIdentity(bytes: Array(bytes[12..<28])), reservedThrough >= 0 else { return .damaged }
    return .valid(IdentityFile(identity: identity, reservedThrough: reservedThrough))
  }
}
