import LocalTime
import Postgres
import Reports

/// What `pagefall.changes` says, gathered by local days: where the account of each day stands.
struct ChangeAccount {
  /// Which database this is; a copy restored from a backup says the same.
  let databaseID: String
  /// The days that anything was ever stored for.
  private(set) var positions: [CivilDate: ChangePosition] = [:]

  /// The account is kept by quarters of an hour, because every zone's days begin on one (or did since clocks were made to
  /// agree; a quarter that lies in two days counts in both).
  static let quarterMicroseconds: Int64 = 900_000_000

  /// An account as it is given.
  init(databaseID: String, positions: [CivilDate: ChangePosition]) {
    self.databaseID = databaseID
    self.positions = positions
  }

  /// Reads the account of all days.
  ///
  /// - Parameter appIDs: the apps that count; nil for all.
  init(_ zone: ReportTimeZone, appIDs: [Int32]?, _ connection: inout PostgresConnection) throws(ExportError) {
    try self.init(from: nil, to: nil, zone, appIDs: appIDs, &connection)
  }

  /// Reads the account of one day.
  ///
  /// - Parameter appIDs: the apps that count; nil for all.
  init(_ day: ExportDay, appIDs: [Int32]?, _ connection: inout PostgresConnection) throws(ExportError) {
    try self.init(
      from: day.fromMicroseconds, to: day.toMicroseconds, day.zone, appIDs: appIDs, &connection)
  }

  /// Where the account of a day stands.
  func position(of date: CivilDate) -> ChangePosition { positions[date] ?? ChangePosition() }

  /// Reads the account of the days within a time; nil bounds are none. Days that reach beyond are read in part.
  init(
    from: Int64?, to: Int64?, _ zone: ReportTimeZone, appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws(ExportError) {
    databaseID = try reading { () throws(PostgresError) in try Self.databaseID(&connection) }
    var days = LocalDays(zone)
    try connection.forEachExportRow(
      """
      SELECT quarter, reason, sum(sessions)::bigint, sum(events)::bigint, sum(mark)::bigint FROM pagefall.changes
      WHERE ($1::integer[] IS NULL OR app_id = ANY ($1))
        AND quarter > \(from.map { SessionQuery.instant($0 - Self.quarterMicroseconds) } ?? "'-infinity'")
        AND quarter < \(to.map(SessionQuery.instant) ?? "'infinity'")
      GROUP BY quarter, reason
      """, [appIDs.map { .int32Array($0) } ?? .null]
    ) { (row) throws(ExportError) in
      let begin: Int64
      let name: String
      let count: ChangeCount
      let mark: Int64
      do throws(PostgresError) {
        begin = (try row[0] as PostgresTimestamp).microsecondsSince1970
        name = try row[1]
        count = ChangeCount(sessions: try row[2], events: try row[3])
        mark = try row[4]
      } catch {
        throw ExportError(error)
      }
      let reason = try ChangeReason(stored: name)
      let first = days.date(atMicroseconds: begin)
      let last = days.date(atMicroseconds: begin + Self.quarterMicroseconds - 1)
      positions[first, default: ChangePosition()].add(count, for: reason, mark: mark)
      if last != first { positions[last, default: ChangePosition()].add(count, for: reason, mark: mark) }
    }
  }

  private static func databaseID(_ connection: inout PostgresConnection) throws(PostgresError) -> String {
    try connection.execute("SELECT database_id::text FROM pagefall.settings")[0, 0]
  }
}
