import Postgres

extension RejectedStore {
  /// How far a replay has come: behind which row the next page begins, in the order of arrival.
  public struct Cursor: Equatable, Sendable {
    /// When the replay began, by the database's clock: what is kept since then is not part of it.
    let begunAt: PostgresTimestamp
    /// Only these; nil: all that the filter means.
    let keys: [RejectedKey]?
    var firstReceivedAt = PostgresTimestamp.negativeInfinity
    var appID: Int32 = 0
    var place: Int64 = .min
    var sha256: [UInt8] = []
  }

  /// Rows and bytes of a page; one body may lie beyond.
  private static let pageRows: Int64 = 1000
  private static let pageBytes: Int64 = 4 * 1024 * 1024

  /// The beginning of a replay.
  ///
  /// - Parameter keys: only these; nil: all that the filter will mean.
  public static func begin(
    keys: [RejectedKey]?, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> Cursor {
    let result = try connection.run("SELECT clock_timestamp()")
    return try decoding { () throws(PostgresError) -> Cursor in Cursor(begunAt: try result[0, 0], keys: keys) }
  }

  /// The next rows with their bodies, in the order of their first arrival, and within a request in its order, so that a
  /// session's first event fixes what it would have fixed then (contract §3). Empty at the end.
  ///
  /// About 4 MiB, and one body more at the most; nothing is held in the database between two pages.
  public static func nextPage(
    _ filter: RejectedFilter, _ cursor: inout Cursor, _ connection: inout PostgresConnection
  ) throws(EventStoreError) -> [RejectedBody] {
    let keys = cursor.keys
    let result = try connection.run(
      """
      SELECT \(RejectedEntry.columns), r.body
      FROM (
        SELECT p.*, sum(octet_length(p.body)) OVER (
            ORDER BY p.first_received_at, p.app_id, COALESCE(p.place, -1), p.sha256 ROWS UNBOUNDED PRECEDING)
          - octet_length(p.body) AS bytes_before
        FROM (
          SELECT r.* FROM pagefall.rejected r
          WHERE \(RejectedFilter.condition) AND r.kept_since <= $5 AND r.first_received_at >= $6
            AND (r.first_received_at, r.app_id, COALESCE(r.place, -1), r.sha256) > ($6, $7::int4, $8::int8, $9::bytea)
            AND ($10::int4[] IS NULL
              OR (r.app_id, r.sha256) IN (SELECT k.app_id, k.sha256 FROM unnest($10, $11::bytea[]) AS k(app_id, sha256)))
          ORDER BY r.first_received_at, r.app_id, COALESCE(r.place, -1), r.sha256 LIMIT $12) p) r
      JOIN pagefall.apps a USING (app_id)
      WHERE r.bytes_before < $13
      ORDER BY r.first_received_at, r.app_id, COALESCE(r.place, -1), r.sha256
      """,
      filter.parameters + [
        .timestamp(cursor.begunAt), .timestamp(cursor.firstReceivedAt), .int32(cursor.appID), .int64(cursor.place),
        .bytes(cursor.sha256), keys.map { .int32Array($0.map(\.appID)) } ?? .null,
        keys.map { .bytesArray($0.map(\.sha256)) } ?? .null, .int64(pageRows), .int64(pageBytes),
      ])
    let page = try decoding { () throws(PostgresError) -> [RejectedBody] in
      var page: [RejectedBody] = []
      for row in 0..<result.rowCount {
        page.append(RejectedBody(entry: try RejectedEntry(result, row: row), bytes: try result[row, 13]))
      }
      return page
    }
    if let last = page.last?.entry {
      cursor.firstReceivedAt = PostgresTimestamp(microsecondsSince1970: last.firstReceivedAtMicroseconds)
      cursor.appID = last.key.appID
      cursor.place = last.place ?? -1
      cursor.sha256 = last.key.sha256
    }
    return page
  }

  /// Takes rows out, whose events are stored now. Those that are gone already are no fault.
  public static func remove(_ keys: [RejectedKey], _ connection: inout PostgresConnection) throws(EventStoreError) {
    if keys.isEmpty { return }
    // Locked in the order of the key, as everybody does.
    try connection.run(
      """
      WITH locked AS (
        SELECT r.app_id, r.sha256 FROM pagefall.rejected r
        JOIN unnest($1::int4[], $2::bytea[]) AS k(app_id, sha256) USING (app_id, sha256)
        ORDER BY r.app_id, r.sha256 FOR UPDATE OF r)
      DELETE FROM pagefall.rejected r USING locked l WHERE r.app_id = l.app_id AND r.sha256 = l.sha256
      """, [.int32Array(keys.map(\.appID)), .bytesArray(keys.map(\.sha256))])
  }

  /// Says of rows that stay why they do now; nothing else of them changes.
  public static func update(
    _ reasons: [(key: RejectedKey, reason: RejectedReason)], _ connection: inout PostgresConnection
  ) throws(EventStoreError) {
    if reasons.isEmpty { return }
    try connection.run(
      """
      WITH locked AS (
        SELECT r.app_id, r.sha256, k.code, k.field, k.message FROM pagefall.rejected r
        JOIN unnest($1::int4[], $2::bytea[], $3::text[], $4::text[], $5::text[]) AS k(app_id, sha256, code, field, message)
          USING (app_id, sha256)
        ORDER BY r.app_id, r.sha256 FOR UPDATE OF r)
      UPDATE pagefall.rejected r SET code = l.code, field = l.field, message = l.message
      FROM locked l WHERE r.app_id = l.app_id AND r.sha256 = l.sha256
      """,
      [
        .int32Array(reasons.map(\.key.appID)), .bytesArray(reasons.map(\.key.sha256)),
        .textArray(reasons.map(\.reason.code)), .textArray(reasons.map(\.reason.field)),
        .textArray(reasons.map(\.reason.message)),
      ])
  }

  /// Whether this role has every right that a replay may need of tables: the part of `pagefall.grant_ingest` that storing,
  /// setting reasons and taking rows out stands on. A refusal in between would leave a replay half done.
  public static func mayReplay(_ connection: inout PostgresConnection) throws(EventStoreError) -> Bool {
    let result = try connection.run(
      """
      SELECT bool_and(has_table_privilege('pagefall.' || v.name, r.access_right)) FROM (VALUES
        ('migrations', 'SELECT'), ('settings', 'SELECT'), ('stored_events', 'SELECT, INSERT'),
        ('apps', 'SELECT, INSERT, UPDATE'), ('sessions', 'SELECT, INSERT, UPDATE'),
        ('story_pages', 'SELECT, INSERT, UPDATE'), ('event_fates', 'SELECT, INSERT, UPDATE'),
        ('changes', 'SELECT, INSERT, UPDATE'), ('stored_batches', 'INSERT'), ('spools', 'SELECT, INSERT, UPDATE, DELETE'),
        ('rejected', 'SELECT, INSERT, UPDATE, DELETE')) AS v(name, rights)
        CROSS JOIN LATERAL unnest(string_to_array(v.rights, ', ')) AS r(access_right)
      """)
    return try decoding { () throws(PostgresError) -> Bool in try result[0, 0] }
  }
}
