// Uploading: events leave the phone.
//
//   Uploader             asks the queue for events, sends them, and does with each answer what the contract says
//   UploadPlan           decides, as a pure value: what to do when asked, and what comes after an answer
//   UploadVerdict        what an answer means for the events that were sent
//   UploadBody, gzip     the request
//   UploadTransport      carries it: URLSessionTransport, on Apple systems also BackgroundTransport
//
// An event leaves the queue only by an answer that Pagefall itself has given, or where nothing between here and Pagefall lets
// it pass even alone. Everything else, above all silence, means sending the same again: the collector stores it once.
import Foundation

/// Carries one request to the collector and brings its answer back.
package protocol UploadTransport: Sendable {
  /// After how many seconds at the latest a request has come to its end.
  var longestSeconds: Double { get }
  /// Sends a request once. Returns at once.
  ///
  /// - Parameter completion: called once, on any thread.
  func send(_ request: UploadRequest, completion: @escaping @Sendable (UploadOutcome) -> Void)
}

/// A request with events: `POST /v1/events`, NDJSON, gzip (contract §1).
package struct UploadRequest: Sendable, Equatable {
  /// Where to.
  package var address: URL
  /// What to say about the request.
  package var headers: [String: String]
  /// The compressed body.
  package var body: [UInt8]

  /// A request with a body that is compressed already.
  package init(address: URL, headers: [String: String], body: [UInt8]) {
    self.address = address
    self.headers = headers
    self.body = body
  }
}

/// What became of a request.
package enum UploadOutcome: Sendable, Equatable {
  /// Something answered: Pagefall, or what stands between.
  case answer(UploadAnswer)
  /// No whole answer came, with the reason. The request may have arrived all the same.
  case noAnswer(String)
}

/// An answer, whoever gave it.
package struct UploadAnswer: Sendable, Equatable {
  /// The status code.
  package var status: Int
  /// The header `Retry-After`.
  package var retryAfter: String?
  /// The header `Date`.
  package var date: String?
  /// The body, or its beginning where it is longer than `longestBodyBytes`.
  package var body: [UInt8]

  /// As much of a body as is kept. What Pagefall says about 50 events is shorter: 50 messages of at most some hundred bytes.
  package static let longestBodyBytes = 256 * 1024

  /// An answer.
  package init(status: Int, retryAfter: String? = nil, date: String? = nil, body: [UInt8] = []) {
    self.status = status
    self.retryAfter = retryAfter
    self.date = date
    self.body = body
  }
}

/// Calls back later. The one of the system counts no time in which the process is suspended; the uploader looks at its clock
/// whenever it is asked, so that such time only delays what nobody asked for.
package protocol UploadTimer: Sendable {
  /// Calls once, after at least so many seconds, on any thread.
  func call(after seconds: Double, _ work: @escaping @Sendable () -> Void)
}
