import Postgres
import StoryEvents

/// Which of a scope's sessions are read.
package enum SessionNarrowing: Sendable, Equatable {
  /// All of them.
  case all
  /// The one of this id, in its stored form.
  case one(PostgresUUID)
  /// Those with at least one event of these types, all of which are of rich media or notification responses: found by an index.
  case holding([EventType])
  /// At most so many, by their start, then by their id as it was sent, of those that have events and that the database lets
  /// through: not for a scope with conditions that only the judge decides.
  case first(Int, isOldestFirst: Bool)

  /// What follows FROM: the table `s` and its conditions. A history is only looked up for what is delivered.
  func source(_ conditions: [String]) -> String {
    let table = "pagefall.sessions s\n    WHERE \(conditions.joined(separator: "\n    AND "))"
    switch self {
    case .all: return table
    case .holding(let types):
      let numbers = types.map { String($0.rawValue) }.joined(separator: ", ")
      // It implies the condition of the index; said as well, that would be guessed to be rarer than it is.
      return """
        \(table)
            AND s.session_id IN (
              SELECT e.session_id FROM pagefall.stored_events e WHERE e.type IN (\(numbers)))
        """
    case .one(let id): return "\(table)\n    AND s.session_id = '\(id)'::uuid"
    case .first(let limit, let isOldestFirst):
      let direction = isOldestFirst ? "ASC" : "DESC"
      return """
        (
              SELECT * FROM \(table)
                AND (s.history IS NOT NULL
                  OR EXISTS (SELECT FROM pagefall.stored_events e WHERE e.session_id = s.session_id))
              ORDER BY s.started_at \(direction), pagefall.sent_session_id(s.session_id) \(direction) LIMIT \(limit)
            ) s
        """
    }
  }
}
