#if canImport(Darwin)
  import Foundation

  extension StoryClient {
    /// Takes over what the system tells the app about uploads of its extension that ended after the extension did. For
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`; not run on Linux.
    ///
    /// - Parameters:
    ///   - appGroupIdentifier: the App Group that app and extension share.
    ///   - completion: called on the main queue when there is nothing more to tell.
    /// - Returns: false where the session is none of Pagefall's; `completion` is not called then.
    public static func handleBackgroundEvents(
      identifier: String, appGroupIdentifier: String, completion: @escaping @Sendable () -> Void
    ) -> Bool {
      BackgroundTransport.handleBackgroundEvents(
        identifier: identifier, appGroupIdentifier: appGroupIdentifier, completion: completion)
    }
  }
#endif
