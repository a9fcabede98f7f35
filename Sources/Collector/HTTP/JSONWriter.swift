/// Writes the small JSON texts of answers into a buffer that is reused.
struct JSONWriter {
  private(set) var bytes = ContiguousArray<UInt8>()

  /// Empties it; the memory stays.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Empties it, and gives back what a huge text has taken.
  mutating func shrink() {
    if bytes.capacity > 64 * 1024 { bytes = [] } else { removeAll() }
  }

  /// Adds text as it is.
  mutating func raw(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Adds text as it is.
  mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Adds bytes as they are.
  mutating func raw(_ other: ContiguousArray<UInt8>) { bytes.append(contentsOf: other) }

  /// Adds an integer.
  mutating func integer(_ value: Int) {
    if value < 0 {
      bytes.append(UInt8(ascii: "-"))
    }
    var rest = value.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Adds a JSON string, quoted and escaped (RFC 8259 §7).
  mutating func string(_ text: some StringProtocol) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0A: raw(#"\n"#)
      case 0x0D: raw(#"\r"#)
      case 0x09: raw(#"\t"#)
      case 0..<0x20:
        raw(#"\u00"#)
        bytes.append(Self.hexadecimal(byte >> 4))
        bytes.append(Self.hexadecimal(byte & 0xF))
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8 {
    digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
  }
}
