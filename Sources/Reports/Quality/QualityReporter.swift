import Postgres

/// Makes reports on the quality of what is stored.
public enum QualityReporter {
  /// Reads the scope's sessions once, and what else is known of lost events, in one read-only snapshot; blocks until it is
  /// done. Where the range touches yesterday, the sessions of the 30 days before are read as well.
  ///
  /// Takes time in proportion to the events of the scope; its memory is bounded. Works through PgBouncer in transaction
  /// mode.
  ///
  /// - Parameters:
  ///   - connection: idle, and with the schema of this version.
  ///   - nowMicroseconds: when the report is made, in microseconds since 1970.
  /// - Throws: `.usage` for an app or story that is not there; `.database`; `.conservation`.
  public static func run(
    _ scope: ReportScope, on connection: inout PostgresConnection, nowMicroseconds: Int64
  ) throws(ReportError) -> QualityReport {
    try ReportSnapshot.read(&connection) { connection in
      try QualityReading(scope, nowMicroseconds: nowMicroseconds, &connection).report(&connection)
    }
  }
}
