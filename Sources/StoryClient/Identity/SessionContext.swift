import StoryEvents

/// What is said about a session (contract §1, "Context fields"), as JSON.
struct SessionContext: Sendable {
  var storyID: String?
  var message: MessageIdentity?
  var deviceID: String?
  /// In their order; a name that comes again is left out.
  var properties: [(String, PropertyValue)] = []

  /// The object; everything that the contract would refuse is cut or left out.
  func json(_ facts: DeviceFacts, _ configuration: StoryClientConfiguration) -> [UInt8] {
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    bytes.append(member: "story_id", storyID, mostBytes: ContractLimits.storyIDBytes)
    bytes.append(member: "message_hash", message?.messageHash)
    bytes.append(member: "message_id", message?.messageID)
    bytes.append(member: "campaign_id", message?.campaignID)
    bytes.append(member: "device_id", deviceID)
    bytes.append(member: "user_id", configuration.userID)
    bytes.append(member: "app_version", configuration.appVersion ?? facts.appVersion)
    bytes.append(member: "os_version", configuration.osVersion ?? facts.osVersion)
    bytes.append(member: "device_model", configuration.deviceModel ?? facts.deviceModel)
    bytes.append(member: "locale", configuration.locale ?? facts.locale)
    bytes.append(member: "sdk_version", configuration.sdkVersion)
    bytes.append(member: "environment", configuration.environment ?? facts.environment)
    append(properties + configuration.properties.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: &bytes)
    bytes.removeComma(at: 1)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  private func append(_ properties: [(String, PropertyValue)], to bytes: inout [UInt8]) {
    var names: Set<String> = []
    for (name, value) in properties {
      guard names.count < ContractLimits.properties else { break }
      guard let name = ContractText.fit(name, mostBytes: ContractLimits.propertyNameBytes), !names.contains(name),
        let value = Self.json(value)
      else { continue }
      if names.isEmpty { bytes.append(memberName: "properties") }
      bytes.append(names.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
      bytes.append(jsonText: name)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(contentsOf: value)
      names.insert(name)
    }
    if !names.isEmpty { bytes.append(UInt8(ascii: "}")) }
  }

  private static func json(_ value: PropertyValue) -> [UInt8]? {
    switch value {
    case .bool(let isTrue): return Array((isTrue ? "true" : "false").utf8)
    case .number(let number):
      guard number.isFinite else { return nil }
      var bytes: [UInt8] = []
      bytes.append(jsonNumber: number)
      return bytes
    case .text(let text):
      guard let fit = ContractText.fit(text, mostBytes: ContractLimits.propertyValueBytes) else { return nil }
      return Array(jsonText(fit).utf8)
    }
  }
}
