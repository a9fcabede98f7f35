/// What became of an accepted event: each ends with exactly one of these, and each is counted (contract §2).
public enum EventFate: String, CaseIterable, Sendable {
  /// A row of `events`.
  case stored
  /// The same event was there before.
  case duplicate
  /// Another event with its `(session_id, seq)` was there before; kept as rejected.
  case conflictingDuplicate = "conflicting_duplicate"
  /// Its session belongs to another app; kept as rejected.
  case foreignSession = "foreign_session"
  /// Older than the retention line, or erased.
  case expired
  /// PostgreSQL refused the row; kept as rejected.
  case refusedByDatabase = "refused_by_database"
}
