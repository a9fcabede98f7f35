import EventStore
import Postgres
import Reports
import StoryEvents

extension TailReader {
  /// The wanted events of a batch: those that it names, and how many others there are.
  func piece(of batch: StoredBatch, _ connection: inout PostgresConnection) throws -> TailPiece {
    func isWanted(_ appID: Int32) -> Bool { filter.appIDs.isEmpty || filter.appIDs.contains(appID) }
    let keys = batch.keys.filter { isWanted($0.appID) }
    let rejected = batch.rejected.filter { isWanted($0.appID) }
    var further: [JournaledFate: Int64] = [:]
    for total in batch.totals where isWanted(total.appID) { further[total.fate, default: 0] += total.events }
    for key in keys { further[key.fate, default: 0] -= 1 }
    further[.rejected, default: 0] -= Int64(rejected.count)
    var piece = TailPiece(storedAtMicroseconds: batch.storedAtMicroseconds)
    piece.lines =
      try lines(keys, batch, &connection)
      + rejectedLines(rejected, storedAtMicroseconds: batch.storedAtMicroseconds, &connection)
    for fate in JournaledFate.allCases {
      if let events = further[fate], events > 0 { piece.further.append((fate, events)) }
    }
    return piece
  }

  private func lines(
    _ keys: [StoredBatch.Key], _ batch: StoredBatch, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [TailLine] {
    if keys.isEmpty { return [] }
    // What became of an event of another app's session says nothing of that app's event.
    let result = try connection.execute(
      """
      SELECT coalesce(a.name, '(removed)'), s.story_id, pagefall.sent_session_id(k.session_id)::text, e.type, e.page_index,
        e.at, e.content_code, e.action, e.category_id, e.button_id
      FROM unnest($1::int4[], $2::uuid[], $3::int4[], $4::int2[]) WITH ORDINALITY AS k(app_id, session_id, seq, fate, place)
      LEFT JOIN pagefall.apps a ON a.app_id = k.app_id
      LEFT JOIN pagefall.sessions s ON s.session_id = k.session_id AND s.app_id = k.app_id
      LEFT JOIN pagefall.stored_events e ON e.session_id = s.session_id AND e.seq = k.seq AND k.fate <= 1
      ORDER BY k.place
      """,
      [
        .int32Array(keys.map(\.appID)), .uuidArray(keys.map(\.session)), .int32Array(keys.map(\.seq)),
        .int16Array(keys.map(\.fate.rawValue)),
      ])
    var lines: [TailLine] = []
    for row in 0..<min(result.rowCount, keys.count) {
      var line = TailLine(
        storedAtMicroseconds: batch.storedAtMicroseconds, fate: keys[row].fate, app: try result[row, 0])
      line.story = try result[row, 1]
      line.sessionID = try result[row, 2]
      line.seq = Int(keys[row].seq)
      try line.read(result, row, firstColumn: 3)
      lines.append(line)
    }
    return lines
  }

  /// - Parameter name: only those whose bytes hold this text, in lower case.
  private func rejectedLines(
    _ keys: [RejectedKey], storedAtMicroseconds: Int64, naming name: String? = nil,
    _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [TailLine] {
    if keys.isEmpty { return [] }
    let result = try connection.execute(
      """
      SELECT coalesce(a.name, '(removed)'), r.code, r.field, r.message, r.count,
        encode(substring(k.sha256 FROM 1 FOR 6), 'hex')
      FROM unnest($1::int4[], $2::bytea[]) WITH ORDINALITY AS k(app_id, sha256, place)
      LEFT JOIN pagefall.apps a ON a.app_id = k.app_id
      LEFT JOIN pagefall.rejected r ON r.app_id = k.app_id AND r.sha256 = k.sha256
      WHERE $3::text IS NULL OR position($3 IN lower(encode(r.body, 'escape') COLLATE "C")) > 0
      ORDER BY k.place
      """,
      [.int32Array(keys.map(\.appID)), .bytesArray(keys.map(\.sha256)), name.map { .text($0) } ?? .null])
    var lines: [TailLine] = []
    for row in 0..<result.rowCount {
      lines.append(try Self.rejectedLine(result, row, storedAtMicroseconds: storedAtMicroseconds))
    }
    return lines
  }

  /// Reads a row that begins with the app's name, code, field, message, count and handle.
  private static func rejectedLine(
    _ result: borrowing QueryResult, _ row: Int, storedAtMicroseconds: Int64
  ) throws(PostgresError) -> TailLine {
    var line = TailLine(storedAtMicroseconds: storedAtMicroseconds, fate: .rejected, app: try result[row, 0])
    let code: String? = try result[row, 1]
    let message: String? = try result[row, 3]
    let count: Int64? = try result[row, 4]
    line.rejection = TailLine.Rejection(
      code: code ?? "(no longer kept)", field: try result[row, 2], message: message ?? "", handle: try result[row, 5],
      count: count ?? 1)
    return line
  }

  // MARK: One session

  /// The last events of the session by number, whenever they were stored, and those that were rejected and name it.
  func lastOfSession(_ count: Int, _ connection: inout PostgresConnection) throws -> [TailPiece] {
    guard let reference = filter.session else { return [] }
    let rejected = try rejectedNaming(reference.text, limit: count, &connection)
    let pieces = rejected.isEmpty ? [] : [TailPiece(lines: rejected)]
    guard let id = try reference.find(&connection) else { return pieces }
    var lines = try sessionLines(id, "", [], limit: count, &connection)
    var storedAt: [Int32: Int64] = [:]
    let known = try connection.execute(
      """
      SELECT k.seq, b.stored_at FROM pagefall.stored_batches b
      CROSS JOIN LATERAL unnest(b.event_sessions, b.event_seqs, b.event_fates) AS k(session_id, seq, fate)
      WHERE k.session_id = $1 AND k.fate = 0
      """, [.uuid(id)])
    for row in 0..<known.rowCount {
      let stored: PostgresTimestamp = try known[row, 1]
      storedAt[try known[row, 0]] = stored.microsecondsSince1970
    }
    for place in lines.indices { lines[place].storedAtMicroseconds = lines[place].seq.flatMap { storedAt[Int32($0)] } }
    return (lines.isEmpty ? [] : [TailPiece(lines: lines)]) + pieces
  }

  /// Rejected events whose bytes hold this text, in lower case: among the newest that are kept, for each has to be looked at.
  private func rejectedNaming(
    _ name: String, limit: Int, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [TailLine] {
    let apps: PostgresValue = filter.appIDs.isEmpty ? .null : .int32Array(filter.appIDs.sorted())
    let result = try connection.execute(
      """
      SELECT coalesce(a.name, '(removed)'), r.code, r.field, r.message, r.count,
        encode(substring(r.sha256 FROM 1 FOR 6), 'hex'), r.kept_since
      FROM (
        SELECT * FROM pagefall.rejected WHERE $2::int4[] IS NULL OR app_id = ANY ($2)
        ORDER BY kept_since DESC LIMIT \(RejectedLook.mostLookedAt)) r
      LEFT JOIN pagefall.apps a ON a.app_id = r.app_id
      WHERE position($1 IN lower(encode(r.body, 'escape') COLLATE "C")) > 0
      ORDER BY r.kept_since DESC LIMIT $3
      """, [.text(name), apps, .int64(Int64(limit))])
    var lines: [TailLine] = []
    for row in (0..<result.rowCount).reversed() {
      let keptSince: PostgresTimestamp = try result[row, 6]
      lines.append(try Self.rejectedLine(result, row, storedAtMicroseconds: keptSince.microsecondsSince1970))
    }
    return lines
  }

  /// The events of the session that came with these batches: found by the session, so that none is hidden in a flood.
  func pieces(
    ofSessionIn batches: [StoredBatch], _ connection: inout PostgresConnection
  ) throws -> [TailPiece] {
    guard let reference = filter.session, let last = batches.last else { return [] }
    var pieces: [TailPiece] = []
    var listed: [Int32] = []
    // What was not stored is known from the batches alone.
    for batch in batches {
      let keys = batch.keys.filter { reference.lowest <= $0.session && $0.session <= reference.highest }
      listed += keys.filter { $0.fate == .stored }.map(\.seq)
      let rejected = batch.rejected.filter { filter.appIDs.isEmpty || filter.appIDs.contains($0.appID) }
      let lines =
        try lines(keys.filter { $0.fate != .stored }, batch, &connection)
        + rejectedLines(
          rejected, storedAtMicroseconds: batch.storedAtMicroseconds, naming: reference.text, &connection)
      if !lines.isEmpty { pieces.append(TailPiece(storedAtMicroseconds: batch.storedAtMicroseconds, lines: lines)) }
    }
    guard let id = try reference.find(&connection) else { return pieces }
    // A row's xmin is the number of the transaction that wrote it, without its upper half.
    var lines = try sessionLines(
      id,
      """
      AND (e.seq = ANY ($4) OR e.xmin::text::bigint = ANY (
        SELECT b.transaction_id::text::bigint & 4294967295 FROM pagefall.stored_batches b WHERE b.batch_id = ANY ($3)))
      """, [.int64Array(batches.map(\.id)), .int32Array(listed)], limit: Self.sessionEventsPerLook, &connection)
    for place in lines.indices { lines[place].storedAtMicroseconds = last.storedAtMicroseconds }
    if !lines.isEmpty { pieces.append(TailPiece(storedAtMicroseconds: last.storedAtMicroseconds, lines: lines)) }
    return pieces
  }

  /// The last events of a session for which a condition holds, in the order of their numbers.
  private func sessionLines(
    _ id: PostgresUUID, _ condition: String, _ parameters: [PostgresValue], limit: Int,
    _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [TailLine] {
    let result = try connection.execute(
      """
      SELECT coalesce(a.name, '(removed)'), s.story_id, pagefall.sent_session_id(s.session_id)::text, e.seq, e.type,
        e.page_index, e.at, e.content_code, e.action, e.category_id, e.button_id
      FROM pagefall.stored_events e JOIN pagefall.sessions s ON s.session_id = e.session_id
      LEFT JOIN pagefall.apps a ON a.app_id = s.app_id
      WHERE e.session_id = $1 AND ($2::int4[] IS NULL OR s.app_id = ANY ($2)) \(condition)
      ORDER BY e.seq DESC LIMIT \(limit)
      """, [.uuid(id), filter.appIDs.isEmpty ? .null : .int32Array(filter.appIDs.map { $0 })] + parameters)
    var lines: [TailLine] = []
    for row in 0..<result.rowCount {
      var line = TailLine(fate: .stored, app: try result[row, 0])
      line.story = try result[row, 1]
      line.sessionID = try result[row, 2]
      let seq: Int32 = try result[row, 3]
      line.seq = Int(seq)
      try line.read(result, row, firstColumn: 4)
      lines.append(line)
    }
    return lines.reversed()
  }
}

extension TailLine {
  /// What the event's own row says; nothing where there is none.
  ///
  /// - Parameter firstColumn: that of its type; page index, time, content code, action, category and button follow.
  fileprivate mutating func read(
    _ result: borrowing QueryResult, _ row: Int, firstColumn: Int
  ) throws(PostgresError) {
    let number: Int16? = try result[row, firstColumn]
    type = number.map { EventType(rawValue: UInt8(truncatingIfNeeded: $0))?.name ?? "unknown" }
    let index: Int16? = try result[row, firstColumn + 1]
    page = index.map(Int.init)
    let time: PostgresTimestamp? = try result[row, firstColumn + 2]
    atMicroseconds = time?.microsecondsSince1970
    let action: Int16? = try result[row, firstColumn + 4]
    let texts: [(String, String?)] = [
      ("content_code", try result[row, firstColumn + 3]),
      ("action", action.flatMap { ResponseAction(rawValue: UInt8(truncatingIfNeeded: $0))?.name }),
      ("category_id", try result[row, firstColumn + 5]), ("button_id", try result[row, firstColumn + 6]),
    ]
    details = texts.compactMap { name, text in text.map { Detail(name: name, text: $0) } }
  }
}
