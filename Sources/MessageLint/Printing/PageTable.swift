import PrintedText
import StoryPlayback

/// The pages as they would play, as a small table.
struct PageTable {
  let pages: [StoryPage]

  /// Pages that are shown; a story that people watch to its end has fewer.
  private static let mostPages = 50
  private static let heads = ["page", "place", "seconds", "title", "button", "image"]
  /// How wide the columns of texts may be where the table is 80 wide.
  private static let mostTitleColumns = 18
  private static let mostButtonColumns = 24

  /// The table, its last column cut to the width.
  func text(columns: Int) -> String {
    // What a wider terminal gives, and a narrower one takes.
    let spare = columns >= 80 ? (columns - 80) / 3 : (columns - 80) / 2
    let rows = [Self.heads] + pages.prefix(Self.mostPages).enumerated().map { cells($1, playedIndex: $0, spare: spare) }
    let widths = Self.heads.indices.map { column in rows.map { DisplayWidth.columns(of: $0[column]) }.max() ?? 0 }
    var text = ""
    for row in rows {
      var line = " "
      for column in 0..<(row.count - 1) {
        line += " " + DisplayWidth.pad(row[column], to: widths[column], isRightAligned: column < 3) + " "
      }
      let room = max(10, columns - DisplayWidth.columns(of: line) - 1)
      text += "\(line) \(Self.ending(row[row.count - 1], width: room))\n"
    }
    if pages.count > Self.mostPages { text += "  and \(pages.count - Self.mostPages) more pages\n" }
    return text
  }

  private func cells(_ page: StoryPage, playedIndex: Int, spare: Int) -> [String] {
    let button = page.link.flatMap { link in page.buttonTitle.map { "\($0) → \(link.absoluteString)" } }
    return [
      String(playedIndex), String(page.payloadIndex), SecondsText.text(page.durationSeconds),
      Self.cell(page.title ?? page.subtitle ?? "–", max(10, Self.mostTitleColumns + spare)),
      Self.cell(button ?? "–", max(12, Self.mostButtonColumns + spare)),
      DisplayText.escaped(String(page.imageURL.absoluteString.suffix(400))),
    ]
  }

  /// The end of a URL, which tells images apart better than its beginning.
  private static func ending(_ text: String, width: Int) -> String {
    guard DisplayWidth.columns(of: text) > width else { return text }
    var used = 1
    let kept = text.reversed().prefix { character in
      used += DisplayWidth.columns(of: String(character))
      return used <= width
    }
    return "…" + String(kept.reversed())
  }

  private static func cell(_ text: String, _ width: Int) -> String {
    DisplayWidth.cut(DisplayText.escaped(String(text.prefix(200))), to: width)
  }
}
