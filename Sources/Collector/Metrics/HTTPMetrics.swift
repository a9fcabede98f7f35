import StoryEvents

/// What the HTTP thread counts. Belongs to that thread, which also answers `/metrics`, so nothing is locked.
final class HTTPMetrics {
  private(set) var responses = [Int](repeating: 0, count: 600)
  var connectionsOpened = 0
  var connectionsRefused = 0
  var openConnections = 0
  var bodyBytes = 0
  var eventsAccepted = 0
  /// By the raw value of `RejectionCode`.
  var eventsRejected = [Int](repeating: 0, count: 256)
  var bodiesUnreadable = 0
  var bodiesToWorkers = 0
  var keyChecks = [Int](repeating: 0, count: KeyCheckOutcome.allCases.count)
  var commitsFailed = 0
  var commitRequests = Histogram(bounds: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])
  var commitSeconds = Histogram(bounds: [0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5])

  /// Counts an answer.
  func countResponse(status: UInt16) { responses[min(Int(status), responses.count - 1)] += 1 }
}

/// How a key was judged; the label of `pagefall_key_checks_total`.
enum KeyCheckOutcome: Int, CaseIterable {
  case known
  case absent
  case unknown
  case wrongRight
  case overRate
  case uncheckable

  /// The label.
  var name: StaticString {
    switch self {
    case .known: "known"
    case .absent: "absent"
    case .unknown: "unknown"
    case .wrongRight: "wrong_right"
    case .overRate: "over_rate"
    case .uncheckable: "uncheckable"
    }
  }
}
