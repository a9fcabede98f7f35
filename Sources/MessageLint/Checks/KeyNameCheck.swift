import FunnelDocument

/// Looks for keys that phones ignore and that look like slips of keys that they know.
struct KeyNameCheck {
  let notification: MessageNotification

  /// Pages and keys of an object that are looked at: more than any message has that can be sent.
  private static let mostPages = 1000
  private static let mostKeys = 200

  func run(_ findings: inout FindingList) {
    if notification.form == .request {
      check(notification.value, at: MessagePlace(pointer: notification.pointer), KnownKeys.notification, &findings)
      let root = MessagePlace(pointer: notification.pointer.appending("ios_root_params"))
      if let parameters = notification.value["ios_root_params"] {
        check(parameters, at: root, KnownKeys.payload, &findings)
      }
    } else if notification.form == .payload {
      check(notification.value, at: MessagePlace(pointer: notification.pointer), KnownKeys.payload, &findings)
    }
    if notification.form != .block, let aps = notification.payload.value["aps"] {
      check(aps, at: MessagePlace(pointer: notification.place(ofRootKey: "aps")), KnownKeys.aps, &findings)
    }
    guard let block = notification.payload.block, let place = notification.blockPlace else {
      checkCustomData(&findings)
      return
    }
    check(block.value, at: place, KnownKeys.block, &findings)
    for (index, page) in (block.value["pages"]?.arrayValue ?? []).prefix(Self.mostPages).enumerated() {
      check(page, at: place.appending("pages").appending(index), KnownKeys.page, &findings)
    }
  }

  /// Without a block: custom data may hold one under another name.
  private func checkCustomData(_ findings: inout FindingList) {
    for key in ArrivedPayload.customDataKeys {
      guard let custom = notification.payload.value[key] else { continue }
      var place = MessagePlace(pointer: notification.place(ofRootKey: key))
      if let text = custom.stringValue {
        guard let parsed = try? JSONValue(text: text) else { continue }
        place.inner = JSONPointer()
        check(parsed, at: place, KnownKeys.customData, &findings)
      } else {
        check(custom, at: place, KnownKeys.customData, &findings)
      }
    }
  }

  private func check(
    _ object: JSONValue, at place: MessagePlace, _ known: KnownKeys, _ findings: inout FindingList
  ) {
    let members = object.objectValue ?? []
    guard !members.isEmpty else { return }
    let present = Set(members.map(\.key))
    for member in members.prefix(Self.mostKeys) {
      guard let meant = known.suggestion(for: member.key), !present.contains(meant) else { continue }
      findings.add(
        .keyLooksMistyped, at: place.appending(member.key),
        "Phones ignore \(quoted(member.key)). If it was meant to be \(meant), rename it.")
    }
  }
}
