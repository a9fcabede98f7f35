/// The keys that count in one kind of object, and the names under which people write them by mistake.
struct KnownKeys: Sendable {
  /// Exactly as they have to be written.
  let names: [String]
  /// Names that mean one of these, in lower case without `_`, `-` and blanks.
  let aliases: [String: String]

  static let page = KnownKeys(
    names: ["image", "duration", "link", "button_title", "title", "subtitle"],
    aliases: [
      "img": "image", "imageurl": "image", "imageuri": "image", "imagelink": "image", "imgurl": "image",
      "picture": "image", "photo": "image", "src": "image", "background": "image", "media": "image",
      "time": "duration", "seconds": "duration", "length": "duration", "timeout": "duration", "delay": "duration",
      "durationseconds": "duration", "timer": "duration",
      "url": "link", "href": "link", "deeplink": "link", "linkurl": "link", "uri": "link", "action": "link",
      "buttonlink": "link", "buttonurl": "link", "target": "link",
      "btntitle": "button_title", "button": "button_title", "buttontext": "button_title", "btn": "button_title",
      "buttonlabel": "button_title", "cta": "button_title", "ctatitle": "button_title", "ctatext": "button_title",
      "linktitle": "button_title", "btntext": "button_title",
      "heading": "title", "headline": "title", "header": "title", "name": "title",
      "text": "subtitle", "description": "subtitle", "body": "subtitle", "caption": "subtitle",
    ])

  static let block = KnownKeys(
    names: ["pages", "story_id"],
    aliases: ["slides": "pages", "stories": "pages", "items": "pages", "id": "story_id", "story": "story_id"])

  static let customData = KnownKeys(
    names: ["pw_stories"],
    aliases: ["stories": "pw_stories", "story": "pw_stories", "pushwooshstories": "pw_stories"])

  static let notification = KnownKeys(
    names: ["ios_category_custom", "ios_category", "ios_root_params", "data"],
    aliases: [
      "ioscategoryid": "ios_category", "ioscustomcategory": "ios_category_custom", "rootparams": "ios_root_params",
    ])

  static let payload = KnownKeys(names: ["pw_stories", "aps"], aliases: [:])

  static let aps = KnownKeys(names: ["mutable-content", "category"], aliases: [:])

  /// What a key probably was meant to be; nil where it is right, or like none.
  func suggestion(for key: String) -> String? {
    guard key.utf8.count <= 40, !names.contains(key) else { return nil }
    let plain = Self.plain(key)
    if let name = names.first(where: { Self.plain($0) == plain }) { return name }
    if let alias = aliases[plain] { return alias }
    // A short word is near to too many others.
    guard plain.count >= 5 else { return nil }
    return names.first { name in
      let known = Self.plain(name)
      return known.count >= 5 && Self.isNear(plain, known, within: known.count >= 9 ? 2 : 1)
    }
  }

  private static func plain(_ key: String) -> String {
    key.lowercased().filter { $0 != "_" && $0 != "-" && !$0.isWhitespace }
  }

  /// Whether that many letters put in, left out or exchanged make one of the other, where two neighbours that changed
  /// places count once (optimal string alignment).
  private static func isNear(_ first: String, _ second: String, within limit: Int) -> Bool {
    let (first, second) = (Array(first), Array(second))
    guard abs(first.count - second.count) <= limit else { return false }
    var earlier: [Int] = []
    var row = Array(0...second.count)
    for line in first.indices {
      var next = [line + 1]
      for column in second.indices {
        var least = min(
          row[column] + (first[line] == second[column] ? 0 : 1), row[column + 1] + 1, next[column] + 1)
        if line > 0, column > 0, first[line] == second[column - 1], first[line - 1] == second[column] {
          least = min(least, earlier[column - 1] + 1)
        }
        next.append(least)
      }
      (earlier, row) = (row, next)
    }
    return row[second.count] <= limit
  }
}
