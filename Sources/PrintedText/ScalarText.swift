/// Texts of senders, looked at the way whoever reads them does: scalar by scalar.
package enum ScalarText {
  /// The text with another in the place of each occurrence of a scalar.
  ///
  /// `String.replacing` looks for characters, and a mark that combines makes one character of itself and what stands before
  /// it: it would not see the quote of `"\u{301}`, at which a spreadsheet and a shell end a text all the same.
  package static func replacing(_ scalar: Unicode.Scalar, with other: String, in text: String) -> String {
    guard text.unicodeScalars.contains(scalar) else { return text }
    var result = String.UnicodeScalarView()
    for found in text.unicodeScalars {
      if found == scalar { result.append(contentsOf: other.unicodeScalars) } else { result.append(found) }
    }
    return String(result)
  }
}
