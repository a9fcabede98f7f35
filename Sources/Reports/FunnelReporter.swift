import Postgres

/// Makes funnels out of what is stored.
public enum FunnelReporter {
  /// Reads the scope's sessions and counts them, in one read-only snapshot; blocks until it is done.
  ///
  /// Takes time in proportion to the events of the scope, and memory in proportion to groups × pages. Works through
  /// PgBouncer in transaction mode.
  ///
  /// - Parameters:
  ///   - connection: idle, and with the schema of this version.
  ///   - nowMicroseconds: when the report is made, in microseconds since 1970.
  /// - Throws: `.usage` for an app or story that is not there; `.database`; `.conservation`.
  public static func run(
    _ scope: ReportScope, on connection: inout PostgresConnection, nowMicroseconds: Int64
  ) throws(ReportError) -> Funnel {
    try ReportSnapshot.read(&connection) { connection in
      try FunnelReading(scope, &connection).funnel(nowMicroseconds: nowMicroseconds, &connection)
    }
  }
}
