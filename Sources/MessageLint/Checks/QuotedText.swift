import FunnelDocument

/// A text of the message as findings quote it: in quotes, cut to what fits a line.
func quoted(_ text: String) -> String {
  "\"\(String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))))\(text.unicodeScalars.count > 60 ? "…" : "")\""
}

/// The same of a value, where it is a text.
func quoted(_ value: JSONValue?) -> String { quoted(value?.stringValue ?? "") }

/// Seconds as people write them: no fraction where there is none.
enum SecondsText {
  /// At most six digits after the point.
  static func text(_ seconds: Double) -> String {
    if let whole = Int64(exactly: seconds) { return String(whole) }
    let rounded = (seconds * 1_000_000).rounded() / 1_000_000
    return rounded == 0 ? seconds.description : rounded.description
  }
}
