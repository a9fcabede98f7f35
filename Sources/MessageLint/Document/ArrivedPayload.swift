import FunnelDocument

/// The payload as the phone gets it (playback §1.1), as far as a message says what that will be.
///
/// Of a request: `ios_root_params` at the root; `aps` merged from its `aps` and from the notification's own fields, which
/// fill in what is not there: the alert from `ios_title`, `ios_subtitle` and `ios_content`, else `title`, `subtitle` and
/// `content`; the category from `ios_category_custom`, else `ios_category`; badge and sound. `data` is put under `u`. A payload is taken
/// as it stands, without what only the simulator reads; a bare block gets a root around it. What the sender's service adds
/// when it sends (the message's hash `p`, metadata `md`) is not known before.
struct ArrivedPayload: Sendable {
  /// The root.
  var value: JSONValue
  /// The block, found where phones look; nil where they find none.
  var block: StoryBlock?
  /// Where keys stand twice in custom data that are a string of JSON: `u` or `userdata`, and the places in the string.
  var duplicatesInCustomData: [(key: String, places: [JSONPointer])] = []

  /// The keys under which custom data arrive, in the order in which phones look.
  static let customDataKeys = ["u", "userdata"]

  /// The most bytes that the push service takes (Apple, "Generating a remote notification").
  static let maximumBytes = 4096

  init(form: MessageForm, value: JSONValue) {
    switch form {
    case .request: self.value = Self.assemble(value)
    case .payload: self.value = value.removing(SimulatorPush.targetKey)
    case .block:
      self.value = .object([
        JSONMember("aps", .object([JSONMember("category", .string(storyCategory))])),
        JSONMember("u", .object([JSONMember("pw_stories", value)])),
      ])
    }
    findBlock()
    // The bare block stands at the file's own root, whatever root it gets.
    if form == .block { block?.location = .root }
  }

  /// As the phone's delegate gets it.
  var userInfo: [String: Any] { value.foundation as? [String: Any] ?? [:] }

  /// `aps.category`, where it is a text.
  var category: String? { value["aps"]?["category"]?.stringValue }

  /// Its size as JSON without white space, in bytes.
  var byteCount: Int { value.text(layout: .compact).utf8.count }

  /// The same where custom data arrive as a string of JSON, whose quotes then are escaped; nil where that is no matter.
  var byteCountWithCustomDataAsText: Int? {
    guard let custom = value["u"], custom.objectValue != nil else { return nil }
    let text = JSONValue.string(custom.text(layout: .compact))
    return value.replacing("u", with: text).text(layout: .compact).utf8.count
  }

  /// Phones look at the root, then in `u`, then in `userdata`, each an object or a string of JSON.
  private mutating func findBlock() {
    if let found = value["pw_stories"], found.objectValue != nil {
      block = StoryBlock(value: found, location: .root)
      return
    }
    for key in Self.customDataKeys {
      guard let custom = value[key] else { continue }
      if let found = custom["pw_stories"], found.objectValue != nil {
        block = StoryBlock(value: found, location: .object(key: key))
        return
      }
      guard let text = custom.stringValue, let parsed = try? JSONValue(text: text) else { continue }
      var duplicates: [JSONPointer] = []
      let data = parsed.deduplicated(found: &duplicates)
      if !duplicates.isEmpty { duplicatesInCustomData.append((key, duplicates)) }
      if let found = data["pw_stories"], found.objectValue != nil {
        block = StoryBlock(value: found, location: .text(key: key))
        return
      }
    }
  }
}

/// A `pw_stories` object and where it was found.
struct StoryBlock: Equatable, Sendable {
  var value: JSONValue
  var location: Location

  /// Where in a payload a block may be.
  enum Location: Equatable, Sendable {
    case root
    /// In custom data that is an object.
    case object(key: String)
    /// In custom data that is a string of JSON.
    case text(key: String)
  }
}

extension JSONValue {
  /// An object without a key; any other value as it is.
  func removing(_ key: String) -> JSONValue {
    guard let members = objectValue else { return self }
    return .object(members.filter { $0.key != key })
  }

  /// An object with another value under a key, in its place or at the end; any other value as it is.
  func replacing(_ key: String, with value: JSONValue) -> JSONValue {
    guard var members = objectValue else { return self }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = value
    } else {
      members.append(JSONMember(key, value))
    }
    return .object(members)
  }
}
