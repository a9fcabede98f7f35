import FunnelDocument

/// Where blocks stand that phones pass over, and why none was found.
extension BlockCheck {
  /// A block that another one hides, or a `pw_stories` that is no block.
  func checkOtherBlocks(_ findings: inout FindingList) {
    let payload = notification.payload
    guard notification.form != .block else { return }
    if let found = payload.value["pw_stories"], found.objectValue == nil, payload.block != nil {
      findings.add(
        .blockNotAnObject, at: notification.place(ofRootKey: "pw_stories"),
        "pw_stories at the root is \(found.kind); phones pass it over and take the block in the custom data. Remove it."
      )
    }
    guard let location = payload.block?.location else { return }
    let later: [String]
    let winner: String
    switch location {
    case .root: (later, winner) = (ArrivedPayload.customDataKeys, "the root of the payload")
    case .object("u"), .text("u"): (later, winner) = (["userdata"], "u")
    case .object, .text: (later, winner) = ([], "userdata")
    }
    for key in later {
      guard let custom = payload.value[key] else { continue }
      var place = MessagePlace(pointer: notification.place(ofRootKey: key))
      if custom.stringValue != nil { place.inner = JSONPointer() }
      guard Self.parsed(custom)?["pw_stories"] != nil else { continue }
      findings.add(
        .shadowedBlock, at: place.appending("pw_stories"),
        "Phones never read this block: the one at \(winner) wins, even where it cannot play. Keep one of them.")
    }
  }

  /// Says where phones looked, and what they found in place of a block.
  func explainMissingBlock(_ findings: inout FindingList) {
    let (place, reason) = whyNoBlock()
    let wrapped = notification.form == .request ? "data.pw_stories" : "u.pw_stories"
    findings.add(
      .missingBlock, at: place,
      "\(reason), so the phone shows the plain notification. Put the block, an object with pages, into \(wrapped).")
  }

  private func whyNoBlock() -> (MessagePlace, String) {
    let payload = notification.payload.value
    for key in ArrivedPayload.customDataKeys {
      guard let custom = payload[key], !custom.isNull else { continue }
      let place = MessagePlace(pointer: notification.place(ofRootKey: key))
      let name = notification.form == .request && key == "u" ? "data" : key
      if let found = custom["pw_stories"] {
        return (place.appending("pw_stories"), "pw_stories is \(found.kind), not an object")
      }
      if custom.objectValue != nil { return (place, "There is no pw_stories in \(name)") }
      guard let text = custom.stringValue else { return (place, "\(name) is \(custom.kind), not an object") }
      guard let parsed = try? JSONValue(text: text) else { return (place, "\(name) is a string, but not of JSON") }
      if let found = parsed["pw_stories"] {
        return (
          MessagePlace(pointer: place.pointer, inner: JSONPointer().appending("pw_stories")),
          "pw_stories is \(found.kind), not an object"
        )
      }
      return (place, "There is no pw_stories in the JSON of the string \(name)")
    }
    if let found = payload["pw_stories"] {
      let place = MessagePlace(pointer: notification.place(ofRootKey: "pw_stories"))
      return (place, "pw_stories is \(found.kind), not an object")
    }
    let data = notification.form == .request ? "data" : "custom data (u or userdata)"
    return (MessagePlace(pointer: notification.pointer), "There is no \(data) and no pw_stories")
  }

  /// Custom data as an object, also where they are a string of JSON.
  private static func parsed(_ custom: JSONValue) -> JSONValue? {
    guard let text = custom.stringValue else { return custom }
    return try? JSONValue(text: text)
  }
}
