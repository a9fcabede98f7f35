import Foundation

/// As much of UIKit as the examples touch. Written for this package; nothing of it is Apple's.
@MainActor @preconcurrency open class UIViewController: NSObject {
  /// Makes a controller without a view.
  public override init() { super.init() }

  /// The view was loaded.
  open func viewDidLoad() {}

  /// The view is about to leave the screen.
  open func viewWillDisappear(_ animated: Bool) {}
}

/// The app that runs.
@MainActor @preconcurrency open class UIApplication: NSObject {
  /// Why the app was started.
  public struct LaunchOptionsKey: Hashable, Sendable {}

  /// Of the fixture alone: the system makes it.
  public override init() { super.init() }
}

/// Who is told of the app's life; every method optional.
@MainActor @preconcurrency public protocol UIApplicationDelegate: NSObjectProtocol {
  /// The app was started.
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool
  /// Pushes may come to this address.
  func application(_ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
}

extension UIApplicationDelegate {
  /// Yes.
  public func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { true }
  /// Does nothing.
  public func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {}
}
