import UserNotifications

/// What a Notification Content Extension's controller is given. Written for this package; nothing of it is Apple's.
@MainActor @preconcurrency public protocol UNNotificationContentExtension {
  /// A notification is to be shown.
  func didReceive(_ notification: UNNotification)
}
