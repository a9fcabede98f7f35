import Postgres

/// What changes are accounted by, beside the hour of the transaction and the reason.
private struct ChangeKey: Hashable, Comparable {
  var appID: Int32
  /// The quarter of an hour that sessions start in, counted from 1970.
  var quarter: Int64

  static func < (left: ChangeKey, right: ChangeKey) -> Bool {
    (left.appID, left.quarter) < (right.appID, right.quarter)
  }
}

/// What the batch changes of one key.
private struct ChangeTally {
  var newSessions: Int64 = 0
  var storedEvents: Int64 = 0
  var filledSessions: Int64 = 0

  static func += (left: inout ChangeTally, right: ChangeTally) {
    left.newSessions += right.newSessions
    left.storedEvents += right.storedEvents
    left.filledSessions += right.filledSessions
  }
}

/// Rows of `pagefall.changes`, gathered for one statement.
private struct ChangeRows {
  private var appIDs: [Int32?] = []
  private var quarters: [PostgresTimestamp?] = []
  private var reasons: [String?] = []
  private var sessions: [Int64?] = []
  private var events: [Int64?] = []

  var isFull: Bool { appIDs.count >= 5000 }

  mutating func add(_ key: ChangeKey, _ reason: String, sessions: Int64, events: Int64) {
    appIDs.append(key.appID)
    quarters.append(PostgresTimestamp(microsecondsSince1970: key.quarter * BatchStore.quarterMicroseconds))
    reasons.append(reason)
    self.sessions.append(sessions)
    self.events.append(events)
  }

  mutating func run(_ connection: inout PostgresConnection) throws(EventStoreError) {
    if appIDs.isEmpty { return }
    try connection.run(
      """
      INSERT INTO pagefall.changes AS c (app_id, quarter, changed_hour, reason, sessions, events)
      SELECT app_id, quarter, pagefall.change_hour(), reason, sessions, events
      FROM unnest($1::int4[], $2::timestamptz[], $3::text[], $4::int8[], $5::int8[])
        AS v(app_id, quarter, reason, sessions, events)
      ORDER BY app_id, quarter, reason
      ON CONFLICT (app_id, quarter, changed_hour, reason) DO UPDATE
        SET sessions = c.sessions + EXCLUDED.sessions, events = c.events + EXCLUDED.events, mark = c.mark + EXCLUDED.mark
      """,
      [
        .int32Array(appIDs), .timestampArray(quarters), .textArray(reasons), .int64Array(sessions),
        .int64Array(events),
      ])
    self = ChangeRows()
  }
}

extension BatchStore {
  fileprivate static var quarterMicroseconds: Int64 { 900_000_000 }

  /// Keeps the account of changes (docs/storage.md): what this transaction adds to each quarter of an hour and what it fills in
  /// there, by when the sessions started.
  mutating func writeChanges(_ connection: inout PostgresConnection) throws(EventStoreError) {
    let stored =
      switch source {
      case .spool, .file: "stored"
      case .replay: "replayed"
      }
    var rows = ChangeRows()
    for (key, tally) in tallyChanges().sorted(by: { $0.key < $1.key }) {
      if tally.filledSessions > 0 { rows.add(key, "context_filled", sessions: tally.filledSessions, events: 0) }
      if tally.storedEvents > 0 { rows.add(key, stored, sessions: tally.newSessions, events: tally.storedEvents) }
      if rows.isFull { try rows.run(&connection) }
    }
    try rows.run(&connection)
  }

  private func tallyChanges() -> [ChangeKey: ChangeTally] {
    var tallies: [ChangeKey: ChangeTally] = [:]
    // Sessions that come together mostly started together: one look-up for all in a row.
    var current = ChangeKey(appID: 0, quarter: 0)
    var tally = ChangeTally()
    for index in 0..<sessions.sessions.count {
      let session = sessions.sessions.base + index
      if session.pointee.storedEvents == 0 { continue }
      let key = ChangeKey(
        appID: session.pointee.appID, quarter: Self.quarter(session.pointee.startedAtMicroseconds))
      if key != current {
        if tally.storedEvents > 0 { tallies[current, default: ChangeTally()] += tally }
        current = key
        tally = ChangeTally()
      }
      tally.storedEvents += Int64(session.pointee.storedEvents)
      if session.pointee.isNew { tally.newSessions += 1 }
      if session.pointee.isContextFilled { tally.filledSessions += 1 }
    }
    if tally.storedEvents > 0 { tallies[current, default: ChangeTally()] += tally }
    return tallies
  }

  private static func quarter(_ microseconds: Int64) -> Int64 {
    (microseconds - (microseconds < 0 ? quarterMicroseconds - 1 : 0)) / quarterMicroseconds
  }
}
