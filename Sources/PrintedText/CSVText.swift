/// Texts as cells of CSV (RFC 4180): quotes only where they are needed, NULL is nothing, an empty text is `""`.
///
/// Spreadsheets take a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return for a formula and run it, and
/// texts come from senders. A *safe* cell has a `'` in front of such a text, which spreadsheets show as text; programs
/// would take the `'` for a part of it, so files for programs hold *exact* cells.
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
    guard let first = utf8.first else { return Needs(mark: false, quotes: true) }
    var quotes = false
    for byte in utf8 where byte <= comma {
      // Nothing that needs quotes lies above the comma.
      if byte == comma || byte == quote || byte == lineFeed || byte == carriageReturn {
        quotes = true
        break
      }
    }
    return Needs(mark: isSafe && beginsFormula(first), quotes: quotes)
  }

  /// A text as a cell; nil is NULL.
  package static func cell(_ text: String?, isSafe: Bool) -> String {
    guard var text else { return "" }
    let needs = text.withUTF8 { Self.needs(UnsafeRawBufferPointer($0), isSafe: isSafe) }
    let marked = needs.mark ? "'" + text : text
    return needs.quotes ? "\"" + marked.replacing("\"", with: "\"\"") + "\"" : marked
  }

  private static func beginsFormula(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), tab, carriageReturn: true
    case _: false
    }
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let tab: UInt8 = 0x09
  private static let lineFeed: UInt8 = 0x0A
  private static let carriageReturn: UInt8 = 0x0D
}
