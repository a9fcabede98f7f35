import EventStore
import Postgres

/// A row of `pagefall.stored_batches`.
struct StoredBatch {
  struct Key: Hashable {
    var appID: Int32
    var session: PostgresUUID
    var seq: Int32
    var fate: JournaledFate
  }

  var id: Int64
  var storedAtMicroseconds: Int64
  var keys: [Key] = []
  var rejected: [RejectedKey] = []
  var totals: [(appID: Int32, fate: JournaledFate, events: Int64)] = []

  private static let columns = """
    batch_id, stored_at, event_apps, event_sessions, event_seqs, event_fates, rejected_apps, rejected_hashes, total_apps,
      total_fates, total_events
    """

  /// The newest before a number, the newest first.
  static func read(
    before: Int64, limit: Int, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [StoredBatch] {
    try batches(
      try connection.execute(
        "SELECT \(columns) FROM pagefall.stored_batches WHERE batch_id < $1 ORDER BY batch_id DESC LIMIT \(limit)",
        [.int64(before)]))
  }

  /// Those that one snapshot sees and another does not, by number.
  static func read(
    visibleIn now: String, notIn last: String, after: Int64, limit: Int, _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [StoredBatch] {
    try batches(
      try connection.execute(
        """
        SELECT \(columns) FROM pagefall.stored_batches
        WHERE transaction_id >= pg_snapshot_xmin($2::text::pg_snapshot)
          AND pg_visible_in_snapshot(transaction_id, $1::text::pg_snapshot)
          AND NOT pg_visible_in_snapshot(transaction_id, $2::text::pg_snapshot) AND batch_id > $3
        ORDER BY batch_id LIMIT \(limit)
        """, [.text(now), .text(last), .int64(after)]))
  }

  private static func batches(_ result: borrowing QueryResult) throws(PostgresError) -> [StoredBatch] {
    var batches: [StoredBatch] = []
    for row in 0..<result.rowCount {
      let stored: PostgresTimestamp = try result[row, 1]
      var batch = StoredBatch(id: try result[row, 0], storedAtMicroseconds: stored.microsecondsSince1970)
      let apps: [Int32] = try result[row, 2]
      let sessions: [PostgresUUID] = try result[row, 3]
      let seqs: [Int32] = try result[row, 4]
      let fates: [Int16] = try result[row, 5]
      for place in 0..<min(apps.count, sessions.count, seqs.count, fates.count) {
        guard let fate = JournaledFate(rawValue: fates[place]) else { continue }
        batch.keys.append(Key(appID: apps[place], session: sessions[place], seq: seqs[place], fate: fate))
      }
      let rejectedApps: [Int32] = try result[row, 6]
      let hashes: [[UInt8]] = try result[row, 7]
      batch.rejected = zip(rejectedApps, hashes).map { RejectedKey(appID: $0, sha256: $1) }
      let totalApps: [Int32] = try result[row, 8]
      let totalFates: [Int16] = try result[row, 9]
      let totals: [Int64] = try result[row, 10]
      for place in 0..<min(totalApps.count, totalFates.count, totals.count) {
        guard let fate = JournaledFate(rawValue: totalFates[place]) else { continue }
        batch.totals.append((totalApps[place], fate, totals[place]))
      }
      batches.append(batch)
    }
    return batches
  }
}
