/// Pieces of GitHub's Markdown.
enum MarkdownText {
  /// A table, its cells as they are.
  ///
  /// - Parameter textColumns: how many columns, from the left, are not numbers.
  static func table(_ header: [String], textColumns: Int, _ rows: [[String]]) -> String {
    let rule = header.indices.map { $0 < textColumns ? "---" : "---:" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// A sender's text as plain text: no markup, no table cell's end, no link, nobody's name called.
  static func escaped(_ text: String) -> String {
    var result = ""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      // A link begins with `://`. By scalars: a mark may be one character with the last slash.
      case "/" where previous == ":": result += "&#47;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "$": result += "\\\(scalar)"
      case "<", ">", "&", "@": result += "&#\(scalar.value);"
      case _: result.unicodeScalars.append(scalar)
      }
      previous = scalar
    }
    return result
  }
}
