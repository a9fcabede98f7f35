import LocalTime
import Postgres

/// The statement that delivers the sessions of a scope, one row each: what is known about the session, and its events
/// packed in one value.
///
/// The tables are joined on `session_id` alone, and no order is asked for, so each part of a distributed table can answer for
/// itself.
package enum SessionQuery {
  /// The name of each column, in order. From `appID` on, the columns are the same for all sessions that count alike.
  enum Column: Int, CaseIterable {
    case events, startPageDurations, startedAt
    case appID, storyID, environment, hasSuspectClock, group
  }

  /// One event of the packed value: three numbers of 8 bytes, big-endian.
  ///
  /// The first holds `seq`, type and page (index or count, 0…1000); the second is the device's time, in microseconds since
  /// 2000; the third is the duration in seconds, NaN for none.
  enum PackedEvent {
    static let byteCount = 24
    static let bitsOfNumber = 10
    static let bitsOfType = 5
  }

  /// The statement for a scope.
  ///
  /// - Parameter appIDs: the apps of the scope; nil for all.
  /// - Throws: `.usage` where a text cannot stand in SQL.
  static func sql(
    _ scope: ReportScope, appIDs: [Int32]?, _ access: SessionAccess
  ) throws(PostgresError) -> String {
    """
    COPY (
      SELECT packed.events, packed.start_page_durations, s.started_at,
        s.app_id, s.story_id, s.environment, (s.flags & 1) = 1 AS has_suspect_clock,
        \(try group(scope.groupBy)) AS group_name
      FROM \(joined(access))
      WHERE \(try conditions(scope, appIDs: appIDs).joined(separator: " AND "))
    ) TO STDOUT (FORMAT binary)
    """
  }

  private static func joined(_ access: SessionAccess) -> String {
    switch access {
    case .bySession:
      // Cannot be turned into anything but one look into the key for each session.
      """
      pagefall.sessions s CROSS JOIN LATERAL (
        SELECT \(packedEvents) FROM pagefall.stored_events e WHERE e.session_id = s.session_id) packed
      """
    case .inKeyOrder:
      // Both sides say that they are in the order of the key, so that they are merged and neither is sorted or hashed.
      """
      (SELECT * FROM pagefall.sessions ORDER BY session_id OFFSET 0) s JOIN (
        SELECT e.session_id, \(packedEvents) FROM pagefall.stored_events e
        GROUP BY e.session_id ORDER BY e.session_id) packed USING (session_id)
      """
    }
  }

  private static let packedEvents = """
    string_agg(
      int8send(
        e.seq::bigint << \(PackedEvent.bitsOfNumber + PackedEvent.bitsOfType)
        | (e.type::bigint << \(PackedEvent.bitsOfNumber))
        | coalesce(e.page_index, e.page_count, 0)::bigint)
      || timestamptz_send(e.at) || float8send(coalesce(e.duration, 'NaN')), '') AS events,
    -- Arrays compare by their first element, so this is the first start's, with its seq in front.
    min(e.seq::double precision || e.page_durations)
      FILTER (WHERE e.page_durations IS NOT NULL) AS start_page_durations
    """

  /// What sessions of the scope have in common; never empty.
  package static func conditions(_ scope: ReportScope, appIDs: [Int32]?) throws(PostgresError) -> [String] {
    var conditions = ["true"]
    if let appIDs {
      conditions.append("s.app_id = ANY ('{\(appIDs.map(String.init).joined(separator: ","))}'::integer[])")
    }
    switch scope.story {
    case .all: break
    case .withoutStory: conditions.append("s.story_id IS NULL")
    case .named(let name): conditions.append("s.story_id = \(try SQLText.literal(name))")
    }
    if let from = scope.range.fromMicroseconds { conditions.append("s.started_at >= \(instant(from))") }
    if let to = scope.range.toMicroseconds { conditions.append("s.started_at < \(instant(to))") }
    return conditions
  }

  /// A literal rather than an expression, so that the planner can use it.
  ///
  /// The first local day of year 1 begins before that year where clocks are ahead of UTC, and PostgreSQL reads no year 0.
  package static func instant(_ microseconds: Int64) -> String {
    microseconds < firstInstantMicroseconds
      ? "'-infinity'::timestamptz"
      : "'\(TimestampText.rfc3339(microseconds, in: .utc))'::timestamptz"
  }

  /// 0001-01-01T00:00:00Z.
  private static let firstInstantMicroseconds: Int64 = -62_135_596_800_000_000

  /// The value that groups are made by; periods of time are made from `started_at`, in the report's zone.
  private static func group(_ field: GroupField?) throws(PostgresError) -> String {
    switch field {
    case .context(let field): "s.\(try SQLText.identifier(field.name))"
    case .property(let name): "s.properties ->> \(try SQLText.literal(name))"
    case .app, .time, nil: "NULL::text"
    }
  }
}
