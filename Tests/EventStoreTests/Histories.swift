import TestSupport
import Testing

/// Expects every history to be all stored events of its session, or null: an entry for each event, and durations of pages once.
/// The entries are taken apart in SQL of the test's own and compared with the rows, not with what `packed_history` makes.
func expectHistories(_ database: TestDatabase, sourceLocation: SourceLocation = #_sourceLocation) throws {
  let differences = try database.psql(
    """
    WITH RECURSIVE entries AS (
      SELECT session_id, history AS rest, NULL::bigint AS code, NULL::bytea AS value FROM pagefall.sessions
      WHERE history IS NOT NULL
      UNION ALL
      SELECT session_id, substr(rest, 9 + size), c, substr(rest, 9, size)
      FROM (SELECT *, ('x' || encode(substr(rest, 1, 8), 'hex'))::bit(64)::bigint AS c FROM entries) e
      CROSS JOIN LATERAL (SELECT CASE WHEN c >> 10 & 31 = 31 THEN 8 * (c & 1023)::integer ELSE 16 END AS size) s
      WHERE octet_length(rest) > 0
    ), packed AS (
      SELECT session_id, code, value FROM entries WHERE code IS NOT NULL
    ), present AS (
      SELECT e.session_id,
        e.seq::bigint * 32768 + e.type * 1024 + coalesce(CASE e.type WHEN 1 THEN e.page_count ELSE e.page_index END, 0) AS code,
        timestamptz_send(e.at) || float8send(coalesce(e.duration, 'NaN')) AS value
      FROM pagefall.stored_events e JOIN pagefall.sessions s USING (session_id) WHERE s.history IS NOT NULL
      UNION ALL
      (SELECT DISTINCT ON (e.session_id) e.session_id,
        e.seq::bigint * 32768 + 31 * 1024 + cardinality(e.page_durations),
        (SELECT string_agg(float8send(coalesce(d, 'NaN')), '' ORDER BY place)
          FROM unnest(e.page_durations) WITH ORDINALITY AS v(d, place))
      FROM pagefall.stored_events e JOIN pagefall.sessions s USING (session_id)
      WHERE s.history IS NOT NULL AND e.page_durations IS NOT NULL
      ORDER BY e.session_id, e.seq)
    )
    SELECT 'packed', session_id, code, value FROM (TABLE packed EXCEPT ALL TABLE present) a
    UNION ALL
    SELECT 'stored', session_id, code, value FROM (TABLE present EXCEPT ALL TABLE packed) b
    UNION ALL
    SELECT 'function', session_id, octet_length(history), NULL FROM pagefall.sessions
    WHERE octet_length(history) <> octet_length(pagefall.packed_history(session_id))
    """)
  #expect(differences == "", sourceLocation: sourceLocation)
}

/// How many sessions there are, and how many of them have a history.
func packed(_ database: TestDatabase) throws -> String {
  try database.psql("SELECT count(*), count(history) FROM pagefall.sessions")
}
