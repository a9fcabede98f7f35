import FunnelDocument

/// Looks at what makes a phone show the story at all: category, `mutable-content`, size (playback §1, playback §1.5).
struct DeliveryCheck {
  let notification: MessageNotification
  let options: LintOptions

  func run(_ findings: inout FindingList) {
    checkRootParameters(&findings)
    switch notification.form {
    case .request: checkRequestCategory(&findings)
    case .payload: checkPayloadCategory(&findings)
    case .block: break
    }
    if notification.form != .block {
      checkExtensionCategory(&findings)
      checkMutableContent(&findings)
    }
    checkSize(&findings)
  }

  /// The same for a notification that is no story.
  func runWithoutStory(_ findings: inout FindingList) {
    checkRootParameters(&findings)
    checkSize(&findings)
  }

  private func checkRootParameters(_ findings: inout FindingList) {
    let place = notification.pointer.appending("ios_root_params")
    guard notification.form == .request, let root = notification.value["ios_root_params"], !root.isNull else { return }
    guard root.objectValue != nil else {
      findings.add(
        .rootParamsNotAnObject, at: place, "ios_root_params is \(root.kind) and has no effect. Make it an object.")
      return
    }
    if let aps = root["aps"], !aps.isNull, aps.objectValue == nil {
      findings.add(
        .rootParamsNotAnObject, at: place.appending("aps"), "aps is \(aps.kind) and has no effect. Make it an object.")
    }
  }

  // MARK: Category

  private static let effect = "no story is shown, only the plain notification"

  private func checkRequestCategory(_ findings: inout FindingList) {
    let place = notification.pointer.appending("ios_category_custom")
    let inAps = notification.value["ios_root_params"]?["aps"]?["category"]
    let apsPlace = notification.place(ofRootKey: "aps").appending("category")
    guard let written = notification.value["ios_category_custom"], !written.isNull, written.stringValue != "" else {
      if inAps?.stringValue == storyCategory { return }
      if let inAps {
        explainWrongCategory(inAps, named: "The category in ios_root_params", at: apsPlace, &findings)
        return
      }
      findings.add(
        .categoryMissing, at: notification.pointer,
        "ios_category_custom is absent: \(Self.effect). Add \"ios_category_custom\": \"\(storyCategory)\""
          + (notification.value["ios_category"] == nil ? "." : "; ios_category names another kind of category."))
      return
    }
    guard written.stringValue == storyCategory else {
      explainWrongCategory(written, named: "ios_category_custom", at: place, &findings)
      return
    }
    if let inAps, inAps.stringValue != storyCategory {
      findings.add(
        .categoryConflict, at: apsPlace,
        "The category here is not that of ios_category_custom: if this one wins, \(Self.effect). Remove it.")
    }
  }

  private func checkPayloadCategory(_ findings: inout FindingList) {
    let aps = notification.pointer.appending("aps")
    guard let written = notification.payload.value["aps"]?["category"] else {
      findings.add(
        .categoryMissing, at: notification.payload.value["aps"] == nil ? notification.pointer : aps,
        "aps.category is absent: \(Self.effect). The message has to name the category \(storyCategory).")
      return
    }
    if written.stringValue != storyCategory {
      explainWrongCategory(written, named: "aps.category", at: aps.appending("category"), &findings)
    }
  }

  private func explainWrongCategory(
    _ written: JSONValue, named name: String, at place: JSONPointer, _ findings: inout FindingList
  ) {
    let what = written.stringValue.map { quoted($0) } ?? written.kind
    findings.add(
      .categoryNotStories, at: place,
      "\(name) is \(what), not \"\(storyCategory)\": \(Self.effect). Write it exactly so.")
  }

  private func checkExtensionCategory(_ findings: inout FindingList) {
    guard let known = options.contentExtension, !known.categories.isEmpty,
      let category = notification.payload.category, !known.categories.contains(category)
    else { return }
    let isCustom = notification.value["ios_category_custom"]?.stringValue == category
    let place =
      isCustom
      ? notification.pointer.appending("ios_category_custom")
      : NamedCategory(notification)?.pointer ?? notification.place(ofRootKey: "aps").appending("category")
    let names = known.categories.prefix(5).map { quoted($0) }.joined(separator: ", ")
    findings.add(
      .extensionCategoryDiffers, at: place,
      "The category is \(quoted(category)), but the extension takes \(names): iOS does not call it. Make "
        + "UNNotificationExtensionCategory and the message agree.")
  }

  // MARK: mutable-content

  private func checkMutableContent(_ findings: inout FindingList) {
    let aps = notification.payload.value["aps"]
    let written = aps?["mutable-content"]
    if written?.doubleValue == 1 { return }
    let field =
      notification.form == .request
      ? "\"ios_root_params\": { \"aps\": { \"mutable-content\": 1 } }" : "\"mutable-content\": 1 in aps"
    let apsPlace = notification.place(ofRootKey: "aps")
    let place: JSONPointer
    if written != nil {
      place = apsPlace.appending("mutable-content")
    } else if notification.form == .request ? notification.value["ios_root_params"]?["aps"] != nil : aps != nil {
      place = apsPlace
    } else {
      place = notification.pointer
    }
    let what = written == nil ? "mutable-content is absent" : "mutable-content is not the number 1"
    findings.add(
      .mutableContentMissing, severity: options.wantsPrecache ? .warning : .note, at: place,
      "\(what): no service extension fetches the images ahead, so pages may begin before their image is there. "
        + "Add \(field)\(options.wantsPrecache ? "" : " if the app has such an extension").")
  }

  // MARK: Size

  /// Room for what the sender's service adds: the message's hash, metadata, a tracked link.
  private static let roomForSenderBytes = 256

  private func checkSize(_ findings: inout FindingList) {
    let limit = ArrivedPayload.maximumBytes
    let bytes = notification.payload.byteCount
    let how =
      switch notification.form {
      case .request:
        "counted as JSON without blanks: aps with alert and category, ios_root_params, and data under u; the marks that "
          + "the sending service adds are not in it"
      case .payload: "counted as JSON without blanks"
      case .block: "counted as JSON without blanks: the category, and the block under u, without an alert"
      }
    let place = notification.pointer
    if bytes > limit {
      findings.add(
        .payloadTooLarge, at: place,
        "The payload has \(bytes) bytes; the push service takes \(limit) and refuses the rest, so nothing arrives "
          + "(\(how)). Use fewer pages or shorter URLs and texts.")
    } else if bytes > limit - Self.roomForSenderBytes {
      findings.add(
        .payloadNearLimit, at: place,
        "The payload has \(bytes) of the \(limit) bytes that the push service takes (\(how)). Leave room for them.")
    } else if notification.form != .payload, let asText = notification.payload.byteCountWithCustomDataAsText,
      asText > limit
    {
      findings.add(
        .payloadNearLimit, at: place,
        "The payload has \(bytes) bytes (\(how)), but \(asText) where the sending service puts data into it as a string "
          + "of JSON: more than the \(limit) that the push service takes. Leave room, or look at a payload that arrived."
      )
    }
  }
}
