import Postgres
import Reports

/// How the events of a scope's sessions are found. It decides how long a report takes, never what it says.
enum SessionAccess {
  /// By the key, session by session: the work grows with the scope and not with what else is stored.
  case bySession
  /// All events in the order of their key: two thirds of the work for each event, but for all that are stored.
  case inKeyOrder

  /// The cheaper one, by how many of all sessions are in the scope.
  init(
    for scope: ReportScope, appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    guard scope.story != .all || scope.range != .allTime || appIDs != nil else {
      self = .inKeyOrder
      return
    }
    let conditions = try SessionQuery.conditions(scope, appIDs: appIDs).joined(separator: " AND ")
    let result = try connection.execute(
      """
      SELECT
        (SELECT count(*) FROM pagefall.sessions s WHERE \(conditions)),
        (SELECT coalesce(sum(pg_relation_size(inhrelid)), 0)::bigint FROM pg_inherits
          WHERE inhparent = 'pagefall.sessions'::regclass)
      """, timeout: .seconds(600))
    let sessionsInScope: Int64 = try result[0, 0]
    let bytesStored: Int64 = try result[0, 1]
    self = sessionsInScope * Self.typicalSessionBytes * 2 > bytesStored ? .inKeyOrder : .bySession
  }

  /// What a session takes in its table, roughly. Sizes are known at once, where counting all sessions takes a while, and the
  /// planner's own numbers are old or absent after a load.
  private static let typicalSessionBytes: Int64 = 180
}
