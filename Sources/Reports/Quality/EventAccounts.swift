import LocalTime
import Postgres
import StoryEvents

/// What the database has counted of events by app: their fates, and those that were refused.
struct EventAccounts {
  private(set) var fates = ReceivedFates()
  private(set) var rejected: [RejectedReason] = []
  private(set) var removedRejections = 0
  /// The newest arrival among the apps of the scope, in microseconds since 1970; nil for none.
  private(set) var dataThroughMicroseconds: Int64?

  /// Reads them.
  ///
  /// - Parameter appIDs: the apps of the scope; nil for all.
  init(
    _ scope: ReportScope, apps: AppDirectory, appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    let wanted: PostgresValue = appIDs.map { .int32Array($0) } ?? .null
    try readFates(scope, apps, wanted, &connection)
    try readRejections(scope, apps, wanted, &connection)
    let newest = try connection.execute(
      "SELECT max(data_through) FROM pagefall.apps WHERE $1::integer[] IS NULL OR app_id = ANY ($1)", [wanted])
    dataThroughMicroseconds = (try newest[0, 0] as PostgresTimestamp?)?.microsecondsSince1970
  }

  /// Fates are counted by day of receipt in UTC alone: those days are taken that have the dates of the range's local days.
  private mutating func readFates(
    _ scope: ReportScope, _ apps: AppDirectory, _ wanted: PostgresValue, _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    var calendar = LocalDays(scope.timeZone)
    fates.firstDay = scope.range.fromMicroseconds.map { calendar.date(atMicroseconds: $0).text }
    fates.lastDay = scope.range.toMicroseconds.map { calendar.date(atMicroseconds: $0 &- 1).text }
    let result = try connection.execute(
      """
      SELECT app_id, fate, sum(events)::bigint FROM pagefall.event_fates
      WHERE ($1::integer[] IS NULL OR app_id = ANY ($1))
        AND received_day >= \(Self.day(fates.firstDay) ?? "'-infinity'")
        AND received_day <= \(Self.day(fates.lastDay) ?? "'infinity'")
      GROUP BY app_id, fate
      """, [wanted])
    var numbers: [Int32: FateNumbers] = [:]
    for row in 0..<result.rowCount {
      let app: Int32 = try result[row, 0]
      let events: Int = try result[row, 2]
      guard let fate = EventFate(rawValue: try result[row, 1]) else { continue }
      numbers[app, default: FateNumbers()].add(events, of: fate)
    }
    for (app, numbers) in numbers where numbers.accepted > 0 {
      fates.apps.append(AppFates(app: apps.name(of: app), numbers: numbers))
      fates.total += numbers
    }
    fates.apps.sort { $0.app < $1.app }
  }

  /// A date that PostgreSQL reads; nil for what lies before its calendar of AD.
  private static func day(_ text: String?) -> String? {
    guard let text, CivilDate(text: text) != nil else { return nil }
    return "'\(text)'::date"
  }

  /// The same conditions as those of `LostEvents` (metrics §4).
  private mutating func readRejections(
    _ scope: ReportScope, _ apps: AppDirectory, _ wanted: PostgresValue, _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    let result = try connection.execute(
      """
      SELECT app_id, code, count(*), sum(count)::bigint FROM pagefall.rejected
      WHERE ($1::integer[] IS NULL OR app_id = ANY ($1))
        AND first_received_at >= \(scope.range.fromMicroseconds.map(SessionQuery.instant) ?? "'-infinity'")
        AND first_received_at < \(scope.range.toMicroseconds.map(SessionQuery.instant) ?? "'infinity'")
      GROUP BY app_id, code
      """, [wanted])
    for row in 0..<result.rowCount {
      rejected.append(
        RejectedReason(
          app: apps.name(of: try result[row, 0]), code: try result[row, 1], events: try result[row, 2],
          times: try result[row, 3]))
    }
    rejected.sort { left, right in
      left.events != right.events ? left.events > right.events : (left.app, left.code) < (right.app, right.code)
    }
    let removed = try connection.execute(
      """
      SELECT coalesce(sum(rows), 0)::bigint FROM pagefall.rejected_removed
      WHERE $1::integer[] IS NULL OR app_id = ANY ($1)
      """, [wanted])
    removedRejections = try removed[0, 0]
  }
}

extension FateNumbers {
  fileprivate mutating func add(_ events: Int, of fate: EventFate) {
    switch fate {
    case .stored: stored += events
    case .duplicate: duplicates += events
    case .conflictingDuplicate: conflictingDuplicates += events
    case .foreignSession: foreignSessions += events
    case .expired: expired += events
    case .refusedByDatabase: refusedByDatabase += events
    }
  }
}
