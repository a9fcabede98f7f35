import Foundation
import StoryClient

/// Where the events go. A member of every target that records: the app, and the Notification Content Extension.
nonisolated enum PagefallSetup {
  /// One client a process. Made at its first use; it sends what an earlier process left behind.
  static let client = StoryClient(configuration)

  private static var configuration: StoryClientConfiguration {
    var configuration = StoryClientConfiguration(collector: collector, writeKey: "pfw_YOUR_WRITE_KEY")
    // The same on the app and the extension, so that each sends what the other could not.
    configuration.appGroupIdentifier = "group.com.example.shop"
    return configuration
  }

  private static var collector: URL {
    #if DEBUG
      // `pagefall serve` on this Mac, seen from the Simulator. From a device: the Mac's name, http://my-mac.local:8787.
      return URL(string: "http://localhost:8787")!
    #else
      return URL(string: "https://events.example.com")!
    #endif
  }
}
