extension String: PostgresDecodable {
  /// Reads the text types, `json`, `jsonb`, `xml`, `numeric`, a database's own enums and text types, and any value that
  /// came in text form.
  public static func decode(_ cell: PostgresCell) throws(DecodingFault) -> String {
    guard let bytes = cell.bytes else { throw .unexpectedNull }
    if cell.format == .text { return try text(bytes) }
    switch cell.type {
    case PostgresType.text, PostgresType.varchar, PostgresType.blankPaddedChar, PostgresType.name, PostgresType.char,
      PostgresType.json, PostgresType.xml, PostgresType.unknown, PostgresType.cstring:
      return try text(bytes)
    case PostgresType.jsonb:
      guard bytes.first == 1 else { throw .malformed }
      return try text(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
    case PostgresType.numeric:
      return try NumericText.decode(bytes)
    case PostgresType.firstOfDatabase...:
      // Nobody tells whether the type is text; what holds a zero byte is not, and composites always do.
      if bytes.contains(0) { throw .typeMismatch }
      return try text(bytes)
    default:
      throw .typeMismatch
    }
  }

  private static func text(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
    return text
  }
}

/// The binary form of `numeric` as the text that PostgreSQL prints (PostgreSQL source: `numeric_send`).
enum NumericText {
  static func decode(_ bytes: UnsafeRawBufferPointer) throws(DecodingFault) -> String {
    guard bytes.count >= 8, bytes.count.isMultiple(of: 2) else { throw .malformed }
    let words = stride(from: 0, to: bytes.count, by: 2).map {
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt16.self))
    }
    let digits = words.dropFirst(4)
    let weight = Int(Int16(bitPattern: words[1]))
    let scale = Int(words[3])
    guard digits.count == Int(words[0]), digits.allSatisfy({ $0 < 10_000 }), scale <= 16_383 else { throw .malformed }
    switch words[2] {
    case 0x0000: return text(Array(digits), weight, scale)
    case 0x4000: return "-" + text(Array(digits), weight, scale)
    case 0xC000: return "NaN"
    case 0xD000: return "Infinity"
    case 0xF000: return "-Infinity"
    default: throw .malformed
    }
  }

  /// Digits are of base 10,000, the first worth 10,000 to the power of `weight`; `scale` decimals are shown.
  private static func text(_ digits: [UInt16], _ weight: Int, _ scale: Int) -> String {
    func group(_ position: Int) -> String {
      let index = weight - position
      let digit = String(digits.indices.contains(index) ? digits[index] : 0)
      return String(repeating: "0", count: 4 - digit.count) + digit
    }
    var whole = ""
    for position in stride(from: max(weight, 0), through: 0, by: -1) { whole += group(position) }
    let trimmed = whole.drop { $0 == "0" }
    var text = trimmed.isEmpty ? "0" : String(trimmed)
    if scale > 0 {
      var decimals = ""
      for position in 1...((scale + 3) / 4) { decimals += group(-position) }
      text += "." + decimals.prefix(scale)
    }
    return text
  }
}
