import EventRecords
import Postgres
import StoryEvents

/// A session's history is all its stored events in one value (docs/storage.md, `pagefall.packed_history`): exact or null in
/// every committed state.
extension BatchStore {
  /// Bytes of all histories of a batch; sessions beyond are left to housekeeping. A full batch of usual events has 1.2 MB.
  private static let maximumHistoryBytes = 4 * 1024 * 1024
  /// Sessions in one statement.
  private static let sessionsPerStatement = 5000

  /// Packs the events of the batch's new sessions; `collectSessions` has counted them.
  ///
  /// A session that seems to go on (its events have just happened, and none is an end) would lose its history again, at the price
  /// of an UPDATE: it is left to housekeeping. Guessing wrong costs time, and nothing else.
  ///
  /// Nothing is packed where events without a session lie in the database: a session that comes again may have more events
  /// than come with it.
  mutating func packHistories(_ range: Range<Int>) {
    histories.truncate(maximumCapacity: Self.maximumHistoryBytes)
    if hasLooseEvents { return }
    if placeHistories() == 0 { return }
    let events = batch.events.base
    var reading = DurationReading()
    for index in range where events[index].fate == .stored {
      let session = sessions.sessions.base + Int(events[index].session)
      if session.pointee.historyBegin < 0 { continue }
      let event = events + index
      append(SessionHistory.code(seq: event.pointee.seq, event.pointee.historyCode), to: session)
      append(event.pointee.atMicroseconds - SessionHistory.epochMicroseconds, to: session)
      append(event.pointee.durationSeconds, to: session)
      if event.pointee.pageDurationCount > 0 && event.pointee.seq == session.pointee.durationSeq {
        guard let view = reading.event(index, event.pointee.record, in: batch) else { continue }
        append(SessionHistory.durationsCode(view), to: session)
        for page in 0..<view.pageDurationCount { append(view.pageDurationSeconds(page) ?? .nan, to: session) }
      }
    }
  }

  /// Gives each new session its place among the histories.
  ///
  /// - Returns: how many bytes they have.
  private mutating func placeHistories() -> Int {
    var total = 0
    for index in 0..<sessions.touched.count {
      let session = sessions.sessions.base + Int(sessions.touched[index])
      if session.pointee.isInDatabase || session.pointee.historyEvents > SessionHistory.maximumEvents { continue }
      if session.pointee.isFresh && !session.pointee.hasEnd { continue }
      let byteCount = SessionHistory.byteCount(
        events: Int(session.pointee.historyEvents), durations: Int(session.pointee.durationCount))
      if total + byteCount > Self.maximumHistoryBytes { break }
      session.pointee.historyBegin = Int32(total)
      session.pointee.historyEnd = Int32(total)
      session.pointee.historyByteCount = Int32(byteCount)
      total += byteCount
    }
    histories.reserve(total)
    return total
  }

  @inline(__always)
  private func append(_ number: Int64, to session: UnsafeMutablePointer<BatchSession>) {
    UnsafeMutableRawPointer(histories.base).storeBytes(
      of: number.bigEndian, toByteOffset: Int(session.pointee.historyEnd), as: Int64.self)
    session.pointee.historyEnd += 8
  }

  @inline(__always)
  private func append(_ number: Double, to session: UnsafeMutablePointer<BatchSession>) {
    append(Int64(bitPattern: number.bitPattern), to: session)
  }

  /// The history of a new session; nil where it has none: it has too many events, or nothing is packed now.
  func history(of session: BatchSession) -> UnsafeRawBufferPointer? {
    if session.historyBegin < 0 || session.historyEnd != session.historyBegin + session.historyByteCount { return nil }
    return UnsafeRawBufferPointer(
      start: histories.base + Int(session.historyBegin), count: Int(session.historyByteCount))
  }

  /// Makes the histories of sessions null that were in the database and get an event now, where they may have one.
  mutating func forgetHistories(_ connection: inout PostgresConnection) throws(EventStoreError) {
    var ids: [PostgresUUID?] = []
    for index in 0..<sessions.touched.count {
      let session = sessions.sessions.base[Int(sessions.touched[index])]
      if !session.isInDatabase || !session.mayHaveHistory { continue }
      ids.append(PostgresUUID(high: session.high, low: session.low))
      if ids.count == Self.sessionsPerStatement { try forgetHistories(&connection, &ids) }
    }
    try forgetHistories(&connection, &ids)
  }

  private mutating func forgetHistories(
    _ connection: inout PostgresConnection, _ ids: inout [PostgresUUID?]
  ) throws(EventStoreError) {
    if ids.isEmpty { return }
    // Rows are locked in the order of the key, as by everybody.
    let result = try connection.run(
      """
      UPDATE pagefall.sessions s SET history = NULL
      FROM (SELECT * FROM unnest($1::uuid[]) AS v(session_id) ORDER BY session_id) u
      WHERE s.session_id = u.session_id AND s.history IS NOT NULL
      """, [.uuidArray(ids)])
    unpackedSessions += result.affectedRows
    ids.removeAll(keepingCapacity: true)
  }
}

/// Finds events of the batch in their records, in rising order: each record is read once, and only where something is wanted.
private struct DurationReading {
  private var record: Int32 = -1
  private var reader: EventRecordReader?
  /// The number of the event that the reader comes to next.
  private var next = 0

  /// The event of this number; nil cannot be, for its record was read whole when it was added.
  mutating func event(_ index: Int, _ record: Int32, in batch: borrowing EventBatch) -> EventView? {
    if record != self.record {
      self.record = record
      reader = batch.reader(Int(record))
      next = Int(batch.records[Int(record)].firstEvent)
    }
    while let item = (try? reader?.next()) ?? nil {
      guard case .event(let event) = item else { continue }
      next += 1
      if next > index { return event }
    }
    return nil
  }
}
