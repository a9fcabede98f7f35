/// How long something may wait for the server.
enum WaitLimit {
  /// Without limit: what `queryTimeout = nil` asks for.
  case unlimited
  /// All waits of the operation together, up to an instant.
  case total(Duration, until: ContinuousClock.Instant)
  /// Each wait anew: the longest time without any progress.
  case each(Duration)

  /// One limit for the whole of an operation that starts now.
  static func total(_ duration: Duration?) -> WaitLimit {
    guard let duration else { return .unlimited }
    return .total(duration, until: .now + bounded(duration))
  }

  /// A limit for each single wait of an operation.
  static func each(_ duration: Duration?) -> WaitLimit {
    guard let duration else { return .unlimited }
    return .each(bounded(duration))
  }

  /// When a wait that starts now has to end.
  var deadline: ContinuousClock.Instant? {
    switch self {
    case .unlimited: nil
    case .total(_, let instant): instant
    case .each(let duration): .now + duration
    }
  }

  /// The same limit, or a shorter one.
  func atMost(_ duration: Duration) -> WaitLimit {
    switch self {
    case .unlimited: .total(duration)
    case .total(let own, _): .total(min(own, duration))
    case .each(let own): .total(min(own, duration))
    }
  }

  /// For messages: "10.0 seconds".
  var text: String {
    switch self {
    case .unlimited: "any time"
    case .total(let duration, _), .each(let duration): "\(duration)"
    }
  }

  /// Far enough away to be never, near enough for no arithmetic to overflow.
  private static func bounded(_ duration: Duration) -> Duration {
    min(max(duration, .zero), .seconds(100 * 365 * 86_400))
  }
}
