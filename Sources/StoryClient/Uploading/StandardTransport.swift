import Foundation

/// Chooses how requests are carried.
enum StandardTransport {
  /// In an extension that shares an App Group: by the system, since the extension is suspended as soon as the story is closed.
  /// Elsewhere: by the process itself, which is faster and loses nothing either.
  static func make(appGroupIdentifier: String?) -> any UploadTransport {
    #if canImport(Darwin)
      if let appGroupIdentifier, Bundle.main.bundlePath.hasSuffix(".appex"),
        let background = BackgroundTransport.shared(appGroupIdentifier: appGroupIdentifier)
      {
        return background
      }
    #endif
    return URLSessionTransport()
  }
}
