import Postgres

/// Makes reports of the stories in use out of what is stored.
public enum StoriesReporter {
  /// Reads the scope's sessions and counts them by app and story, in one read-only snapshot; blocks until it is done.
  ///
  /// Takes time in proportion to the events of the scope, and memory in proportion to stories × days, and to devices where
  /// they are counted.
  ///
  /// - Parameters:
  ///   - scope: which sessions; its groups are not looked at.
  ///   - order: the order of the stories.
  ///   - limit: the most stories that are shown; all are counted.
  ///   - connection: idle, and with the schema of this version.
  ///   - nowMicroseconds: when the report is made, in microseconds since 1970.
  /// - Throws: `.usage` for an app or story that is not there, or for more than 10,000 stories; `.database`; `.conservation`.
  public static func run(
    _ scope: ReportScope, order: StoriesOrder = StoriesOrder(), limit: Int? = nil,
    on connection: inout PostgresConnection, nowMicroseconds: Int64
  ) throws(ReportError) -> StoriesReport {
    try ReportSnapshot.read(&connection) { connection in
      try StoriesReading(scope, &connection).report(order, limit: limit, nowMicroseconds: nowMicroseconds, &connection)
    }
  }
}
