/// The rate of one key, in events.
///
/// A request is admitted as long as the bucket is not in debt, and is charged afterwards with all of its events, which may
/// put it into debt. So a batch larger than the bucket passes too, and the key then waits until the debt is paid: over
/// time nobody exceeds the rate, and no batch can be too large for ever. The bucket holds one second's events.
struct TokenBucket {
  /// nil: no limit.
  private let perSecond: Double?
  private var tokens: Double
  private var filledAtNanoseconds: Int64 = 0

  init(eventsPerSecond: Double?) {
    // Not slower than one event in a thousand seconds, so that a wait is always a number.
    perSecond = eventsPerSecond.map { max($0, 0.001) }
    tokens = max(1, eventsPerSecond ?? 0)
  }

  /// nil: go on. Else the whole seconds after which it will be admitted, at least 1.
  mutating func secondsToWait(atNanoseconds now: Int64) -> Int? {
    guard let perSecond else { return nil }
    fill(perSecond, now)
    if tokens > 0 { return nil }
    // Debts are paid in full before more is taken, and a moment more, so that the wait is never zero.
    return max(1, Int((-tokens / perSecond).rounded(.up)))
  }

  /// Takes a request's events out.
  mutating func charge(events: Int, atNanoseconds now: Int64) {
    guard let perSecond else { return }
    fill(perSecond, now)
    tokens -= Double(events)
  }

  private mutating func fill(_ perSecond: Double, _ now: Int64) {
    if filledAtNanoseconds != 0, now > filledAtNanoseconds {
      tokens = min(max(1, perSecond), tokens + Double(now - filledAtNanoseconds) / 1e9 * perSecond)
    }
    filledAtNanoseconds = now
  }
}
