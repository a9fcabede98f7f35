/// Texts that are broken between words.
package enum WrappedText {
  /// What becomes of a word that is wider than a line.
  package enum WideWords: Sendable {
    /// It is cut, with `…` at its end.
    case cut
    /// It stands on a line of its own, too wide: for what is there to be copied.
    case whole
    /// It goes on in the next line.
    case broken
  }

  /// The lines of a text, none wider than so many columns but for `WideWords.whole`; none of an empty text.
  package static func lines(_ text: String, columns: Int, wideWords: WideWords = .cut) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    for word in text.split(separator: " ") {
      for piece in pieces(String(word), columns, wideWords) {
        let width = DisplayWidth.columns(of: piece)
        if used > 0, used + 1 + width > columns {
          lines.append(line)
          (line, used) = ("", 0)
        }
        line += used == 0 ? piece : " " + piece
        used += width + (used == 0 ? 0 : 1)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }

  private static func pieces(_ word: String, _ columns: Int, _ wideWords: WideWords) -> [String] {
    switch wideWords {
    case .cut: [DisplayWidth.cut(word, to: columns)]
    case .whole: [word]
    case .broken: broken(word, columns)
    }
  }

  private static func broken(_ word: String, _ columns: Int) -> [String] {
    guard DisplayWidth.columns(of: word) > columns else { return [word] }
    var pieces: [String] = []
    var piece = ""
    var used = 0
    for character in word {
      let width = DisplayWidth.columns(of: String(character))
      if used > 0, used + width > columns {
        pieces.append(piece)
        (piece, used) = ("", 0)
      }
      piece.append(character)
      used += width
    }
    return pieces + [piece]
  }
}
