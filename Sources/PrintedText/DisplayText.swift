/// Texts of senders, made fit to be shown: nothing in them is obeyed.
package enum DisplayText {
  /// Controls, directions, invisible and unassigned characters as `\u{…}`; all else as it is.
  ///
  /// A title may hold escape sequences that repaint a terminal, or marks that reverse what stands beside it.
  package static func escaped(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: mustBeEscaped) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if mustBeEscaped(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a terminal or an editor would obey a scalar, or show nothing of it.
  package static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value >= 0x20 && scalar.value < 0x7F { return false }
    // These join emoji into one picture, and letters of some scripts.
    if scalar.value == 0x200D || scalar.value == 0xFE0F { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: return true
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
      .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation,
      .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol, .spaceSeparator:
      return false
    @unknown default: return true
    }
  }
}
