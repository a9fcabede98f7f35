import StoryEvents

extension BatchStore {
  /// Decides the fate of each event as far as it is known now, in the order of arrival (contract §2 and §3).
  ///
  /// Runs after each new piece of knowledge: what the caches hold, what the database was asked, which rows it refused.
  mutating func classify() {
    sessions.forgetEvents()
    let nowMicroseconds = now()
    let count = batch.events.count
    let events = batch.events.base
    var record: Int32 = -1
    var appID: Int32 = 0
    var previous: Int32 = -1
    var previousHigh: UInt64 = 0
    var previousLow: UInt64 = 0
    for index in 0..<count {
      let event = events + index
      if event.pointee.record != record {
        record = event.pointee.record
        appID = appIDs[Int(batch.records[Int(record)].app)]
      }
      if previous < 0 || event.pointee.high != previousHigh || event.pointee.low != previousLow {
        previousHigh = event.pointee.high
        previousLow = event.pointee.low
        previous = sessions.place(
          hash.session(previousHigh, previousLow), previousHigh, previousLow, cache: knownSessions)
      }
      event.pointee.session = previous
      let session = sessions.sessions.base + Int(previous)
      event.pointee.fate = fate(of: event, Int32(index), in: session, appID: appID, nowMicroseconds)
      if event.pointee.fate == .stored && session.pointee.claimedBy == 0 { session.pointee.claimedBy = appID }
    }
  }

  @inline(__always)
  private func fate(
    of event: UnsafeMutablePointer<EventEntry>, _ index: Int32, in session: UnsafeMutablePointer<BatchSession>,
    appID: Int32, _ nowMicroseconds: Int64
  ) -> EventEntry.Fate {
    if event.pointee.known == .refused { return .refusedByDatabase }
    let owner = session.pointee.isInDatabase ? session.pointee.appID : session.pointee.claimedBy
    if owner != 0 && owner != appID { return .foreignSession }
    if let line = retentionLineMicroseconds, isExpired(event, session, before: line, nowMicroseconds) {
      return .expired
    }
    switch event.pointee.known {
    case .nothing: break
    case .same: return .duplicate
    case .different: return .conflictingDuplicate
    case .refused: return .refusedByDatabase
    }
    let place = hash.place(session.pointee.hash, event.pointee.seq, appID)
    // What is remembered of a session that fell out of its own cache is found out by the database instead.
    if session.pointee.isInDatabase {
      switch repeats.find(place, event.pointee, appID: appID) {
      case .unknown: break
      case .same: return .duplicate
      case .different: return .conflictingDuplicate
      }
    }
    let first = sessions.firstEvent(place, event: index, event.pointee, in: batch.events)
    if first < 0 { return .stored }
    return batch.events.base[Int(first)].contentHash == event.pointee.contentHash ? .duplicate : .conflictingDuplicate
  }

  private func isExpired(
    _ event: UnsafeMutablePointer<EventEntry>, _ session: UnsafeMutablePointer<BatchSession>, before line: Int64,
    _ nowMicroseconds: Int64
  ) -> Bool {
    if !session.pointee.isInDatabase && session.pointee.claimedBy == 0 {
      session.pointee.startedAtMicroseconds = start(of: event, nowMicroseconds).startedAtMicroseconds
    }
    return session.pointee.startedAtMicroseconds < line
  }

  /// What this event fixes of its session, if it is the first.
  func start(of event: UnsafeMutablePointer<EventEntry>, _ nowMicroseconds: Int64) -> SessionStart {
    let record = batch.records[Int(event.pointee.record)]
    return SessionStart(
      storedHigh: event.pointee.high, atMicroseconds: event.pointee.atMicroseconds,
      receivedAtMicroseconds: record.receivedAtMicroseconds == RecordEntry.noTime
        ? nil : record.receivedAtMicroseconds,
      sentAtMicroseconds: record.sentAtMicroseconds == RecordEntry.noTime ? nil : record.sentAtMicroseconds,
      nowMicroseconds: nowMicroseconds)
  }

  /// Collects what the events of this range that are to be stored make of their sessions.
  mutating func collectSessions(_ range: Range<Int>) {
    sessions.beginCollection()
    let nowMicroseconds = now()
    let events = batch.events.base
    for index in range where events[index].fate == .stored {
      let event = events + index
      let place = event.pointee.session
      if sessions.touch(place) && !sessions.sessions.base[Int(place)].isInDatabase {
        let start = start(of: event, nowMicroseconds)
        let session = sessions.sessions.base + Int(place)
        session.pointee.startedAtMicroseconds = start.startedAtMicroseconds
        session.pointee.arrivedAtMicroseconds = start.arrivedAtMicroseconds
        session.pointee.clockOffsetMicroseconds = start.clockOffsetMicroseconds
        session.pointee.hasSuspectClock = start.hasSuspectClock
      }
      sessions.countForHistory(
        event.pointee, receivedAtMicroseconds: batch.records[Int(event.pointee.record)].receivedAtMicroseconds,
        in: place)
      if event.pointee.contextMask != 0 {
        sessions.addContext(
          event.pointee.record, event.pointee.contextOffset, mask: event.pointee.contextMask, to: place)
      }
    }
  }

  /// After the commit: what is now known of the database.
  mutating func remember() {
    for index in 0..<sessions.sessions.count where sessions.sessions.base[index].isInDatabase {
      let session = sessions.sessions.base + index
      knownSessions.insert(
        session.pointee.hash,
        SessionCache.Entry(
          high: session.pointee.high, low: session.pointee.low,
          startedAtMicroseconds: session.pointee.startedAtMicroseconds, appID: session.pointee.appID,
          mask: session.pointee.knownMask, mayHaveHistory: session.pointee.mayHaveHistory))
    }
    let events = batch.events.base
    for index in 0..<batch.events.count
    where events[index].fate == .stored || (events[index].fate == .duplicate && events[index].known == .same) {
      let session = sessions.sessions.base + Int(events[index].session)
      let appID = session.pointee.appID
      repeats.insert(
        hash.place(session.pointee.hash, events[index].seq, appID), events[index], appID: appID)
    }
    pages.confirm()
  }
}
