/// How long to wait before the next try: from 0.1 s, doubled up to 5 s, each between half and the whole at random, so that
/// collectors do not come back all at once.
struct RetryDelay {
  private static let first = 0.1
  private static let longest = 5.0
  private var seconds = Self.first

  mutating func next() -> Duration {
    defer { seconds = min(seconds * 2, Self.longest) }
    return .seconds(Double.random(in: (seconds / 2)...seconds))
  }

  mutating func reset() { seconds = Self.first }
}
