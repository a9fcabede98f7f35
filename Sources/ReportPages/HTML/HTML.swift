import PrintedText

/// A piece of a page. Texts are escaped when it is written, and there is no other way into it for a text than as a text:
/// names of elements and attributes are literals of this program, so what a sender wrote can be neither.
struct HTML: Sendable {
  /// What kind of piece it is.
  indirect enum Content: Sendable {
    /// Text, to be escaped.
    case text(String)
    /// An element with what stands in it.
    case element(StaticString, HTMLAttributes, HTML)
    /// Several pieces one after the other.
    case several([HTML])
    /// Style or script of this program, as it is.
    case source([StaticString])
    /// JSON for a `script` element: what could end the element is written as `\u003c`.
    case json(String)
  }

  let content: Content

  private init(_ content: Content) { self.content = content }

  /// An element.
  init(
    _ name: StaticString, _ attributes: HTMLAttributes = [:], @HTMLBuilder _ content: () -> HTML = { HTML.nothing }
  ) {
    self.init(.element(name, attributes, content()))
  }

  /// No piece at all.
  static let nothing = HTML(.several([]))

  /// Plain text.
  static func text(_ text: String) -> HTML { HTML(.text(text)) }

  /// A text of a sender amid others: its direction of writing does not reach beyond it.
  static func sender(_ text: String) -> HTML { HTML("bdi") { text } }

  /// Several pieces one after the other.
  static func several(_ pieces: [HTML]) -> HTML { HTML(.several(pieces)) }

  /// Style or script: literals of this program alone.
  static func source(_ parts: [StaticString]) -> HTML { HTML(.source(parts)) }

  /// A text in JSON, for a `script` element that is not run.
  static func json(_ text: String) -> HTML { HTML(.json(text)) }
}

/// Attributes of an element in their order; those without a value are left out.
struct HTMLAttributes: Sendable, ExpressibleByDictionaryLiteral {
  /// Names with their values.
  private(set) var values: [(name: StaticString, value: String)] = []

  init(dictionaryLiteral elements: (StaticString, String?)...) {
    for (name, value) in elements {
      if let value { values.append((name, value)) }
    }
  }

  /// These and those of another.
  func with(_ other: HTMLAttributes) -> HTMLAttributes {
    var all = self
    all.values += other.values
    return all
  }
}
