import PrintedText

/// Writes pieces of a page as text: the one place where anything is escaped.
struct HTMLWriter {
  /// What was written so far.
  private(set) var output = ""

  /// A piece as text.
  static func text(_ piece: HTML) -> String {
    var writer = HTMLWriter()
    writer.write(piece)
    return writer.output
  }

  /// Writes a piece.
  mutating func write(_ piece: HTML) {
    switch piece.content {
    case .text(let text): output += Self.escaped(text)
    case .several(let pieces): for piece in pieces { write(piece) }
    case .source(let parts): for part in parts { output += part.description }
    case .json(let text): output += Self.escapedJSON(text)
    case .element(let name, let attributes, let content):
      let tag = name.description
      output += Self.blocks.contains(tag) ? "\n<\(tag)" : "<\(tag)"
      for (name, value) in attributes.values { output += " \(name)=\"\(Self.escaped(value))\"" }
      output += ">"
      write(content)
      if !Self.empty.contains(tag) { output += "</\(tag)>" }
    }
  }

  /// A text fit for an element as well as for an attribute in quotes. Controls and marks of direction are shown, as they
  /// are wherever texts of senders are shown.
  static func escaped(_ text: String) -> String {
    let shown = DisplayText.escaped(text)
    guard shown.utf8.contains(where: isMarkup) else { return shown }
    var result = ""
    for scalar in shown.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// In JSON markup stands in strings alone, where `\u003c` is the same as `<`; so do controls and marks of direction, which
  /// would turn around what an editor shows of the file.
  private static func escapedJSON(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "\\u0026"
      case "<": result += "\\u003c"
      case ">": result += "\\u003e"
      case _ where scalar.isASCII || DisplayText.escaped(String(scalar)) == String(scalar):
        result.unicodeScalars.append(scalar)
      case _:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return result
  }

  private static func isMarkup(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "\"")
      || byte == UInt8(ascii: "'")
  }

  /// Elements that have no content, so no end tag.
  private static let empty: Set<String> = ["meta", "link", "br", "hr", "col"]

  /// Elements that begin a line, for who reads the source.
  private static let blocks: Set<String> = [
    "head", "meta", "title", "style", "script", "body", "header", "nav", "main", "section", "footer", "h1", "h2", "h3",
    "p", "ul", "ol", "li", "dl", "div", "figure", "table", "thead", "tbody", "tfoot", "tr", "details", "svg",
  ]
}
