/// Decides what the uploader does next. A value without clock, randomness or files: they are given to it, and what it decides is
/// done by `Uploader`.
struct UploadPlan: Sendable {
  /// Why somebody asks for an upload.
  enum Occasion: Sendable, CaseIterable {
    /// The process has just started.
    case start
    /// A story was watched to its end.
    case finish
    /// A story was closed.
    case dismiss
    /// Enough events have come together.
    case manyEvents
    /// The app wants it now: also in the middle of a pause that no answer asked for.
    case request
  }

  /// What to do next.
  enum Step: Sendable, Equatable {
    /// Nothing: it goes on by itself, and the upload under way takes what is new along.
    case none
    /// Take at most so many events and send them.
    case send(mostEvents: Int)
    /// The upload has come to its end. Where it waits, wake it after the seconds, and give it the number then.
    case end(UploadSummary.Ending, wake: Wake?)
  }

  /// An alarm.
  struct Wake: Sendable, Equatable {
    var seconds: Double
    var number: Int
  }

  /// What becomes of the events that were sent.
  enum Fate: Sendable, Equatable {
    /// They stay in the queue.
    case keep
    /// They leave it: their answer has come.
    case remove
    /// They leave it and are counted as dropped.
    case drop
  }

  private enum State: Equatable {
    case idle
    case sending
    /// Until a moment of the monotonic clock. `isAsked`: an answer's `Retry-After` wants it.
    case waiting(untilMicroseconds: Int64, isAsked: Bool)
    case stopped(UploadStop)
  }

  /// How many events a request has at most.
  static let mostEvents = 50
  /// How soon to look again where another process is uploading, in seconds; up to a half longer.
  static let otherProcessSeconds = 30.0

  private var state: State
  private var backoff = UploadBackoff()
  /// Below 50 after a 413, until the event that is too large has been found or the queue is empty.
  private(set) var mostEvents = Self.mostEvents
  /// Whether the last events that an answer let go were given up.
  private var hasDropped = false
  /// The number of the last alarm: older ones say nothing any more.
  private var wakeNumber = 0

  /// A plan that has done nothing yet.
  ///
  /// - Parameter stop: what keeps it from ever sending.
  init(stop: UploadStop? = nil) {
    state = stop.map { .stopped($0) } ?? .idle
  }

  /// Whether an answer's wish is what it waits for.
  var waitsAsAsked: Bool {
    if case .waiting(_, isAsked: true) = state { true } else { false }
  }

  /// Somebody asks for an upload.
  mutating func ask(_ occasion: Occasion, nowMicroseconds: Int64) -> Step {
    switch state {
    case .sending: return .none
    case .idle: return send()
    case .stopped(let stop): return .end(.stopped(stop), wake: nil)
    case .waiting(let until, let isAsked):
      if nowMicroseconds >= until || (occasion == .request && !isAsked) { return send() }
      return .end(.waiting(seconds: Double(until - nowMicroseconds) / 1_000_000), wake: nil)
    }
  }

  /// An alarm rings.
  mutating func wake(number: Int) -> Step {
    guard number == wakeNumber, case .waiting = state else { return .none }
    return send()
  }

  /// There is nothing to send.
  mutating func queueIsEmpty() -> Step {
    state = .idle
    mostEvents = Self.mostEvents
    return .end(.queueEmpty, wake: nil)
  }

  /// Another process is uploading.
  mutating func anotherProcessUploads(nowMicroseconds: Int64, randomness: Double) -> Step {
    wait(seconds: Self.otherProcessSeconds * (1 + randomness / 2), isAsked: false, nowMicroseconds: nowMicroseconds)
  }

  /// No answer came.
  mutating func noAnswer(nowMicroseconds: Int64, randomness: Double) -> Step {
    fail(askedSeconds: nil, nowMicroseconds: nowMicroseconds, randomness: randomness)
  }

  /// An answer came.
  ///
  /// - Parameter eventCount: how many events were sent, at least 1.
  mutating func answered(
    _ verdict: UploadVerdict, eventCount: Int, nowMicroseconds: Int64, randomness: Double
  ) -> (Fate, Step) {
    switch verdict {
    case .forget:
      backoff.succeed()
      hasDropped = false
      return (.remove, send())
    case .drop:
      return (.drop, drop(nowMicroseconds: nowMicroseconds, randomness: randomness))
    case .halve where eventCount > 1:
      mostEvents = eventCount / 2
      return (.keep, send())
    case .halve:
      mostEvents = Self.mostEvents
      return (.drop, drop(nowMicroseconds: nowMicroseconds, randomness: randomness))
    case .stop(let stop):
      state = .stopped(stop)
      return (.keep, .end(.stopped(stop), wake: nil))
    case .retry(let asked):
      return (.keep, fail(askedSeconds: asked, nowMicroseconds: nowMicroseconds, randomness: randomness))
    }
  }

  private mutating func fail(askedSeconds: Double?, nowMicroseconds: Int64, randomness: Double) -> Step {
    let (seconds, isAsked) = backoff.fail(askedSeconds: askedSeconds, randomness: randomness)
    return wait(seconds: seconds, isAsked: isAsked, nowMicroseconds: nowMicroseconds)
  }

  /// Events are given up. Where nothing is taken in between, what answers is wrong about more than some events: it goes on slowly
  /// then, so that an hour of that costs some of the queue and not all.
  private mutating func drop(nowMicroseconds: Int64, randomness: Double) -> Step {
    guard hasDropped else {
      hasDropped = true
      return send()
    }
    return fail(askedSeconds: nil, nowMicroseconds: nowMicroseconds, randomness: randomness)
  }

  private mutating func send() -> Step {
    state = .sending
    return .send(mostEvents: mostEvents)
  }

  private mutating func wait(seconds: Double, isAsked: Bool, nowMicroseconds: Int64) -> Step {
    state = .waiting(untilMicroseconds: nowMicroseconds + Int64(seconds * 1_000_000), isAsked: isAsked)
    wakeNumber += 1
    return .end(.waiting(seconds: seconds), wake: Wake(seconds: seconds, number: wakeNumber))
  }
}
