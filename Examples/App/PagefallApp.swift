import PushwooshCore
import PushwooshFramework
import StoryClient

/// What the app sets up at launch: call `PagefallApp.start()` in `application(_:didFinishLaunchingWithOptions:)`.
@MainActor enum PagefallApp {
  /// Begins to record rich media and responses to notifications, and sends what the extension has left.
  static func start() {
    // An example: as your windows are set up at the SDK, else reports show what is not so.
    let window = RichMediaWindow(
      position: "bottom", presentAnimation: "from_bottom", dismissAnimation: "down", haptics: "light",
      swipeDirections: ["down"], cornerRadius: 16, autoCloseSeconds: 20)
    PWRichMediaManager.shared().delegate = PagefallRichMediaDelegate(client: PagefallSetup.client, window: window)
    // One of several: Pushwoosh stays the notification center's delegate and passes every response on.
    Pushwoosh.configure.addNotificationCenterDelegate(PagefallNotificationDelegate(client: PagefallSetup.client))
  }
}
