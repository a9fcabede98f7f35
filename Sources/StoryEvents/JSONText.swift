/// A text as a JSON string with its quotation marks.
package func jsonText(_ text: String) -> String {
  var bytes: [UInt8] = []
  bytes.append(jsonText: text)
  return String(decoding: bytes, as: UTF8.self)
}

extension [UInt8] {
  /// Appends a text as a JSON string with its quotation marks (RFC 8259): only what must be escaped is.
  package mutating func append(jsonText text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0..<0x20:
        append(contentsOf: "\\u00".utf8)
        append(hexadecimal: byte >> 4)
        append(hexadecimal: byte & 0xF)
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends one hexadecimal digit, 0…15.
  package mutating func append(hexadecimal digit: UInt8) {
    append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
  }

  /// Appends a number in decimal digits, without making a text of it.
  package mutating func append(decimal value: Int) {
    if value < 0 {
      append(UInt8(ascii: "-"))
    }
    var rest = value.magnitude
    let start = count
    repeat {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Appends a number in so many digits, with zeros in front.
  package mutating func append(_ value: Int64, digits: Int) {
    let end = count + digits
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: digits))
    var rest = value
    var place = end - 1
    while rest > 0, place >= end - digits {
      self[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      place -= 1
    }
  }
}
