/// Texts as cells of CSV (RFC 4180): quotes only where they are needed, NULL is nothing, an empty text is `""`.
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-`, `@` (also in full width), a tab or the end of a line for a
/// formula and run it, and texts come from senders. A *safe* cell has a `'` in front of such a text, which spreadsheets show
/// as text, and shows what a terminal would obey; programs would take all that for a part of it, so files for programs hold
/// *exact* cells.
package enum CSVText {
  /// What has to be put around a text.
  package struct Needs: Equatable, Sendable {
    /// A `'` in front of it.
    package var mark: Bool
    /// Quotes around it, and those within doubled.
    package var quotes: Bool
  }

  /// What a text needs to be a cell.
  package static func needs(_ utf8: UnsafeRawBufferPointer, isSafe: Bool) -> Needs {
    if utf8.isEmpty { return Needs(mark: false, quotes: true) }
    var quotes = false
    for byte in utf8 where byte <= comma {
      // Nothing that needs quotes lies above the comma.
      if byte == comma || byte == quote || byte == lineFeed || byte == carriageReturn {
        quotes = true
        break
      }
    }
    return Needs(mark: isSafe && beginsFormula(utf8), quotes: quotes)
  }

  /// A text as a cell; nil is NULL. A safe one is obeyed by no terminal either: people print such tables as often as they
  /// open them.
  package static func cell(_ text: String?, isSafe: Bool) -> String {
    guard var text = isSafe ? text.map(DisplayText.escaped) : text else { return "" }
    let needs = text.withUTF8 { Self.needs(UnsafeRawBufferPointer($0), isSafe: isSafe) }
    let marked = needs.mark ? "'" + text : text
    return needs.quotes ? "\"" + ScalarText.replacing("\"", with: "\"\"", in: marked) + "\"" : marked
  }

  private static func beginsFormula(_ utf8: UnsafeRawBufferPointer) -> Bool {
    switch utf8[0] {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), tab, lineFeed, carriageReturn: true
    // The same four as East Asian keyboards have them, ＝ ＋ － ＠: U+FF1D, U+FF0B, U+FF0D, U+FF20.
    case 0xEF where utf8.count > 2 && utf8[1] == 0xBC: [0x9D, 0x8B, 0x8D, 0xA0].contains(utf8[2])
    case _: false
    }
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let tab: UInt8 = 0x09
  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D
}
