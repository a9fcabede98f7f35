import LocalTime
import Postgres

/// The statement that delivers the sessions of a scope, one row each: its history packed in one value, when it started, and
/// what the reader asked to know about it.
///
/// No order is asked for, and no table is joined, so each part of a distributed table can answer for itself.
package enum SessionQuery {
  /// Columns before those that the reader asked for: the history and the start.
  static let fixedColumnCount = 2

  /// The statement for a scope.
  ///
  /// - Parameters:
  ///   - appIDs: the apps of the scope; nil for all.
  ///   - columns: what to deliver of each session beside its history and its start, in this order.
  ///   - narrowing: which of the scope's sessions.
  /// - Throws: `.usage` where a text cannot stand in SQL.
  static func sql(
    _ scope: ReportScope, appIDs: [Int32]?, columns: [SessionColumn], narrowing: SessionNarrowing = .all
  ) throws(PostgresError) -> String {
    var expressions = ["coalesce(s.history, pagefall.packed_history(s.session_id))", "s.started_at"]
    for column in columns { expressions.append(try column.sql()) }
    return """
      COPY (
        SELECT \(expressions.joined(separator: ",\n    "))
        FROM \(narrowing.source(try conditions(scope, appIDs: appIDs)))
      ) TO STDOUT (FORMAT binary)
      """
  }

  /// What sessions of the scope have in common, as far as the database can decide it; never empty.
  package static func conditions(_ scope: ReportScope, appIDs: [Int32]?) throws(PostgresError) -> [String] {
    var conditions = ["true"]
    if let appIDs {
      conditions.append("s.app_id = ANY ('{\(appIDs.map(String.init).joined(separator: ","))}'::integer[])")
    }
    switch scope.story {
    case .all: break
    case .withoutStory: conditions.append("(s.story_id IS NULL OR s.story_id = '\(StorySelection.noneText)')")
    case .named(let name): conditions.append("s.story_id = \(try SQLText.literal(name))")
    }
    if let from = scope.range.fromMicroseconds { conditions.append("s.started_at >= \(instant(from))") }
    if let to = scope.range.toMicroseconds { conditions.append("s.started_at < \(instant(to))") }
    for condition in scope.conditions {
      if let sql = try condition.sql() { conditions.append(sql) }
    }
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
}
