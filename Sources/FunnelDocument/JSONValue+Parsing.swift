extension JSONValue {
  /// Reads JSON text (RFC 8259), UTF-8.
  ///
  /// - Throws: `notJSON` where it is not well-formed, holds a number that is not finite, or nests deeper than 64 levels.
  public init(text: some Sequence<UInt8>) throws(FunnelDocumentError) {
    var parser = JSONParser(bytes: Array(text))
    parser.skipWhitespace()
    self = try parser.parseValue(depth: 0)
    parser.skipWhitespace()
    guard parser.position == parser.bytes.count else { throw parser.fault("the end") }
  }

  /// Reads JSON text (RFC 8259). See `init(text:)` for bytes.
  public init(text: String) throws(FunnelDocumentError) {
    try self.init(text: text.utf8)
  }
}

/// A recursive reader with a bound on its depth. Files of funnels are small; clarity comes first.
private struct JSONParser {
  let bytes: [UInt8]
  var position = 0

  private static let deepestNesting = 64

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  func fault(_ expected: String) -> FunnelDocumentError { .notJSON(offset: position, expected: expected) }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipWhitespace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  mutating func parseValue(depth: Int) throws(FunnelDocumentError) -> JSONValue {
    guard depth < Self.deepestNesting else { throw fault("at most \(Self.deepestNesting) levels") }
    switch current {
    case UInt8(ascii: "{"): return try parseObject(depth: depth)
    case UInt8(ascii: "["): return try parseArray(depth: depth)
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try parseNumber()
    default: throw fault("a value")
    }
  }

  private mutating func parseWord(_ word: String, _ value: JSONValue) throws(FunnelDocumentError) -> JSONValue {
    guard bytes[position...].starts(with: word.utf8) else { throw fault(word) }
    position += word.utf8.count
    return value
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(FunnelDocumentError) {
    guard current == UInt8(ascii: character) else { throw fault("'\(character)'") }
    position += 1
  }

  /// Steps over a comma (true) or the closing bracket (false).
  private mutating func continues(until closing: Unicode.Scalar) throws(FunnelDocumentError) -> Bool {
    skipWhitespace()
    if current == UInt8(ascii: ",") {
      position += 1
      skipWhitespace()
      return true
    }
    guard current == UInt8(ascii: closing) else { throw fault("',' or '\(closing)'") }
    position += 1
    return false
  }

  private mutating func parseObject(depth: Int) throws(FunnelDocumentError) -> JSONValue {
    try expect("{")
    skipWhitespace()
    var members: [JSONMember] = []
    if current == UInt8(ascii: "}") {
      position += 1
      return .object(members)
    }
    repeat {
      guard current == UInt8(ascii: "\"") else { throw fault("a key") }
      let key = try parseString()
      skipWhitespace()
      try expect(":")
      skipWhitespace()
      members.append(JSONMember(key, try parseValue(depth: depth + 1)))
    } while try continues(until: "}")
    return .object(members)
  }

  private mutating func parseArray(depth: Int) throws(FunnelDocumentError) -> JSONValue {
    try expect("[")
    skipWhitespace()
    var elements: [JSONValue] = []
    if current == UInt8(ascii: "]") {
      position += 1
      return .array(elements)
    }
    repeat {
      elements.append(try parseValue(depth: depth + 1))
    } while try continues(until: "]")
    return .array(elements)
  }

  private mutating func parseNumber() throws(FunnelDocumentError) -> JSONValue {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    if current == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
    var isInteger = true
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try skipDigits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try skipDigits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw fault("a number that is finite") }
    return .number(value)
  }

  private mutating func skipDigits() throws(FunnelDocumentError) {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw fault("a digit") }
  }

  private mutating func parseString() throws(FunnelDocumentError) -> String {
    try expect("\"")
    var text: [UInt8] = []
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let valid = String(validating: text, as: UTF8.self) else { throw fault("UTF-8") }
        return valid
      case UInt8(ascii: "\\"): text.append(contentsOf: String(try parseEscape()).utf8)
      case 0..<0x20: throw fault("an escaped control character")
      default: text.append(byte)
      }
    }
    throw fault("'\"'")
  }

  private mutating func parseEscape() throws(FunnelDocumentError) -> Unicode.Scalar {
    guard let byte = current else { throw fault("an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try parseUnicodeEscape()
    default: throw fault("an escape")
    }
  }

  private mutating func parseUnicodeEscape() throws(FunnelDocumentError) -> Unicode.Scalar {
    let first = try parseHexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800..<0xDC00).contains(first) else { throw fault("a high surrogate first") }
    try expect("\\")
    try expect("u")
    let second = try parseHexadecimal()
    guard (0xDC00..<0xE000).contains(second) else { throw fault("a low surrogate") }
    guard let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else {
      throw fault("a surrogate pair")
    }
    return scalar
  }

  private mutating func parseHexadecimal() throws(FunnelDocumentError) -> UInt32 {
    let digits = bytes[position...].prefix(4)
    // `UInt32(_:radix:)` alone would take a sign.
    guard digits.count == 4, digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw fault("four hexadecimal digits") }
    position += 4
    return value
  }
}
