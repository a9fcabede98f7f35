import Postgres

/// Makes reports of answers to interactive notifications out of what is stored.
public enum ButtonsReporter {
  /// Reads the responses of the scope and counts them by category and button, in one read-only snapshot; blocks until it is done.
  ///
  /// Takes time in proportion to the responses, and memory in proportion to groups × buttons, which is bounded.
  ///
  /// - Parameters:
  ///   - scope: which sessions; devices are not counted.
  ///   - order: the order of the categories.
  ///   - limit: the most categories that are shown, in the total and in each group; all are counted.
  ///   - connection: idle, and with the schema of this version.
  ///   - nowMicroseconds: when the report is made, in microseconds since 1970.
  /// - Throws: `.usage` for an app or story that is not there, and for more categories, buttons or groups than can be counted;
  ///   `.database`; `.conservation`.
  public static func run(
    _ scope: ReportScope, order: ButtonsOrder = ButtonsOrder(), limit: Int? = nil,
    on connection: inout PostgresConnection, nowMicroseconds: Int64
  ) throws(ReportError) -> Buttons {
    try ReportSnapshot.read(&connection) { connection in
      try ButtonsReading(scope, &connection)
        .report(order, limit: limit, nowMicroseconds: nowMicroseconds, &connection)
    }
  }
}
