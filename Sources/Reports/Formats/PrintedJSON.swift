import FunnelDocument
import PrintedText

extension JSONValue {
  /// As every report prints it, with a newline at its end. Texts come from senders and may be looked at on a terminal, so
  /// nothing in them is obeyed there.
  package func printed(layout: JSONLayout = .readable) -> String {
    DisplayText.escapedJSON(text(layout: layout)) + "\n"
  }

  /// A length of time in milliseconds, or null.
  package static func milliseconds(_ microseconds: Int64?) -> JSONValue {
    .optional(microseconds.map { Double($0) / 1_000 })
  }
}
