import LocalTime
import Postgres
import PrintedText
import Reports

/// When and why the events of a day changed, as the database kept account of it.
package struct ChangeHistory: Sendable {
  /// What changed in one hour by one reason.
  package struct Entry: Equatable, Sendable {
    /// The hour of the transactions, as its first instant in RFC 3339, in the day's zone.
    package var hour: String
    /// Why.
    package var reason: ChangeReason
    /// How much.
    package var count: ChangeCount
  }

  /// `2026-11-29`.
  package let day: String
  /// The zone's name.
  package let zone: String
  /// The first instant of the day, RFC 3339 in the zone.
  package let from: String
  /// The first instant that is no longer of the day, likewise.
  package let to: String
  /// The names of the apps that were asked for; empty for all.
  package let apps: [String]
  /// In the order of time.
  package let entries: [Entry]
  /// Sessions that are stored by this account.
  package let storedSessions: Int64
  /// Events that are stored by this account.
  package let storedEvents: Int64

  /// Reads the history of a local day.
  ///
  /// - Throws: `ExportError`: `.usage` for an app that is not there; `.database`.
  package init(
    of date: CivilDate, in zone: ReportTimeZone, apps: [String], _ connection: inout PostgresConnection
  ) throws(ExportError) {
    let exported = ExportDay(date, in: zone)
    day = exported.text
    self.zone = zone.name
    from = TimestampText.rfc3339(exported.fromMicroseconds, in: zone)
    to = TimestampText.rfc3339(exported.toMicroseconds, in: zone)
    self.apps = apps
    let (entries, stored) = try connection.snapshot { (connection) throws(ExportError) in
      let appIDs = try AppDirectory.read(apps, &connection).appIDs
      let account = try ChangeAccount(exported, appIDs: appIDs, &connection)
      return (try Self.entries(exported, appIDs, &connection), account.position(of: date).stored)
    }
    self.entries = entries
    storedSessions = stored.sessions
    storedEvents = stored.events
  }

  private static func entries(
    _ day: ExportDay, _ appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws(ExportError) -> [Entry] {
    var entries: [Entry] = []
    try connection.forEachExportRow(
      """
      SELECT changed_hour, reason, sum(sessions)::bigint, sum(events)::bigint FROM pagefall.changes
      WHERE ($1::integer[] IS NULL OR app_id = ANY ($1))
        AND quarter > \(SessionQuery.instant(day.fromMicroseconds - ChangeAccount.quarterMicroseconds))
        AND quarter < \(SessionQuery.instant(day.toMicroseconds))
      GROUP BY changed_hour, reason ORDER BY changed_hour, reason
      """, [appIDs.map { .int32Array($0) } ?? .null]
    ) { (row) throws(ExportError) in
      let hour: PostgresTimestamp
      let name: String
      let count: ChangeCount
      do throws(PostgresError) {
        hour = try row[0]
        name = try row[1]
        count = ChangeCount(sessions: try row[2], events: try row[3])
      } catch {
        throw ExportError(error)
      }
      entries.append(
        Entry(
          hour: TimestampText.rfc3339(hour.microsecondsSince1970, in: day.zone), reason: try ChangeReason(stored: name),
          count: count))
    }
    return entries
  }
}
