import Postgres

/// What one round of housekeeping did.
public struct HousekeepingRound: Equatable, Sendable {
  /// Months that were made.
  public var monthsMade = 0
  /// Rejected events that were removed, because there were too many or they were too old.
  public var rejectedRemoved = 0
  /// Positions of runs of ingest that ended without saying so.
  public var positionsRemoved = 0
  /// Rows of the journal of stored batches that were removed.
  public var batchesRemoved = 0
  /// Sessions that were looked at to be packed.
  public var sessionsPacked = 0

  /// Nothing was to be done.
  public init() {}
}

/// What has to be done now and then, whatever else happens: months ahead, bounds of what was rejected and of the journal of
/// stored batches, histories of sessions that came in several batches. Several collectors may do it at once.
public enum Housekeeping {
  /// Rejected events that are kept.
  public static let maximumRejected = 1_000_000
  /// How long they are kept, in days.
  public static let rejectedDays = 90
  /// Batches that the journal keeps, for an hour at the most.
  public static let maximumStoredBatches = 5_000
  /// Rows that one transaction removes.
  private static let rowsPerStatement = 10_000

  /// Does all of it once. Steps that are done stay done where a later one throws.
  ///
  /// - Parameter maximumRejected: for tests.
  public static func run(
    _ connection: inout PostgresConnection, maximumRejected: Int = maximumRejected
  ) throws(EventStoreError) -> HousekeepingRound {
    var round = HousekeepingRound()
    let months = try connection.run("SELECT pagefall.make_months()")
    round.monthsMade = Int(try decoding { () throws(PostgresError) -> Int32 in try months[0, 0] })
    round.rejectedRemoved += try removeOld(&connection)
    round.rejectedRemoved += try removeExcess(&connection, maximumRejected)
    round.positionsRemoved = try connection.run(
      "DELETE FROM pagefall.spools WHERE kind = 'file' AND updated_at < now() - interval '7 days'"
    ).affectedRows
    round.batchesRemoved = try removeBatches(&connection)
    // The last, because it may go on for minutes, and what is not packed costs nobody anything but time.
    round.sessionsPacked = try HistoryPacking.run(&connection)
    return round
  }

  /// Keeps the journal of stored batches small (`BatchStore.writeJournal`).
  private static func removeBatches(_ connection: inout PostgresConnection) throws(EventStoreError) -> Int {
    try connection.run(
      """
      DELETE FROM pagefall.stored_batches WHERE stored_at < now() - interval '1 hour'
        OR batch_id <= (SELECT max(batch_id) FROM pagefall.stored_batches) - \(maximumStoredBatches)
      """
    ).affectedRows
  }

  private static func removeOld(_ connection: inout PostgresConnection) throws(EventStoreError) -> Int {
    var removed = 0
    while true {
      let count = try remove(
        &connection, reason: "age", rows: rowsPerStatement,
        where: "kept_since < now() - interval '\(rejectedDays) days'")
      removed += count
      if count < rowsPerStatement { return removed }
    }
  }

  private static func removeExcess(
    _ connection: inout PostgresConnection, _ maximum: Int
  ) throws(EventStoreError) -> Int {
    let result = try connection.run("SELECT count(*) FROM pagefall.rejected")
    var excess = Int(try decoding { () throws(PostgresError) -> Int64 in try result[0, 0] }) - maximum
    var removed = 0
    while excess > 0 {
      let count = try remove(&connection, reason: "number", rows: min(excess, rowsPerStatement), where: "true")
      if count == 0 { break }
      removed += count
      excess -= count
    }
    return removed
  }

  /// Removes the oldest rows that `condition` holds for, and counts them.
  private static func remove(
    _ connection: inout PostgresConnection, reason: String, rows: Int, where condition: String
  ) throws(EventStoreError) -> Int {
    let result = try connection.run(
      """
      WITH doomed AS (
        SELECT app_id, sha256 FROM pagefall.rejected WHERE \(condition) ORDER BY kept_since LIMIT $2
        FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM pagefall.rejected r USING doomed d WHERE r.app_id = d.app_id AND r.sha256 = d.sha256
        RETURNING r.app_id, r.code
      ), counted AS (
        INSERT INTO pagefall.rejected_removed AS c (app_id, code, reason, rows)
        SELECT app_id, code, $1, count(*) FROM gone GROUP BY app_id, code ORDER BY app_id, code
        ON CONFLICT (app_id, code, reason) DO UPDATE SET rows = c.rows + EXCLUDED.rows
      )
      SELECT count(*) FROM gone
      """, [.text(reason), .int64(Int64(rows))])
    return Int(try decoding { () throws(PostgresError) -> Int64 in try result[0, 0] })
  }
}
