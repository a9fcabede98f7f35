import PrintedText

/// What somebody wrote, in a message about it.
enum QuotedText {
  /// In quotes, made fit to be shown, and cut where it is long: a message is one line.
  static func of(_ text: String, columns: Int = 100) -> String {
    // Cut before it is looked at: a value may be a megabyte.
    let beginning = String(text.unicodeScalars.prefix(columns + 1))
    return "'\(DisplayWidth.cut(DisplayText.escaped(beginning), to: columns))'"
  }
}
