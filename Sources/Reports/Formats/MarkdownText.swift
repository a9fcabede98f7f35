/// Pieces of GitHub's Markdown.
enum MarkdownText {
  /// A table, its cells as they are.
  ///
  /// - Parameter textColumns: how many columns, from the left, are not numbers.
  static func table(_ header: [String], textColumns: Int, _ rows: [[String]]) -> String {
    let rule = header.indices.map { $0 < textColumns ? "---" : "---:" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// A whole report over sessions, with a newline at its end.
  ///
  /// - Parameters:
  ///   - scope: what is said below the title, and at the end.
  ///   - explanation: why the report is empty; it then stands in the place of the blocks.
  ///   - blocks: tables and sentences, as they are.
  ///   - remarks: plain sentences, which become a list.
  ///   - definitions: the version of the definitions that the numbers follow.
  static func document(
    _ title: String, _ scope: ScopeText, explanation: String?, blocks: [String], remarks: [String], definitions: String
  ) -> String {
    let asked = [scope.range, scope.apps, scope.filters].compactMap { $0 }.map(escaped).joined(separator: " · ")
    var document = ["## \(title)", asked] + (explanation.map { [$0] } ?? blocks)
    if !remarks.isEmpty { document.append(remarks.map { "- \(escaped($0))" }.joined(separator: "\n")) }
    if let freshness = scope.freshness { document.append("_\(freshness) Definitions \(definitions)._") }
    return document.joined(separator: "\n\n") + "\n"
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
