import Foundation
import PushwooshCore
import PushwooshFramework
import UIKit

/// For an app without an app delegate, as Xcode makes it: asks whether it may notify, and starts what `PagefallApp` sets up.
///
/// With SwiftUI: `@UIApplicationDelegateAdaptor private var delegate: PagefallAppDelegate` in the app. An app that has a
/// delegate calls `PagefallApp.start()` there, and needs nothing of this.
class PagefallAppDelegate: NSObject, UIApplicationDelegate {
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    PagefallApp.start()
    Pushwoosh.configure.registerForPushNotifications()
    return true
  }

  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data) {
    Pushwoosh.configure.handlePushRegistration(deviceToken)
  }
}
