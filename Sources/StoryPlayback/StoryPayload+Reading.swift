import Foundation

extension StoryPayload {
  /// Reads a message from a file's bytes: a `createMessage` request (its first notification with a `pw_stories` block,
  /// else its first), a payload as it arrives on the phone, or a bare `pw_stories` block (an object with `pages`).
  ///
  /// A notification's `data` is put where the phone finds it, under `u`, and its `ios_root_params` at the root.
  ///
  /// - Throws: `PayloadError` where the bytes are not a JSON object, or a request without a notification. A readable
  ///   message whose story cannot play is not an error: its `outcome` is the fallback.
  public init(bytes: some Collection<UInt8>) throws(PayloadError) {
    let root = try Self.readObject(Data(bytes))
    if let notifications = try Self.findNotifications(in: root) {
      self = try Self.read(notifications)
    } else if Self.isBareBlock(root) {
      self.init(block: root, source: .block)
    } else {
      self.init(userInfo: root, source: .userInfo)
    }
  }

  private static func readObject(_ data: Data) throws(PayloadError) -> [String: Any] {
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
    } catch {
      let detail = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      throw .notJSON(detail: detail ?? error.localizedDescription)
    }
    guard let object = value as? [String: Any] else { throw .notAnObject }
    return object
  }

  /// The notifications of a request, or nil where the object is no request.
  private static func findNotifications(in root: [String: Any]) throws(PayloadError) -> [Any]? {
    let request = root["request"] as? [String: Any] ?? root
    guard let value = request["notifications"] else {
      if root["request"] is [String: Any] { throw .noNotification }
      return nil
    }
    guard let notifications = value as? [Any], !notifications.isEmpty else { throw .noNotification }
    return notifications
  }

  private static func read(_ notifications: [Any]) throws(PayloadError) -> StoryPayload {
    var first: StoryPayload?
    for (index, value) in notifications.enumerated() {
      guard let notification = value as? [String: Any] else { throw .notificationNotAnObject(index: index) }
      var userInfo = notification["ios_root_params"] as? [String: Any] ?? [:]
      userInfo["u"] = notification["data"]
      let payload = StoryPayload(userInfo: userInfo, source: .request(notificationIndex: index))
      if payload.outcome != .fallback(.missingBlock) { return payload }
      if first == nil { first = payload }
    }
    guard let first else { throw .noNotification }
    return first
  }

  private static func isBareBlock(_ root: [String: Any]) -> Bool {
    root["pages"] != nil && !["pw_stories", "u", "userdata", "aps"].contains { root[$0] != nil }
  }
}

/// Why a message's bytes could not be read at all.
public enum PayloadError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Not JSON; the detail is Foundation's.
  case notJSON(detail: String)
  /// JSON, but not an object.
  case notAnObject
  /// A request without an element in `notifications`.
  case noNotification
  /// An element of `notifications` that is not an object.
  case notificationNotAnObject(index: Int)

  /// One line that says what was found and what is expected.
  public var description: String {
    switch self {
    case .notJSON(let detail): "the message is not JSON: \(detail.replacingOccurrences(of: "\n", with: " "))"
    case .notAnObject:
      "the message is not a JSON object: expected a createMessage request, a payload, or a pw_stories block"
    case .noNotification: "the createMessage request has no notification: expected an array with one in notifications"
    case .notificationNotAnObject(let index): "notifications[\(index)] is not an object"
    }
  }
}
