import Foundation

// As much of UserNotifications as the examples touch. Written for this package; nothing of it is Apple's. The initialisers
// are the fixture's own: the system makes these objects.

/// What a notification says and carries.
open class UNNotificationContent: NSObject {
  /// The payload.
  public let userInfo: [AnyHashable: Any]
  /// Its category.
  public let categoryIdentifier: String

  /// Makes a content.
  public init(userInfo: [AnyHashable: Any], categoryIdentifier: String = "") {
    self.userInfo = userInfo
    self.categoryIdentifier = categoryIdentifier
  }
}

/// A request to notify.
open class UNNotificationRequest: NSObject {
  /// What is shown.
  public let content: UNNotificationContent

  /// Makes a request.
  public init(content: UNNotificationContent) { self.content = content }
}

/// A notification that arrived.
open class UNNotification: NSObject {
  /// What was asked for.
  public let request: UNNotificationRequest

  /// Makes a notification.
  public init(request: UNNotificationRequest) { self.request = request }

  /// Makes a notification of a payload.
  public convenience init(userInfo: [AnyHashable: Any], categoryIdentifier: String = "") {
    self.init(
      request: UNNotificationRequest(
        content: UNNotificationContent(userInfo: userInfo, categoryIdentifier: categoryIdentifier)))
  }
}

/// What a person did with a notification.
open class UNNotificationResponse: NSObject {
  /// The notification.
  public let notification: UNNotification
  /// A button's identifier, or one of the system's two.
  public let actionIdentifier: String

  /// Makes a response.
  public init(notification: UNNotification, actionIdentifier: String) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The notification was opened.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
// swift-format-ignore: AlwaysUseLowerCamelCase
/// The notification was dismissed.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

/// Where notifications are handled.
open class UNUserNotificationCenter: NSObject {
  /// Makes a centre; the system has one.
  public override init() { super.init() }
}

/// Who is told of responses. Not bound to the main actor, as Apple's is not.
public protocol UNUserNotificationCenterDelegate: AnyObject {
  /// A person responded.
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)
}
