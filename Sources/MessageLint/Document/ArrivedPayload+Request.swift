import FunnelDocument

extension ArrivedPayload {
  /// The payload that a notification of a request becomes.
  static func assemble(_ notification: JSONValue) -> JSONValue {
    let root = notification["ios_root_params"]?.objectValue ?? []
    let aps = apsObject(notification, root: root)
    var members: [JSONMember] = []
    if !aps.isEmpty { members.append(JSONMember("aps", .object(aps))) }
    // `data` takes the place of a `u` in the root parameters, also where there is none.
    members += root.filter { $0.key != "aps" && $0.key != "u" }
    if let data = notification["data"] { members.append(JSONMember("u", data)) }
    return .object(members)
  }

  private static func apsObject(_ notification: JSONValue, root: [JSONMember]) -> [JSONMember] {
    var aps = JSONValue.object(root.first { $0.key == "aps" }?.value.objectValue ?? [])
    let fields: [(key: String, value: JSONValue?)] = [
      ("alert", alert(notification)),
      ("badge", notification["ios_badges"].flatMap { $0.integerValue == nil ? nil : $0 }),
      ("sound", text(notification["ios_sound"]).map { .string($0) }),
    ]
    for field in fields {
      if let value = field.value, aps[field.key] == nil { aps = aps.replacing(field.key, with: value) }
    }
    // The one that the vendor documents for stories wins.
    if let category = text(notification["ios_category_custom"]) {
      aps = aps.replacing("category", with: .string(category))
    } else if aps["category"] == nil, let number = CategoryNumber.text(of: notification["ios_category"]) {
      aps = aps.replacing("category", with: .string(number))
    }
    return aps.objectValue ?? []
  }

  /// The alert; nil where the notification has no text at all.
  private static func alert(_ notification: JSONValue) -> JSONValue? {
    let texts: [(key: String, fields: [String])] = [
      ("title", ["ios_title", "title"]), ("subtitle", ["ios_subtitle", "subtitle"]),
      ("body", ["ios_content", "content"]),
    ]
    let members = texts.compactMap { text -> JSONMember? in
      let found = text.fields.lazy.compactMap { localized(notification[$0]) }.first
      return found.map { JSONMember(text.key, .string($0)) }
    }
    return members.isEmpty ? nil : .object(members)
  }

  /// A text, or an object of texts by language: English where there is one, else the first.
  private static func localized(_ value: JSONValue?) -> String? {
    if let found = text(value) { return found }
    guard let languages = value?.objectValue else { return nil }
    return text(value?["en"]) ?? languages.lazy.compactMap { text($0.value) }.first
  }

  private static func text(_ value: JSONValue?) -> String? {
    guard let found = value?.stringValue, !found.isEmpty else { return nil }
    return found
  }
}
