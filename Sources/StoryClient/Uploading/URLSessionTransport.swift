import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Carries requests while the process lives: a `URLSession` that keeps nothing and follows no redirect.
package final class URLSessionTransport: UploadTransport {
  /// After how many seconds at the latest a request has come to its end.
  package let longestSeconds: Double
  private let session: URLSession
  private let receiver: AnswerReceiver

  /// Opens a session of its own: no cookies, no cache, no stored credentials, one connection.
  ///
  /// - Parameter longestSeconds: from the start of a request to the last byte of its answer.
  package init(longestSeconds: Double = 30) {
    self.longestSeconds = longestSeconds
    receiver = AnswerReceiver()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = longestSeconds
    configuration.timeoutIntervalForResource = longestSeconds
    configuration.keepNothing()
    configuration.httpMaximumConnectionsPerHost = 1
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  // A session holds its delegate, and its threads hold it, until it is told to end.
  deinit { session.finishTasksAndInvalidate() }

  /// Sends a request once. Returns at once.
  package func send(_ request: UploadRequest, completion: @escaping @Sendable (UploadOutcome) -> Void) {
    var head = URLRequest(url: request.address)
    head.httpMethod = "POST"
    for (name, value) in request.headers { head.setValue(value, forHTTPHeaderField: name) }
    let task = session.uploadTask(with: head, from: Data(request.body))
    receiver.expect(task, completion)
    task.resume()
    // The session's own limit counts silence; an answer that drips in would last for good.
    let number = task.taskIdentifier
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + longestSeconds) { [receiver] in
      receiver.giveUp(number)
    }
  }
}

extension URLSessionConfiguration {
  /// No cookies, no cache, no stored credentials.
  func keepNothing() {
    httpShouldSetCookies = false
    httpCookieAcceptPolicy = .never
    httpCookieStorage = nil
    urlCredentialStorage = nil
    urlCache = nil
    requestCachePolicy = .reloadIgnoringLocalCacheData
  }
}

/// Gathers the answers of a session's tasks.
///
/// `@unchecked Sendable`: the lock guards all of its state.
final class AnswerReceiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private struct Awaited {
    let task: URLSessionTask
    let completion: @Sendable (UploadOutcome) -> Void
    var body: [UInt8] = []
  }

  private let lock = NSLock()
  private var awaited: [Int: Awaited] = [:]
  private var eventsEnd: (@Sendable () -> Void)?

  /// Awaits the answer of a task that has not begun yet.
  func expect(_ task: URLSessionTask, _ completion: @escaping @Sendable (UploadOutcome) -> Void) {
    lock.lock()
    defer { lock.unlock() }
    awaited[task.taskIdentifier] = Awaited(task: task, completion: completion)
  }

  /// Ends a task that takes too long, if it has not ended.
  func giveUp(_ number: Int) {
    guard let late = take(number) else { return }
    late.task.cancel()
    late.completion(.noAnswer("no whole answer in time"))
  }

  /// A redirect is an answer: events go to the address that was given, and nowhere else.
  func urlSession(
    _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest _: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  /// Who asks for a password has answered: nobody has one, and FoundationNetworking would ask the server again and again. What a
  /// server says of itself (its certificate) the system judges.
  func urlSession(
    _: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
    completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
  ) {
    guard let response = challenge.failureResponse as? HTTPURLResponse else {
      return completionHandler(.performDefaultHandling, nil)
    }
    end(task.taskIdentifier, response, nil)
    completionHandler(.cancelAuthenticationChallenge, nil)
  }

  /// Keeps a piece of the answer, up to the bound. What goes on beyond it is none of Pagefall's, and may have no end.
  func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard keep(data, of: dataTask.taskIdentifier) else { return }
    end(dataTask.taskIdentifier, dataTask.response, nil)
    dataTask.cancel()
  }

  /// Returns whether it is more than is kept.
  private func keep(_ data: Data, of number: Int) -> Bool {
    lock.lock()
    defer { lock.unlock() }
    guard let count = awaited[number]?.body.count else { return false }
    let room = UploadAnswer.longestBodyBytes - count
    awaited[number]?.body += data.prefix(room)
    return data.count > room
  }

  /// The task has ended.
  func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    end(task.taskIdentifier, task.response, error)
  }

  private func end(_ number: Int, _ response: URLResponse?, _ error: (any Error)?) {
    guard let ended = take(number) else { return }
    guard error == nil, let response = response as? HTTPURLResponse else {
      return ended.completion(.noAnswer(error?.localizedDescription ?? "the answer is not HTTP"))
    }
    ended.completion(
      .answer(
        UploadAnswer(
          status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
          date: response.value(forHTTPHeaderField: "Date"), body: ended.body)))
  }

  /// Calls once, when the system has told all that happened to a background session.
  func whenEventsEnd(_ work: @escaping @Sendable () -> Void) {
    lock.lock()
    defer { lock.unlock() }
    eventsEnd = work
  }

  #if canImport(Darwin)
    /// The system has told all that happened to a background session.
    func urlSessionDidFinishEvents(forBackgroundURLSession _: URLSession) {
      lock.lock()
      let work = eventsEnd
      eventsEnd = nil
      lock.unlock()
      work?()
    }
  #endif

  private func take(_ number: Int) -> Awaited? {
    lock.lock()
    defer { lock.unlock() }
    return awaited.removeValue(forKey: number)
  }
}
