/// What became of the batches that were sent.
public struct DeliverySummary: Equatable, Sendable {
  /// Events that the collector accepted, repeats included.
  public var accepted = 0
  /// Events that the collector rejected.
  public var rejected = 0
  /// Requests that were answered.
  public var requests = 0
  /// Attempts that were made again: after 408, 429, 503 and other 5xx, and after no answer.
  public var retries = 0
  /// Events given up, since one alone was too large (413).
  public var dropped = 0
  /// From the first batch to the last answer, in seconds.
  public var seconds = 0.0
  /// The first few rejections, in the collector's words.
  public var firstErrors: [String] = []

  /// How many rejections are kept in words.
  static let mostErrors = 5

  mutating func add(_ other: DeliverySummary) {
    accepted += other.accepted
    rejected += other.rejected
    requests += other.requests
    retries += other.retries
    dropped += other.dropped
    firstErrors += other.firstErrors.prefix(Self.mostErrors - firstErrors.count)
  }
}

/// How batches are sent.
public struct SenderConfiguration: Equatable, Sendable {
  /// The collector's address, such as `http://127.0.0.1:8787`; `/v1/events` is appended. Plain HTTP only.
  public var baseURL: String
  /// The write key; nil sends none (`serve --open`).
  public var key: String?
  /// Requests in flight, 1…256. Default 4.
  public var connectionCount = 4
  /// Events a second, at most; nil is as fast as it goes.
  public var eventsPerSecond: Double?
  /// How long one batch is tried while the collector does not take it, in seconds. Default 300.
  public var patienceSeconds = 300.0

  /// A configuration with the defaults.
  public init(baseURL: String, key: String?) {
    self.baseURL = baseURL
    self.key = key
  }
}
