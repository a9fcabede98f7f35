/// The colours of a table, by what they mean (ECMA-48, "SGR").
struct Ink {
  let isOn: Bool

  /// What is looked at first.
  func strong(_ text: String) -> String { painted(text, "1") }
  /// What explains.
  func faint(_ text: String) -> String { painted(text, "2") }
  /// How far viewers came.
  func bar(_ text: String) -> String { painted(text, "36") }
  /// What was lost.
  func loss(_ text: String) -> String { painted(text, "31") }
  /// What limits the numbers.
  func caution(_ text: String) -> String { painted(text, "33") }

  private func painted(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
