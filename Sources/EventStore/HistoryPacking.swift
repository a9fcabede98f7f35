import Postgres

/// Packs the histories of sessions that are in the database and quiet, the newest first, in slices that each are a transaction.
///
/// Loaders wait while a slice is packed, so that none adds an event meanwhile that the history would lack: the database ends
/// a slice after a tenth of a second, and after each as much time is left to the loaders.
enum HistoryPacking {
  /// A session is left alone for so long after its first event arrived: it would get others, and lose its history again.
  static let quiet = Duration.seconds(600)
  /// How long one round goes on; the next one continues.
  private static let maximumDuration = Duration.seconds(300)
  /// Sessions in a slice at the most; those of few events are packed at 20,000 a second.
  private static let sliceSize = 2000

  /// Packs until nothing is left to pack, or time is up, or `maximumSessions` were looked at.
  ///
  /// - Returns: how many sessions were looked at.
  @discardableResult
  static func run(
    _ connection: inout PostgresConnection, quiet: Duration = quiet, maximumSessions: Int = .max
  ) throws(EventStoreError) -> Int {
    let clock = ContinuousClock()
    let begin = clock.now
    var sessions = 0
    while sessions < maximumSessions, clock.now - begin < maximumDuration, try hasWork(&connection, quiet) {
      let sliceBegin = clock.now
      let most = min(sliceSize, maximumSessions - sessions)
      guard let packed = try pack(&connection, most: most, quiet) else { break }
      sessions += packed
      // A statement rather than a sleep, so that whoever interrupts the connection ends it.
      try connection.run("SELECT pg_sleep($1)", [.double((clock.now - sliceBegin) / .seconds(1))])
    }
    return sessions
  }

  /// Looked at without the lock: mostly there is nothing to do, and then nobody waits.
  private static func hasWork(
    _ connection: inout PostgresConnection, _ quiet: Duration
  ) throws(EventStoreError) -> Bool {
    let result = try connection.run(
      """
      SELECT EXISTS (
        SELECT FROM pagefall.sessions s
        WHERE s.history IS NULL AND (s.flags & 2) = 0 AND s.arrived_at < now() - make_interval(secs => $1))
      """, [.double(quiet / .seconds(1))])
    return try decoding { () throws(PostgresError) -> Bool in try result[0, 0] }
  }

  /// - Returns: how many sessions were looked at; nil where loaders held the lock for too long.
  private static func pack(
    _ connection: inout PostgresConnection, most: Int, _ quiet: Duration
  ) throws(EventStoreError) -> Int? {
    do throws(EventStoreError) {
      return try connection.inTransaction { (connection) throws(EventStoreError) in
        let result = try connection.run(
          "SELECT pagefall.pack_histories($1, make_interval(secs => $2))",
          [.int32(Int32(most)), .double(quiet / .seconds(1))])
        return Int(try decoding { () throws(PostgresError) -> Int32 in try result[0, 0] })
      }
    } catch {
      guard case .database(let failure) = error, failure.sqlState == .lockNotAvailable else { throw error }
      return nil
    }
  }
}
