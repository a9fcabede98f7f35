import Postgres
import StoryEvents

extension BatchStore {
  /// Rows asked for in one statement.
  private static let keysPerStatement = 5000

  /// Asks the database for the sessions that the caches do not know, then for the events of those that exist, and decides
  /// the fates anew.
  mutating func askDatabase(_ connection: inout PostgresConnection) throws(EventStoreError) {
    // A key look-up each, never a scan of a table that is larger than the batch.
    try connection.run("SET LOCAL enable_hashjoin = off")
    try connection.run("SET LOCAL enable_mergejoin = off")
    try connection.run("SET LOCAL enable_seqscan = off")
    try askForSessions(&connection)
    classify()
    if try askForEvents(&connection) > 0 { carefulBatches = 16 }
    classify()
  }

  private mutating func askForSessions(_ connection: inout PostgresConnection) throws(EventStoreError) {
    var unknown: [Int32] = []
    for index in 0..<sessions.sessions.count where !sessions.sessions.base[index].isInDatabase {
      unknown.append(Int32(index))
    }
    for start in stride(from: 0, to: unknown.count, by: Self.keysPerStatement) {
      let places = unknown[start..<min(start + Self.keysPerStatement, unknown.count)]
      let ids = places.map { place in
        let session = sessions.sessions.base[Int(place)]
        return PostgresUUID?(PostgresUUID(high: session.high, low: session.low))
      }
      let result = try connection.run(
        Self.sessionQuestion, [.int32Array(places.map { $0 }), .uuidArray(ids)])
      for row in 0..<result.rowCount {
        let (place, appID, started, mask, hasHistory) = try decoding {
          () throws(PostgresError) -> (Int32, Int32, PostgresTimestamp, Int32, Bool) in
          (try result[row, 0], try result[row, 1], try result[row, 2], try result[row, 3], try result[row, 4])
        }
        let session = sessions.sessions.base + Int(place)
        session.pointee.isInDatabase = true
        session.pointee.appID = appID
        session.pointee.startedAtMicroseconds = started.microsecondsSince1970
        session.pointee.knownMask = UInt16(truncatingIfNeeded: mask)
        session.pointee.mayHaveHistory = hasHistory
      }
    }
  }

  /// - Returns: how many of them were there.
  private mutating func askForEvents(_ connection: inout PostgresConnection) throws(EventStoreError) -> Int {
    let events = batch.events.base
    var asked: [Int32] = []
    for index in 0..<batch.events.count
    where events[index].fate.mayBeStored && sessions.sessions.base[Int(events[index].session)].isInDatabase {
      asked.append(Int32(index))
    }
    var found = 0
    for start in stride(from: 0, to: asked.count, by: Self.keysPerStatement) {
      let places = asked[start..<min(start + Self.keysPerStatement, asked.count)]
      let result = try connection.run(
        Self.eventQuestion,
        [
          .int32Array(places.map { $0 }),
          .uuidArray(places.map { PostgresUUID(high: events[Int($0)].high, low: events[Int($0)].low) }),
          .int32Array(places.map { events[Int($0)].seq }),
        ])
      for row in 0..<result.rowCount {
        let (place, contentHash) = try storedContent(result, row)
        events[Int(place)].known = contentHash == events[Int(place)].contentHash ? .same : .different
      }
      found += result.rowCount
    }
    return found
  }

  /// A stored event's content, as the batch hashes its own.
  private func storedContent(
    _ result: borrowing QueryResult, _ row: Int
  ) throws(EventStoreError) -> (place: Int32, contentHash: UInt64) {
    try decoding { () throws(PostgresError) -> (Int32, UInt64) in
      let type: Int16 = try result[row, 1]
      let at: PostgresTimestamp = try result[row, 2]
      let pageIndex: Int16? = try result[row, 3]
      let pageCount: Int16? = try result[row, 4]
      let source: Int16? = try result[row, 5]
      let action: Int16? = try result[row, 6]
      let content = EventContent(
        type: UInt8(truncatingIfNeeded: type), atMicroseconds: at.microsecondsSince1970, pageIndex: pageIndex ?? -1,
        pageCount: pageCount ?? -1, source: source.map { UInt8(truncatingIfNeeded: $0) } ?? 255,
        action: action.map { UInt8(truncatingIfNeeded: $0) } ?? 255)
      var texts: [[UInt8]?] = []
      for column in 7..<12 {
        let text: String? = try result[row, column]
        texts.append(text.map { Array($0.utf8) })
      }
      return (try result[row, 0], hash.texts(content.hash(hash), texts))
    }
  }

  private static let sessionQuestion: String = {
    let bits = ContextField.allCases.map { "(s.\($0.name) IS NOT NULL)::int4 * \($0.bit)" }
    return """
      SELECT k.place, s.app_id, s.started_at, \(bits.joined(separator: " + ")), s.history IS NOT NULL
      FROM unnest($1::int4[], $2::uuid[]) AS k(place, session_id) JOIN pagefall.sessions s ON s.session_id = k.session_id
      """
  }()

  private static let eventQuestion = """
    SELECT k.place, e.type, e.at, e.page_index, e.page_count, e.source, e.action,
      e.reason, e.content_code, e.error, e.category_id, e.button_id
    FROM unnest($1::int4[], $2::uuid[], $3::int4[]) AS k(place, session_id, seq)
    JOIN pagefall.stored_events e ON e.session_id = k.session_id AND e.seq = k.seq
    """
}

extension EventEntry.Fate {
  /// Whether the database's answer can change it: of two events of the batch with one key, both are asked for, because the
  /// first may turn out to be stored already.
  fileprivate var mayBeStored: Bool {
    switch self {
    case .stored, .duplicate, .conflictingDuplicate: true
    case .undecided, .foreignSession, .expired, .refusedByDatabase: false
    }
  }
}

extension KeyedHash {
  /// The five texts of a stored row, in the order of `EventText`.
  fileprivate func texts(_ state: UInt64, _ texts: [[UInt8]?]) -> UInt64 {
    func place(_ index: Int, _ places: [UnsafeRawBufferPointer?]) -> UInt64 {
      if index == texts.count { return self.texts(state, places[0], places[1], places[2], places[3], places[4]) }
      guard let text = texts[index] else { return place(index + 1, places + [nil]) }
      return text.withUnsafeBytes { place(index + 1, places + [$0]) }
    }
    return place(0, [])
  }
}
