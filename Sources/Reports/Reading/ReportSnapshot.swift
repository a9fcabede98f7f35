import Postgres

/// The snapshot that a report is read in: nothing that is stored meanwhile can make its numbers contradict each other.
package enum ReportSnapshot {
  /// Reads in one read-only transaction, and turns what goes wrong into a `ReportError`.
  package static func read<Report>(
    _ connection: inout PostgresConnection, _ body: (inout PostgresConnection) throws -> Report
  ) throws(ReportError) -> Report {
    do {
      return try connection.transaction(isolation: .repeatableRead, readOnly: true) { connection in
        // Compiling the statement costs more than it saves.
        try connection.execute("SET LOCAL jit = off")
        return try body(&connection)
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
