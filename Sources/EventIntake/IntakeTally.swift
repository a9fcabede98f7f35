import StoryEvents

/// Counts what came of a request's events, and what its sender should be warned of.
struct IntakeTally {
  private(set) var accepted = 0
  private(set) var rejected = 0
  private(set) var faults: [EventFault] = []
  private var faultLimit = Int.max
  private(set) var rejectedByCode: [RejectionCode: Int] = [:]

  // For the warnings.
  private var secondsLikeTimes = 0
  private var randomSessionEvents = 0
  private var offsetBatches = 0
  private var largestOffsetMicroseconds: Int64 = 0
  /// Whether every accepted event so far has `seq` 0; while it holds, `firstEvents` lists their sessions.
  private var onlyFirstEvents = true
  private var firstEvents: [SessionID] = []

  /// Events, unreadable lines included.
  var events: Int { accepted + rejected }

  /// Begins a request.
  ///
  /// - Parameter faultLimit: faults kept; all are counted.
  mutating func reset(faultLimit: Int) {
    accepted = 0
    rejected = 0
    faults.removeAll()
    self.faultLimit = faultLimit
    rejectedByCode.removeAll(keepingCapacity: true)
    secondsLikeTimes = 0
    randomSessionEvents = 0
    offsetBatches = 0
    largestOffsetMicroseconds = 0
    onlyFirstEvents = true
    firstEvents.removeAll(keepingCapacity: true)
  }

  /// Counts an accepted event.
  mutating func accept(_ session: SessionID, seq: Int32, atMicroseconds: Int64, atIsInteger: Bool) {
    accepted += 1
    if atIsInteger, Self.looksLikeSeconds(atMicroseconds) { secondsLikeTimes += 1 }
    if session.version != 7 { randomSessionEvents += 1 }
    guard onlyFirstEvents else { return }
    // More than a request may have: a file is not one request.
    if seq == 0, firstEvents.count < ContractLimits.eventsPerRequest {
      firstEvents.append(session)
    } else {
      onlyFirstEvents = false
    }
  }

  /// Counts a rejected event.
  mutating func reject(_ fault: @autoclosure () -> EventFault, code: RejectionCode) {
    rejected += 1
    rejectedByCode[code, default: 0] += 1
    if faults.count < faultLimit { faults.append(fault()) }
  }

  /// Looks at a batch's times (contract §3: more than five minutes either way).
  mutating func noteClock(receivedAtMicroseconds: Int64?, sentAtMicroseconds: Int64?) {
    guard let receivedAtMicroseconds, let sentAtMicroseconds else { return }
    let offset = receivedAtMicroseconds - sentAtMicroseconds
    guard abs(offset) > 300_000_000 else { return }
    offsetBatches += 1
    if abs(offset) > abs(largestOffsetMicroseconds) { largestOffsetMicroseconds = offset }
  }

  /// What the sender is told.
  func warnings() -> [IntakeWarning] {
    var result: [IntakeWarning] = []
    if secondsLikeTimes > 0 {
      result.append(
        IntakeWarning(
          code: .timestampLooksLikeSeconds, count: secondsLikeTimes,
          message: "at lies in 1970; if it is in seconds, send milliseconds"))
    }
    if accepted > 0, onlyFirstEvents, hasDistinctSessions {
      result.append(
        IntakeWarning(
          code: .noSequence, count: firstEvents.count,
          message: "every session has one event, seq 0; number a session's events 0, 1, 2, … under one session_id"))
    }
    if randomSessionEvents > 0 {
      result.append(
        IntakeWarning(
          code: .randomSessionIDs, count: randomSessionEvents,
          message: "session ids are not UUIDv7; version 7 ids store twice as fast"))
    }
    if offsetBatches > 0 {
      let seconds = abs(largestOffsetMicroseconds) / 1_000_000
      let direction = largestOffsetMicroseconds > 0 ? "behind" : "ahead of"
      result.append(
        IntakeWarning(
          code: .clockOffset, count: offsetBatches,
          message: "sent_at is \(seconds) s \(direction) the time of receipt; the session's times are corrected by it"))
    }
    return result
  }

  private var hasDistinctSessions: Bool { firstEvents.count < 2 || Set(firstEvents).count == firstEvents.count }

  /// An integer time that lies in 1970 as milliseconds, and in the years 2001–2099 when read as seconds.
  private static func looksLikeSeconds(_ microseconds: Int64) -> Bool {
    // 2001-09-09 … 2099-12-31 in seconds, as milliseconds that were made microseconds.
    (1_000_000_000_000...4_102_444_800_000).contains(microseconds)
  }
}
