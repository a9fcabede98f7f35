// Apple systems only, so no test of this package runs it on Linux. It is kept small, and what it relies on is Apple's
// documentation: background sessions take uploads from files alone, tell a delegate alone, follow redirects without asking,
// need `sharedContainerIdentifier` in an extension, and an identifier may be in use in one process at a time.
#if canImport(Darwin)
  import Foundation

  /// Carries requests in the system's own process, so that they go on when the extension is suspended or ended.
  ///
  /// An answer that comes when nobody waits for it any more is let go: the events are still in the queue, the next start sends them
  /// again, and the collector stores them once.
  package final class BackgroundTransport: UploadTransport {
    /// A transfer ends within four minutes: after five, its `sent_at` would look like a wrong clock (contract §3).
    package let longestSeconds = 240.0
    private let session: URLSession
    private let receiver: AnswerReceiver
    /// Where bodies lie while they are sent.
    private let directory: URL

    /// The names of our sessions begin so; the bundle's identifier follows.
    private static let identifierPrefix = "pagefall.upload."
    private static let registry = BackgroundRegistry()

    /// The one transport of this process.
    ///
    /// - Parameter appGroupIdentifier: the App Group that the extension and its app share.
    /// - Returns: nil where the process has no such group.
    package static func shared(appGroupIdentifier: String) -> BackgroundTransport? {
      let identifier = identifierPrefix + (Bundle.main.bundleIdentifier ?? "unnamed")
      return registry.transport(
        identifier, orMake: { make(identifier, appGroupIdentifier: appGroupIdentifier) })
    }

    /// Takes over what the system tells about a session whose process has ended. For
    /// `application(_:handleEventsForBackgroundURLSession:completionHandler:)`.
    ///
    /// - Parameter completion: called on the main queue when there is nothing more to tell.
    /// - Returns: false where the session is not one of ours; `completion` is not called then.
    package static func handleBackgroundEvents(
      identifier: String, appGroupIdentifier: String, completion: @escaping @Sendable () -> Void
    ) -> Bool {
      guard identifier.hasPrefix(identifierPrefix),
        let transport = registry.transport(
          identifier, orMake: { make(identifier, appGroupIdentifier: appGroupIdentifier) })
      else { return false }
      transport.receiver.whenEventsEnd {
        // Not this process's own: the extension may want its identifier back.
        if identifier != identifierPrefix + (Bundle.main.bundleIdentifier ?? "unnamed") {
          registry.remove(identifier)
          transport.session.finishTasksAndInvalidate()
        }
        DispatchQueue.main.async(execute: completion)
      }
      return true
    }

    private static func make(_ identifier: String, appGroupIdentifier: String) -> BackgroundTransport? {
      FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: appGroupIdentifier).map {
        BackgroundTransport(identifier, appGroupIdentifier: appGroupIdentifier, container: $0)
      }
    }

    private init(_ identifier: String, appGroupIdentifier: String, container: URL) {
      directory = container.appendingPathComponent("pagefall-bodies", isDirectory: true)
      receiver = AnswerReceiver()
      let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
      configuration.sharedContainerIdentifier = appGroupIdentifier
      configuration.timeoutIntervalForResource = longestSeconds
      configuration.isDiscretionary = false
      configuration.sessionSendsLaunchEvents = true
      configuration.keepNothing()
      session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
      removeOldBodies()
    }

    /// Hands a request over to the system. Returns at once.
    package func send(_ request: UploadRequest, completion: @escaping @Sendable (UploadOutcome) -> Void) {
      let file = directory.appendingPathComponent(UUID().uuidString)
      do {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        // The system reads it also while the device is locked.
        try Data(request.body).write(to: file, options: [.atomic, .completeFileProtectionUntilFirstUserAuthentication])
      } catch {
        return completion(.noAnswer("the request's body cannot be written: \(error.localizedDescription)"))
      }
      var head = URLRequest(url: request.address)
      head.httpMethod = "POST"
      for (name, value) in request.headers { head.setValue(value, forHTTPHeaderField: name) }
      let task = session.uploadTask(with: head, fromFile: file)
      receiver.expect(task) { outcome in
        try? FileManager.default.removeItem(at: file)
        completion(outcome)
      }
      task.resume()
    }

    /// Bodies whose process ended before their answer came: their transfers have ended, too, after an hour.
    private func removeOldBodies() {
      let key = URLResourceKey.contentModificationDateKey
      let files = try? FileManager.default.contentsOfDirectory(at: directory, includingPropertiesForKeys: [key])
      for file in files ?? [] {
        let changed = try? file.resourceValues(forKeys: [key]).contentModificationDate
        if let changed, changed.timeIntervalSinceNow < -3_600 { try? FileManager.default.removeItem(at: file) }
      }
    }
  }

  /// The transports of this process by their sessions' identifiers.
  ///
  /// `@unchecked Sendable`: the lock guards the dictionary.
  private final class BackgroundRegistry: @unchecked Sendable {
    private let lock = NSLock()
    private var transports: [String: BackgroundTransport] = [:]

    func transport(_ identifier: String, orMake make: () -> BackgroundTransport?) -> BackgroundTransport? {
      lock.lock()
      defer { lock.unlock() }
      if let known = transports[identifier] { return known }
      let made = make()
      transports[identifier] = made
      return made
    }

    func remove(_ identifier: String) {
      lock.lock()
      defer { lock.unlock() }
      transports[identifier] = nil
    }
  }
#endif
