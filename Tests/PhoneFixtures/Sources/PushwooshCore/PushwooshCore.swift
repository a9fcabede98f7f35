import Foundation
import UserNotifications

// As much of PushwooshCore as the examples touch, as Swift sees its Objective-C headers: they state no nullability, hence the
// exclamation marks. Written for this package; nothing of it is the SDK's.

/// Where a rich media came from.
public enum PWRichMediaSource: UInt {
  /// A push.
  case push
  /// An in-app message.
  case inApp
}

/// A rich media page.
open class PWRichMedia: NSObject {
  /// Where it came from.
  public let source: PWRichMediaSource
  /// Its code.
  public let content: String!
  /// The push that it came with.
  public let pushPayload: [AnyHashable: Any]!

  /// Of the fixture alone: the SDK makes these objects.
  public init(source: PWRichMediaSource, content: String!, pushPayload: [AnyHashable: Any]! = nil) {
    self.source = source
    self.content = content
    self.pushPayload = pushPayload
  }
}

/// Who is asked and told of rich media; every method optional.
public protocol PWRichMediaPresentingDelegate: AnyObject {
  /// Whether to show it now.
  func richMediaManager(_ richMediaManager: PWRichMediaManager!, shouldPresent richMedia: PWRichMedia!) -> Bool
  /// It is shown.
  func richMediaManager(_ richMediaManager: PWRichMediaManager!, didPresent richMedia: PWRichMedia!)
  /// It was closed.
  func richMediaManager(_ richMediaManager: PWRichMediaManager!, didClose richMedia: PWRichMedia!)
  /// It could not be shown.
  func richMediaManager(
    _ richMediaManager: PWRichMediaManager!, presentingDidFailFor richMedia: PWRichMedia!, withError error: Error!)
}

extension PWRichMediaPresentingDelegate {
  /// Yes.
  public func richMediaManager(_ manager: PWRichMediaManager!, shouldPresent richMedia: PWRichMedia!) -> Bool { true }
  /// Does nothing.
  public func richMediaManager(_ manager: PWRichMediaManager!, didPresent richMedia: PWRichMedia!) {}
  /// Does nothing.
  public func richMediaManager(_ manager: PWRichMediaManager!, didClose richMedia: PWRichMedia!) {}
  /// Does nothing.
  public func richMediaManager(
    _ manager: PWRichMediaManager!, presentingDidFailFor richMedia: PWRichMedia!, withError error: Error!
  ) {}
}

/// The SDK's settings.
public enum PushwooshConfig {
  /// Of the fixture alone: who was added.
  nonisolated(unsafe) public private(set) static var notificationCenterDelegates: [UNUserNotificationCenterDelegate] =
    []

  /// One more who is told of responses; kept alive.
  public static func addNotificationCenterDelegate(_ delegate: UNUserNotificationCenterDelegate) {
    notificationCenterDelegates.append(delegate)
  }

  /// Asks whether the app may notify, and registers it.
  public static func registerForPushNotifications() {}

  /// Where pushes reach the device.
  public static func handlePushRegistration(_ deviceToken: Data) {}
}
