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
    do {
      return try connection.transaction(isolation: .repeatableRead, readOnly: true) { connection in
        // Compiling the statement costs more than it saves.
        try connection.execute("SET LOCAL jit = off")
        // Each month's events are counted by themselves, so the months need no merging before.
        try connection.execute("SET LOCAL enable_partitionwise_aggregate = on")
        return try FunnelReading(scope, &connection).funnel(nowMicroseconds: nowMicroseconds, &connection)
      }
    } catch let error as ReportError {
      throw error
    } catch let error as PostgresError {
      throw .database(error)
    } catch is CopyRowReader.Damaged {
      throw ReportError(
        .database, "the database sent a row that this version cannot read; migrate it, or update pagefall")
    } catch {
      throw ReportError(.database, "the report could not be read: \(error)")
    }
  }
}
