/// A form in which a report can be printed: one of its own, or a page to look at.
enum PrintedForm<Format: RawRepresentable<String> & CaseIterable & Equatable>: RawRepresentable, CaseIterable, Equatable
{
  /// One of the report's own forms.
  case text(Format)
  /// A page: one HTML file.
  case html

  static var allCases: [PrintedForm] { Format.allCases.map { .text($0) } + [.html] }

  init?(rawValue: String) {
    if rawValue == Self.html.rawValue {
      self = .html
    } else if let format = Format(rawValue: rawValue) {
      self = .text(format)
    } else {
      return nil
    }
  }

  var rawValue: String {
    switch self {
    case .text(let format): format.rawValue
    case .html: "html"
    }
  }
}
