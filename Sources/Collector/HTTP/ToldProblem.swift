/// An error answer whose detail is told each time, because it depends on more than its code (contract §2).
enum ToldProblem: CaseIterable {
  /// The body cannot be read as a whole.
  case unreadable
  /// The key has sent more events than it may.
  case rateExceeded
  /// `/readyz`: events are not taken now (contract §4).
  case notReady

  /// The status of the answer.
  var status: UInt16 {
    switch self {
    case .unreadable: 400
    case .rateExceeded: 429
    case .notReady: 503
    }
  }

  /// A stable name, for programs.
  var code: StaticString {
    switch self {
    case .unreadable: "unreadable"
    case .rateExceeded: "rate_exceeded"
    case .notReady: "not_ready"
    }
  }
}
