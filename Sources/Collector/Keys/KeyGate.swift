import EventStore

/// Says of each request whether its key may send events, before its body costs anything. Belongs to the HTTP thread.
///
/// A key that is not known is asked for: the request is suspended meanwhile. A negative answer is remembered for a
/// short time, so that repeating a wrong key does not become a query each time.
final class KeyGate {
  private var table: KeyTable
  private let openSlot: Int32?
  private let answers: AnswerShelf
  private let metrics: HTTPMetrics
  /// nil: nobody can be asked.
  private let lookups: KeyLookups?
  /// Until when, in milliseconds of the monotonic clock, a hash counts as unknown.
  private var unknown: [KeyHash: Int64] = [:]
  private var waiting: [KeyHash: [HTTPRequestPointer]] = [:]

  /// How long a hash counts as unknown. A key cannot be presented before it is made, so a new one never waits for this.
  static let unknownMilliseconds: Int64 = 5_000
  /// How many hashes may count as unknown at a time.
  static let maximumUnknown = 4_096
  /// How many different hashes may be asked for at a time.
  static let maximumLookups = 64
  /// Longer texts are no keys.
  static let maximumKeyBytes = 256

  /// - Parameters:
  ///   - openApp: without keys, and every request is this app's.
  ///   - eventsPerSecond: per key; nil: no limit.
  init(
    openApp: String?, eventsPerSecond: Double?, answers: AnswerShelf, metrics: HTTPMetrics, lookups: KeyLookups?
  ) {
    table = KeyTable(eventsPerSecond: eventsPerSecond)
    self.answers = answers
    self.metrics = metrics
    self.lookups = lookups
    if let openApp {
      table.add(KnownKey(hash: KeyHash(), app: openApp, right: .ingest))
      openSlot = 0
    } else {
      openSlot = nil
    }
  }

  /// What a key comes to.
  enum Verdict {
    /// May send: the slot names its app.
    case admitted(Int32)
    case refused(HTTPAnswer)
    /// The request must wait; `KeyGate` decides later.
    case asked
  }

  /// Judges the key in the request's head.
  func judge(_ request: HTTPRequestPointer) -> Verdict {
    if let openSlot { return admit(openSlot) }
    guard request.pointee.head.authorizationCount == 1,
      let token = request.pointee.head.authorization.flatMap(Self.bearerToken)
    else {
      return refuse(.absent, .noKey)
    }
    guard token.count <= Self.maximumKeyBytes, token.starts(with: KeyStore.marker.utf8) else {
      return refuse(.unknown, .unknownKey)
    }
    let hash = KeyHash(of: token)
    request.pointee.keyHash = hash
    if let slot = table.slot(of: hash) { return judgeKnown(slot) }
    if let until = unknown[hash], until > MonotonicClock.milliseconds { return refuse(.unknown, .unknownKey) }
    return ask(hash, request)
  }

  private func judgeKnown(_ slot: Int32) -> Verdict {
    switch table.entries[Int(slot)].key.right {
    case .ingest: admit(slot)
    case .read: refuse(.wrongRight, .wrongRight)
    }
  }

  private func admit(_ slot: Int32) -> Verdict {
    if let answer = overRate(slot) { return .refused(answer) }
    metrics.keyChecks[KeyCheckOutcome.known.rawValue] += 1
    return .admitted(slot)
  }

  private func refuse(_ outcome: KeyCheckOutcome, _ problem: Problem) -> Verdict {
    metrics.keyChecks[outcome.rawValue] += 1
    return .refused(answers.problem(problem))
  }

  /// The 429 of a key that has sent too much, or nil.
  func overRate(_ slot: Int32) -> HTTPAnswer? {
    let wait = table.withBucket(of: slot) { $0.secondsToWait(atNanoseconds: MonotonicClock.nanoseconds) }
    guard let wait else { return nil }
    metrics.keyChecks[KeyCheckOutcome.overRate.rawValue] += 1
    return answers.problem(
      .rateExceeded, detail: "The key has sent more events per second than it may; retry later.",
      headers: [("Retry-After", String(wait))])
  }

  /// Counts a request's events against its key's rate.
  func charge(_ slot: Int32, events: Int) {
    table.withBucket(of: slot) { $0.charge(events: events, atNanoseconds: MonotonicClock.nanoseconds) }
  }

  /// A key's app.
  func app(of slot: Int32) -> String { table.app(of: slot) }

  private func ask(_ hash: KeyHash, _ request: HTTPRequestPointer) -> Verdict {
    if waiting[hash] != nil {
      waiting[hash]?.append(request)
      return .asked
    }
    guard let lookups, waiting.count < Self.maximumLookups else { return refuse(.uncheckable, .keyUncheckable) }
    waiting[hash] = [request]
    lookups.ask(hash)
    return .asked
  }

  /// What the database has said of a hash.
  enum Finding: Sendable {
    case key(KnownKey)
    case nothing
    /// It cannot be asked now.
    case uncheckable
  }

  /// Takes an answer in, and lets the requests that wait for it go on.
  func learn(_ hash: KeyHash, _ finding: Finding, resume: (HTTPRequestPointer, Verdict) -> Void) {
    switch finding {
    case .key(let key): table.add(key)
    case .nothing: remember(unknown: hash)
    case .uncheckable: break
    }
    for request in waiting.removeValue(forKey: hash) ?? [] {
      if let slot = table.slot(of: hash) {
        resume(request, judgeKnown(slot))
        continue
      }
      switch finding {
      case .key, .nothing: resume(request, refuse(.unknown, .unknownKey))
      case .uncheckable: resume(request, refuse(.uncheckable, .keyUncheckable))
      }
    }
  }

  /// Takes over all valid keys.
  func replaceAll(_ keys: [KnownKey]) { table.replaceAll(keys) }

  private func remember(unknown hash: KeyHash) {
    let now = MonotonicClock.milliseconds
    if unknown.count >= Self.maximumUnknown { unknown = unknown.filter { $0.value > now } }
    // Still too many: somebody tries keys faster than they are forgotten, and forgetting all costs only queries.
    if unknown.count >= Self.maximumUnknown { unknown.removeAll(keepingCapacity: true) }
    unknown[hash] = now + Self.unknownMilliseconds
  }

  /// The token of `Bearer TOKEN` (RFC 6750 §2.1); nil for anything else.
  static func bearerToken(_ value: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard value.count > 7, UnsafeRawBufferPointer(rebasing: value[0..<7]).equalsIgnoringCase("bearer ") else {
      return nil
    }
    let token = UnsafeRawBufferPointer(rebasing: value[7...]).trimmed
    return token.isEmpty ? nil : token
  }
}
