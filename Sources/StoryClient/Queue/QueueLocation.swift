import Foundation

/// Where the queue lies.
enum QueueLocation {
  /// The queue's folder: below what the app says, else in the App Group's container, else in the caches directory.
  static func directory(_ configuration: StoryClientConfiguration) -> String {
    let base = configuration.queueDirectory ?? container(configuration.appGroupIdentifier) ?? caches
    return base.appendingPathComponent("pagefall", isDirectory: true).path
  }

  /// Nil where there is no such group, or this process is no member of it.
  private static func container(_ group: String?) -> URL? {
    #if canImport(Darwin)
      guard let group else { return nil }
      return FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    #else
      return nil
    #endif
  }

  private static var caches: URL {
    FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
      ?? URL(fileURLWithPath: NSTemporaryDirectory(), isDirectory: true)
  }
}
