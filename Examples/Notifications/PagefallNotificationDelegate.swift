import Foundation
import StoryClient
import UserNotifications

/// Records which button of a notification was pressed, and that one was opened or dismissed.
///
/// Dismissals come only for categories with the option `customDismissAction`.
nonisolated final class PagefallNotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
  private let client: StoryClient

  /// Makes a delegate that records with a client.
  init(client: StoryClient) {
    self.client = client
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let content = response.notification.request.content
    client.recordResponse(
      NotificationResponse(
        actionIdentifier: response.actionIdentifier, categoryIdentifier: content.categoryIdentifier,
        userInfo: content.userInfo))
    completionHandler()
  }
}
