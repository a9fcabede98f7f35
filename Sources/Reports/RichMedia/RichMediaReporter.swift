import Postgres

/// Makes reports of rich media out of what is stored.
public enum RichMediaReporter {
  /// Reads the scope's sessions with events of rich media and counts them by app and content code, in one read-only snapshot;
  /// blocks until it is done.
  ///
  /// An index finds the sessions, so the many of stories cost nothing. Memory is in proportion to content codes, times groups.
  ///
  /// - Parameters:
  ///   - scope: which sessions, and their groups; devices are not counted.
  ///   - order: the order of the content codes.
  ///   - limit: the most content codes that are shown, also of each group; all are counted.
  ///   - connection: idle, and with the schema of this version.
  ///   - nowMicroseconds: when the report is made, in microseconds since 1970.
  /// - Throws: `.usage` for an app or story that is not there, for more than 10,000 content codes or groups, and for more than
  ///   100,000 content codes of groups; `.database`; `.conservation`.
  public static func run(
    _ scope: ReportScope, order: RichMediaOrder = RichMediaOrder(), limit: Int? = nil,
    on connection: inout PostgresConnection, nowMicroseconds: Int64
  ) throws(ReportError) -> RichMedia {
    try ReportSnapshot.read(&connection) { connection in
      try RichMediaReading(scope, &connection).report(
        order, limit: limit, nowMicroseconds: nowMicroseconds, &connection)
    }
  }
}
