import FunnelDocument
import StoryPlayback

/// The categories of buttons that an app has, where they are known.
package struct KnownCategories: Sendable {
  /// Those of now.
  package var categories: [NotificationCategory]
  /// Ids of those that it had before.
  package var endedIDs: [String]
  /// Where they come from, as messages say it, such as `the categories of 'shop'`.
  package var origin: String

  /// Makes a list.
  package init(categories: [NotificationCategory], endedIDs: [String] = [], origin: String) {
    self.categories = categories
    self.endedIDs = endedIDs
    self.origin = origin
  }

  /// The category with an id. Texts are compared by their bytes, as on the phone.
  func category(_ id: String) -> NotificationCategory? {
    categories.first { $0.id.utf8.elementsEqual(id.utf8) }
  }
}

/// The category of buttons that a notification names (playback §3): `ios_category`, or what it becomes in `aps`.
struct NamedCategory: Equatable, Sendable {
  /// The decimal digits of its number.
  var id: String
  /// Where it is named.
  var pointer: JSONPointer

  /// Nil where a notification names none, or another kind: an app's own, such as that of stories.
  init?(_ notification: MessageNotification) {
    guard let category = notification.payload.category, CategoryNumber.isOne(category) else { return nil }
    id = category
    let isOfRequest = notification.form == .request
    if isOfRequest, notification.value["ios_category_custom"]?.stringValue == category {
      pointer = notification.pointer.appending("ios_category_custom")
    } else if isOfRequest, notification.value["ios_root_params"]?["aps"]?["category"] == nil {
      pointer = notification.pointer.appending("ios_category")
    } else {
      pointer = notification.place(ofRootKey: "aps").appending("category")
    }
  }
}

/// Looks at the category of buttons that a notification names.
struct CategoryCheck {
  let notification: MessageNotification
  let known: KnownCategories?
  /// Whether the notification is to show a story, which needs a category of its own.
  let isStory: Bool

  func run(_ findings: inout FindingList) {
    if notification.form == .request, let written = notification.value["ios_category"], !written.isNull {
      let place = notification.pointer.appending("ios_category")
      checkForm(written, at: place, &findings)
      if let custom = notification.value["ios_category_custom"], !custom.isNull, custom.stringValue != "" {
        findings.add(
          .iosCategoryBesideCustom, at: place,
          "A notification has one category, and both ios_category and ios_category_custom name one. "
            + (isStory
              ? "A story needs that of ios_category_custom: remove ios_category." : "Keep the one that is meant."))
        return
      }
    }
    guard let known, let named = NamedCategory(notification) else { return }
    guard let category = known.category(named.id) else {
      let hasEnded = known.endedIDs.contains { $0.utf8.elementsEqual(named.id.utf8) }
      let there = known.categories.prefix(8).map(\.id).joined(separator: ", ")
      findings.add(
        .iosCategoryUnknown, at: named.pointer,
        "There is no category \(quoted(named.id)) among \(known.origin)"
          + (hasEnded ? " any more" : "") + ", so phones show no buttons. "
          + (known.categories.isEmpty
            ? "There is none at all."
            : "There is \(there)\(known.categories.count > 8 ? " and \(known.categories.count - 8) more" : "").")
          + " Where it is new, bring in the categories again.")
      return
    }
    if category.buttons.isEmpty {
      findings.add(
        .iosCategoryWithoutButtons, at: named.pointer,
        "The category \(quoted(named.id)) has no buttons, so the notification shows none.")
    }
  }

  private func checkForm(_ written: JSONValue, at place: JSONPointer, _ findings: inout FindingList) {
    if CategoryNumber.text(of: written) != nil { return }
    let what = written.stringValue.map { quoted($0) } ?? Self.kind(of: written)
    findings.add(
      .iosCategoryUnusable, at: place,
      "ios_category is \(what), but categories of buttons are whole numbers: phones show no buttons. Write the number, such as "
        + "\"ios_category\": \"65\"; an app's own category goes into ios_category_custom.")
  }
}

extension CategoryCheck {
  /// What a value is that names no category.
  private static func kind(of value: JSONValue) -> String {
    if case .number = value { return "a number with a fraction, or too large to be kept exactly" }
    return value.kind
  }
}

/// The numbers by which categories of buttons are known.
enum CategoryNumber {
  /// The digits of a number or of a text that is one; nil for anything else.
  static func text(of value: JSONValue?) -> String? {
    switch value {
    case .integer(let number): String(number)
    // A larger one has lost digits already.
    case .number(let number): abs(number) < 9e15 ? Int64(exactly: number).map { String($0) } : nil
    case .string(let text): isOne(text) ? text : nil
    case .null, .bool, .array, .object, nil: nil
    }
  }

  /// Whether a text is the digits of a number, as phones write them.
  static func isOne(_ text: String) -> Bool {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    return (1...40).contains(digits.count) && digits.allSatisfy { (0x30...0x39).contains($0) }
  }
}
