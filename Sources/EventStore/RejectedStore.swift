import Postgres
import StoryEvents

/// Reads `pagefall.rejected`, and takes out of it what a replay has stored.
///
///   RejectedFilter, RejectedHandle   which of them are meant
///   RejectedEntry                    what a row says
///   RejectedStore                    listing, counting, finding; +Replay: pages in order of arrival, and what becomes of them
///   RejectedReplay                   how `BatchStore` stores them
public enum RejectedStore {
  /// How many there are of a code.
  public struct Total: Equatable, Sendable {
    /// The code's name.
    public var code: String
    /// Different events.
    public var events: Int64
    /// How often they came, all together.
    public var times: Int64
  }

  /// The newest by their last receipt, and how many there are in all by code, largest first: both of one moment.
  ///
  /// - Parameter limit: rows at the most, from 1 on.
  public static func list(
    _ filter: RejectedFilter, limit: Int, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> (entries: [RejectedEntry], totals: [Total]) {
    do {
      return try connection.transaction(isolation: .repeatableRead, readOnly: true) { connection in
        let rows = try connection.run(
          """
          SELECT \(RejectedEntry.columns) FROM pagefall.rejected r LEFT JOIN pagefall.apps a USING (app_id)
          WHERE \(RejectedFilter.condition)
          ORDER BY r.last_received_at DESC, r.app_id, r.sha256 LIMIT $5
          """, filter.parameters + [.int64(Int64(limit))])
        return (try entries(rows), try totals(filter, &connection))
      }
    } catch {
      throw EventStoreError(wrapping: error)
    }
  }

  private static func totals(
    _ filter: RejectedFilter, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [Total] {
    let result = try connection.run(
      """
      SELECT r.code, count(*), sum(r.count)::int8 FROM pagefall.rejected r WHERE \(RejectedFilter.condition)
      GROUP BY r.code ORDER BY count(*) DESC, r.code
      """, filter.parameters)
    return try decoding { () throws(PostgresError) -> [Total] in
      var totals: [Total] = []
      for row in 0..<result.rowCount {
        totals.append(Total(code: try result[row, 0], events: try result[row, 1], times: try result[row, 2]))
      }
      return totals
    }
  }

  /// Those that a handle may mean, by app and SHA-256; more than one where it is too short or several apps sent the same
  /// bytes. A look into the key of each app.
  ///
  /// - Parameter limit: rows at the most.
  public static func find(
    _ handle: RejectedHandle, _ filter: RejectedFilter, limit: Int = 10, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [RejectedEntry] {
    let rows = try connection.run(
      """
      SELECT \(RejectedEntry.columns)
      FROM pagefall.apps a CROSS JOIN LATERAL (
        SELECT * FROM pagefall.rejected r
        WHERE r.app_id = a.app_id AND r.sha256 BETWEEN $5 AND $6 AND \(RejectedFilter.condition)
        ORDER BY r.sha256 LIMIT $7) r
      ORDER BY a.app_id, r.sha256 LIMIT $7
      """,
      filter.parameters + [.bytes(handle.lowest), .bytes(handle.highest), .int64(Int64(limit))])
    return try entries(rows)
  }

  /// An event's bytes; nil: it is not kept any more.
  public static func body(
    _ key: RejectedKey, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [UInt8]? {
    let result = try connection.run(
      "SELECT body FROM pagefall.rejected WHERE app_id = $1 AND sha256 = $2", [.int32(key.appID), .bytes(key.sha256)])
    if result.rowCount == 0 { return nil }
    return try decoding { () throws(PostgresError) -> [UInt8] in try result[0, 0] }
  }

  /// The names of all apps, sorted.
  public static func appNames(_ connection: inout PostgresConnection) throws(EventStoreError) -> [String] {
    let result = try connection.run("SELECT name FROM pagefall.apps ORDER BY name")
    return try decoding { () throws(PostgresError) -> [String] in
      var names: [String] = []
      for row in 0..<result.rowCount { names.append(try result[row, 0]) }
      return names
    }
  }

  static func entries(_ result: borrowing QueryResult) throws(EventStoreError) -> [RejectedEntry] {
    do throws(PostgresError) {
      var entries: [RejectedEntry] = []
      for row in 0..<result.rowCount { entries.append(try RejectedEntry(result, row: row)) }
      return entries
    } catch {
      throw .database(error)
    }
  }
}
