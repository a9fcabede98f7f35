import PrintedText

/// Bytes of senders, which need not be text, made fit for a terminal: nothing in them is obeyed, nothing is left out.
enum EscapedBytes {
  /// What is printable UTF-8 as it is, other characters as `\u{1B}`, bytes that are no UTF-8 as `\xFF`; all on one line.
  ///
  /// (JSON has neither `\u{` nor `\x`, so in an event they are always ours.)
  static func text(_ bytes: [UInt8]) -> String {
    var result = ""
    var rest = bytes[...]
    while let start = rest.first {
      let length = lengthOfScalar(rest)
      if length > 0 {
        // As many whole characters as there are: marks are joined with what they stand on.
        var end = rest.startIndex
        var next = length
        while next > 0 {
          end += next
          next = lengthOfScalar(rest[end...])
        }
        result += DisplayText.escaped(String(decoding: rest[..<end], as: UTF8.self))
        rest = rest[end...]
      } else {
        result += "\\x" + (start < 16 ? "0" : "") + String(start, radix: 16, uppercase: true)
        rest = rest.dropFirst()
      }
    }
    return result
  }

  /// The bytes of the character that begins here, by RFC 3629; 0: none does.
  private static func lengthOfScalar(_ bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first else { return 0 }
    let length: Int
    switch first {
    case 0x00...0x7F: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    case _: return 0
    }
    guard bytes.count >= length else { return 0 }
    let second = bytes[bytes.startIndex + 1]
    // No overlong form, no surrogate, nothing beyond U+10FFFF.
    switch (first, second) {
    case (0xE0, ..<0xA0), (0xED, 0xA0...), (0xF0, ..<0x90), (0xF4, 0x90...): return 0
    case _: break
    }
    let tail = bytes[(bytes.startIndex + 1)..<(bytes.startIndex + length)]
    return tail.allSatisfy { $0 & 0xC0 == 0x80 } ? length : 0
  }
}
