import StoryEvents
import StoryPlayback

/// What the events of a rich media tell of it, as JSON made once.
struct RichMediaDetails: Sendable {
  /// `,"content_code":…` and what else each event has.
  let eventJSON: [UInt8]
  /// The window's properties with a comma behind each, for the context of a session.
  let propertiesJSON: [UInt8]

  init(_ content: RichMediaContent) {
    var event = ",\"content_code\":\(jsonText(content.code))"
    if let source = content.source { event += ",\"source\":\"\(source.name)\"" }
    eventJSON = Array(event.utf8)
    let properties = content.window.properties.map { property in
      switch property.value {
      case .text(let text): "\(jsonText(property.name)):\(jsonText(text)),"
      case .number(let number): "\(jsonText(property.name)):\(Self.text(of: number)),"
      }
    }
    propertiesJSON = Array(properties.joined().utf8)
  }

  /// The window's properties as a report shows them.
  static func texts(of window: ModalWindow) -> [(name: String, text: String)] {
    window.properties.map { property in
      switch property.value {
      case .text(let text): (property.name, text)
      case .number(let number): (property.name, digits(of: number))
      }
    }
  }

  /// A number as the database shows it, without an exponent: `0.00001` for 1e-05.
  private static func digits(of number: Double) -> String {
    let text = text(of: number)
    guard let mark = text.firstIndex(of: "e"), let exponent = Int(text[text.index(after: mark)...]), exponent < 0
    else { return text }
    return "0." + String(repeating: "0", count: -exponent - 1) + text[..<mark].filter { $0 != "." }
  }

  /// Whole numbers without a fraction.
  private static func text(of number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? "\(number)"
  }
}
