import StoryEvents

/// The lines of a session's file, as `Queue.swift` states them.
enum QueueEntry {
  /// In front of each entry; a JSON text never holds it.
  static let mark: UInt8 = 0x1E
  /// Behind each entry; a JSON text on one line never holds it.
  static let end: UInt8 = 0x0A
  /// What an entry is.
  enum Kind: UInt8 {
    /// Generation and context: version 1 of the format.
    case header = 0x68
    /// An event.
    case event = 0x65
    /// The payload of a small file.
    case plain = 0x70
  }

  /// Bytes in front of the payload: mark, kind, eight digits of the checksum, a space.
  static let headBytes = 11

  /// Begins an entry in a buffer; its payload follows. Returns where it begins.
  static func begin(_ kind: Kind, in bytes: inout [UInt8]) -> Int {
    let start = bytes.count
    bytes.append(mark)
    bytes.append(kind.rawValue)
    for _ in 0..<8 { bytes.append(UInt8(ascii: "0")) }
    bytes.append(UInt8(ascii: " "))
    return start
  }

  /// Ends the entry that begins at this place: the checksum is filled in.
  static func end(_ start: Int, in bytes: inout [UInt8]) {
    let sum = checksum(bytes, start)
    for digit in 0..<8 {
      bytes[start + 2 + digit] = hexadecimal(UInt8(truncatingIfNeeded: sum >> UInt32(28 - digit * 4)) & 0xF)
    }
    bytes.append(end)
  }

  /// Of kind and payload of the entry that begins at this place and reaches to the buffer's end.
  private static func checksum(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    bytes.withUnsafeBytes { bytes in
      var sum = CRC32()
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[(start + 1)..<(start + 2)]))
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[(start + headBytes)...]))
      return sum.value
    }
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
