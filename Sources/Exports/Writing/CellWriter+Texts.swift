import PrintedText

/// Texts of senders, which hold anything.
extension CellWriter {
  /// A text of a sender.
  mutating func text(_ utf8: UnsafeRawBufferPointer?) {
    guard let utf8 else { return null() }
    beginCell()
    if isJSON { jsonText(utf8) } else { csvText(utf8, isSafe: isSafe) }
  }

  mutating func text(_ value: String?) {
    guard var value else { return null() }
    value.withUTF8 { text(UnsafeRawBufferPointer($0)) }
  }

  /// JSON: a value of its own in NDJSON, its text in CSV.
  mutating func json(_ utf8: UnsafeRawBufferPointer?) {
    guard let utf8 else { return null() }
    beginCell()
    guard isJSON else { return csvText(utf8, isSafe: false) }
    // PostgreSQL writes jsonb on one line. Between its tokens a line end would mean no more than a space.
    if utf8.contains(where: { $0 < 0x20 }) {
      for byte in utf8 { buffer.append(byte < 0x20 ? UInt8(ascii: " ") : byte) }
    } else {
      buffer.append(utf8)
    }
  }

  private mutating func csvText(_ utf8: UnsafeRawBufferPointer, isSafe: Bool) {
    let needs = CSVText.needs(utf8, isSafe: isSafe)
    let quote = UInt8(ascii: "\"")
    if needs.quotes { buffer.append(quote) }
    if needs.mark { buffer.append(UInt8(ascii: "'")) }
    if needs.quotes {
      var rest = utf8[...]
      while let place = rest.firstIndex(of: quote) {
        buffer.append(UnsafeRawBufferPointer(rebasing: rest[...place]))
        buffer.append(quote)
        rest = rest[(place + 1)...]
      }
      buffer.append(UnsafeRawBufferPointer(rebasing: rest))
      buffer.append(quote)
    } else {
      buffer.append(utf8)
    }
  }

  /// A JSON string (RFC 8259 §7): what must be escaped is, and nothing else.
  private mutating func jsonText(_ utf8: UnsafeRawBufferPointer) {
    buffer.append(UInt8(ascii: "\""))
    var begin = 0
    for place in 0..<utf8.count {
      let byte = utf8[place]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      buffer.append(UnsafeRawBufferPointer(rebasing: utf8[begin..<place]))
      begin = place + 1
      switch byte {
      case 0x0A: buffer.append("\\n")
      case 0x0D: buffer.append("\\r")
      case 0x09: buffer.append("\\t")
      case 0..<0x20:
        buffer.append("\\u00")
        buffer.append(UInt8(ascii: "0") + byte >> 4)
        buffer.append(byte & 0xF < 10 ? 0x30 + byte & 0xF : 0x57 + byte & 0xF)
      case _:
        buffer.append(UInt8(ascii: "\\"))
        buffer.append(byte)
      }
    }
    buffer.append(UnsafeRawBufferPointer(rebasing: utf8[begin...]))
    buffer.append(UInt8(ascii: "\""))
  }
}
