import PrintedText

/// Where pages looked different before, in plain sentences: a number of a page may be of two pages.
package enum PageChangeText {
  /// Sentences at most; the rest is one that says how many there are.
  private static let mostSentences = 5
  /// A text longer than this is cut.
  private static let mostColumns = 40

  /// The sentences, the oldest change first; none where no page changed.
  package static func sentences(_ changes: [PageChange]) -> [String] {
    var sentences = changes.prefix(mostSentences).map(sentence)
    let hidden = changes.count - sentences.count
    if hidden > 0 { sentences.append("\(FigureText.count(hidden, "further change")) of pages: see the JSON form.") }
    return sentences
  }

  private static func sentence(_ change: PageChange) -> String {
    let parts = change.fields.map { field in
      "\(name(field.name)) was \(quoted(field.before)), then \(field.after.map(quoted) ?? "nothing")"
    }
    let time = change.changedAt.prefix(16).replacing("T", with: " ")
    return "Page \(change.index) changed on \(time): \(parts.joined(separator: "; "))."
  }

  private static func quoted(_ text: String) -> String {
    "'\(DisplayWidth.cut(DisplayText.escaped(text), to: mostColumns))'"
  }

  private static func name(_ field: String) -> String {
    switch field {
    case "image_url": "image"
    case "button_title": "button"
    case let other: other
    }
  }
}
