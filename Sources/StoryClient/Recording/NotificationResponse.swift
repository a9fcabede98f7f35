import StoryEvents

/// The answer to an interactive notification (playback §3): what `UNNotificationResponse` says of it.
public struct NotificationResponse: Sendable {
  /// The button's id, or the system's identifier of a plain open or a dismissal.
  public let actionIdentifier: String
  /// The notification's category; may be empty.
  public let categoryIdentifier: String
  let message: MessageIdentity

  /// What the system calls a plain open.
  public static let defaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
  /// What the system calls a dismissal.
  public static let dismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

  /// Keeps what is needed of the payload.
  public init(actionIdentifier: String, categoryIdentifier: String, userInfo: [AnyHashable: Any]) {
    self.actionIdentifier = actionIdentifier
    self.categoryIdentifier = categoryIdentifier
    message = MessageIdentity(userInfo: userInfo)
  }

  var action: ResponseAction {
    switch actionIdentifier {
    case Self.defaultActionIdentifier: .default
    case Self.dismissActionIdentifier: .dismiss
    default: .button
    }
  }
}
