import FunnelDocument

/// What a message's file turned out to be. The raw values are those of the JSON output.
package enum MessageForm: String, Equatable, Sendable {
  /// A `createMessage` request.
  case request
  /// A payload as it arrives on the phone.
  case payload
  /// A bare `pw_stories` block.
  case block
}

/// A file taken apart into notifications. The forms are told apart as `StoryPayload.init(bytes:)` does.
struct MessageDocument: Sendable {
  var form: MessageForm
  var notifications: [MessageNotification] = []
  /// What belongs to no notification.
  var findings: [LintFinding] = []

  /// Why bytes are no message.
  struct Fault: Error {
    let finding: LintFinding

    init(_ code: LintCode, at pointer: JSONPointer = JSONPointer(), _ message: String) {
      finding = LintFinding(code: code, severity: code.severity, pointer: pointer.text, message: message)
    }
  }

  init(bytes: some Collection<UInt8>) throws(Fault) {
    guard bytes.count <= MessageLint.maximumBytes else {
      throw Fault(
        .fileTooLarge, "The file has more than \(MessageLint.maximumBytes >> 20) MiB: no message is that large.")
    }
    var duplicates: [JSONPointer] = []
    let root = try Self.parse(bytes).deduplicated(found: &duplicates)
    guard root.objectValue != nil else {
      throw Fault(
        .notAnObject,
        "The file holds \(root.kind); it must be an object: a createMessage request, a payload, or a pw_stories block.")
    }
    let hasRequest = root["request"]?.objectValue != nil
    let request = hasRequest ? root["request"] ?? root : root
    let place = hasRequest ? JSONPointer().appending("request") : JSONPointer()
    if hasRequest || request["notifications"] != nil {
      form = .request
      try readNotifications(of: request, at: place)
    } else {
      form = Self.isBareBlock(root) ? .block : .payload
      notifications = [MessageNotification(form: form, index: 0, pointer: place, value: root)]
    }
    assign(duplicates)
  }

  /// Notifications of a request that are looked at.
  static let mostNotifications = 1000

  private mutating func readNotifications(of request: JSONValue, at place: JSONPointer) throws(Fault) {
    let list = place.appending("notifications")
    guard let elements = request["notifications"]?.arrayValue, !elements.isEmpty else {
      throw Fault(
        .noNotification, at: request["notifications"] == nil ? place : list,
        "The request has no notification: put an array with at least one into notifications.")
    }
    var faults = FindingList()
    if elements.count > Self.mostNotifications {
      faults.add(
        .tooManyNotifications, at: list,
        "The request has \(elements.count) notifications; the first \(Self.mostNotifications) are looked at. Split it.")
    }
    for (index, element) in elements.prefix(Self.mostNotifications).enumerated() {
      let pointer = list.appending(index)
      if element.objectValue != nil {
        notifications.append(MessageNotification(form: .request, index: index, pointer: pointer, value: element))
      } else {
        faults.add(.notificationNotAnObject, at: pointer, "A notification must be an object; this is \(element.kind).")
      }
    }
    findings += faults.sorted
  }

  /// Gives each notification the keys that stand twice in it; the others belong to the file.
  private mutating func assign(_ duplicates: [JSONPointer]) {
    var others = FindingList()
    for place in duplicates {
      let owner = notifications.firstIndex { place.text.hasPrefix($0.pointer.text + "/") }
      if let owner {
        notifications[owner].duplicateKeys.append(MessagePlace(pointer: place))
      } else {
        others.add(
          .duplicateKey, at: place, "A key stands twice in its object; the last one counts. Remove the others.")
      }
    }
    findings += others.sorted
  }

  private static func parse(_ bytes: some Collection<UInt8>) throws(Fault) -> JSONValue {
    // A byte order mark is no JSON (RFC 8259 §8.1), yet Windows editors write one.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    do {
      return try JSONValue(text: text)
    } catch {
      switch error {
      case .notJSON(let offset, let expected):
        throw Fault(.notJSON, "The file is not JSON: \(expected) was expected at byte \(offset). Mend it there.")
      case .unexpectedValue: throw Fault(.notJSON, "The file is not JSON: \(error).")
      }
    }
  }

  private static func isBareBlock(_ root: JSONValue) -> Bool {
    root["pages"] != nil && !["pw_stories", "u", "userdata", "aps"].contains { root[$0] != nil }
  }
}
