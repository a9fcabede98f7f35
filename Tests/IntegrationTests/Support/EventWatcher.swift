import Foundation
import Postgres

/// Looks, on a connection of its own, for the moment when an event becomes visible.
struct EventWatcher: ~Copyable {
  private var connection: PostgresConnection

  init(_ connectionString: String) throws { connection = try PostgresConnection(ConnectionOptions(connectionString)) }

  /// How long from now until an event of the session is there; at most a minute.
  mutating func wait(forSession session: String) throws -> Duration {
    let begin = ContinuousClock.now
    while ContinuousClock.now - begin < .seconds(60) {
      let result = try connection.execute("SELECT count(*) FROM events WHERE session_id::text = '\(session)'")
      let count: Int64 = try result.value(row: 0, column: 0)
      if count > 0 { break }
      usleep(5_000)
    }
    return ContinuousClock.now - begin
  }
}
