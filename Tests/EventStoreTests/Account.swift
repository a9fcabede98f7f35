import TestSupport
import Testing

/// Expects of every app and quarter of an hour: what the account of changes says was added and removed makes what is there.
/// The quarters are reckoned in another way than the migration's.
func expectAccount(_ database: TestDatabase, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let differences = try database.psql(
    """
    WITH account AS (
      SELECT app_id, quarter,
        sum(sessions * CASE WHEN reason IN ('erased', 'retained') THEN -1 ELSE 1 END) AS sessions,
        sum(events * CASE WHEN reason IN ('erased', 'retained') THEN -1 ELSE 1 END) AS events
      FROM pagefall.changes WHERE reason <> 'context_filled' GROUP BY 1, 2
    ), present AS (
      SELECT s.app_id, date_bin('15 minutes', s.started_at, '0001-01-01 00:00:00Z') AS quarter, count(*) AS sessions,
        sum((SELECT count(*) FROM pagefall.stored_events e WHERE e.session_id = s.session_id)) AS events
      FROM pagefall.sessions s GROUP BY 1, 2
    )
    SELECT app_id, quarter, a.sessions, p.sessions, a.events, p.events
    FROM account a FULL JOIN present p USING (app_id, quarter)
    WHERE COALESCE(a.sessions, 0) <> COALESCE(p.sessions, 0) OR COALESCE(a.events, 0) <> COALESCE(p.events, 0)
    """)
  #expect(differences == "", sourceLocation: sourceLocation)
}

/// What the account says in all: a line a reason, with its sessions and events.
func account(_ database: TestDatabase) throws -> String {
  try database.psql(
    "SELECT reason, sum(sessions), sum(events) FROM pagefall.changes GROUP BY 1 ORDER BY 1")
}
