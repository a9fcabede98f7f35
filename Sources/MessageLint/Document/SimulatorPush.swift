import FunnelDocument

/// A push for the iOS Simulator: the payload as it would arrive, and the app that gets it (`xcrun simctl push`).
package struct SimulatorPush: Sendable {
  /// The key that names the app; Apple's.
  static let targetKey = "Simulator Target Bundle"

  /// The payload, and the key that names the app.
  private let value: JSONValue
  /// The place of the notification that was taken in `notifications`, from 0.
  package let notificationIndex: Int
  /// Whether the message had no text, so that one was put in: without an alert nothing is shown that could be opened.
  package let hasInventedAlert: Bool

  /// Makes a push of a message.
  ///
  /// - Parameters:
  ///   - bytes: a `createMessage` request, a payload, or a bare `pw_stories` block.
  ///   - notification: the place in `notifications`, from 0; nil takes the first with a story, else the first.
  ///   - bundleIdentifier: the app's.
  package init(
    message bytes: some Collection<UInt8>, notification: Int?, bundleIdentifier: String
  ) throws(SimulatorPushError) {
    let document: MessageDocument
    do {
      document = try MessageDocument(bytes: bytes)
    } catch {
      throw .unreadableMessage(error.finding.message)
    }
    let candidates = document.notifications
    let chosen =
      if let notification {
        candidates.first { $0.index == notification }
      } else {
        candidates.first { $0.payload.block != nil } ?? candidates.first
      }
    guard let chosen else { throw .noSuchNotification(candidates.map(\.index)) }
    notificationIndex = chosen.index
    var payload = chosen.payload.value
    let aps = payload["aps"] ?? .object([])
    hasInventedAlert = aps["alert"] == nil
    if hasInventedAlert {
      let alert = JSONValue.object([JSONMember("body", .string("Push story"))])
      payload = payload.replacing("aps", with: .object([JSONMember("alert", alert)] + (aps.objectValue ?? [])))
    }
    value = .object([JSONMember(Self.targetKey, .string(bundleIdentifier))] + (payload.objectValue ?? []))
  }

  /// The file's content.
  package var text: String { value.text() + "\n" }
}

/// Why there is no push.
package enum SimulatorPushError: Error, Equatable, Sendable {
  /// The bytes are no message; the text says why.
  case unreadableMessage(String)
  /// No notification stands at that place; those that there are.
  case noSuchNotification([Int])
}
