import FunnelDocument
import Postgres

/// What is known about lost events beside the sessions themselves (metrics §4): per app, since it cannot be told which
/// session a lost or refused event was of.
package struct LostEvents {
  /// Events that devices say they had to give up: the highest total of each device, by app. Devices say no time.
  package private(set) var dropped: [Int32: Int] = [:]
  /// Rejected events first received in the range, by app and reason.
  package private(set) var rejected: [Int32: [String: Int]] = [:]

  /// Reads them.
  ///
  /// - Parameter appIDs: the apps of the scope; nil for all.
  package init(
    _ scope: ReportScope, appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    let apps: PostgresValue = appIDs.map { .int32Array($0) } ?? .null
    let drops = try connection.execute(
      """
      SELECT app_id, sum(dropped_events_total)::bigint FROM pagefall.device_drops
      WHERE $1::integer[] IS NULL OR app_id = ANY ($1) GROUP BY app_id
      """, [apps])
    for row in 0..<drops.rowCount { dropped[try drops[row, 0]] = try drops[row, 1] as Int }
    let rejections = try connection.execute(
      """
      SELECT app_id, code, count(*) FROM pagefall.rejected
      WHERE ($1::integer[] IS NULL OR app_id = ANY ($1))
        AND first_received_at >= \(scope.range.fromMicroseconds.map(SessionQuery.instant) ?? "'-infinity'")
        AND first_received_at < \(scope.range.toMicroseconds.map(SessionQuery.instant) ?? "'infinity'")
      GROUP BY app_id, code
      """, [apps])
    for row in 0..<rejections.rowCount {
      let app: Int32 = try rejections[row, 0]
      rejected[app, default: [:]][try rejections[row, 1]] = try rejections[row, 2] as Int
    }
  }

  /// All of them, beside so many sessions of a surface other than stories whose clock cannot be right.
  func losses(suspectClockSessions: Int) -> SurfaceLosses {
    var completeness = Completeness()
    add(to: &completeness)
    return SurfaceLosses(
      suspectClockSessions: suspectClockSessions, droppedByDevices: completeness.droppedByDevices,
      rejectedEvents: completeness.rejectedEvents)
  }

  /// Adds those of some apps to a completeness.
  package func add(to completeness: inout Completeness, where isWanted: (Int32) -> Bool = { _ in true }) {
    for (app, events) in dropped where isWanted(app) { completeness.droppedByDevices += events }
    for (app, reasons) in rejected where isWanted(app) {
      completeness.rejectedEvents.merge(reasons, uniquingKeysWith: +)
    }
  }
}
