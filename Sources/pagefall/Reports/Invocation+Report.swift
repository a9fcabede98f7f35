import Postgres
import Reports

extension Invocation {
  /// Reads a report from the database.
  func report<Report>(
    _ read: (inout PostgresConnection) throws(ReportError) -> Report
  ) throws(CommandError) -> Report {
    let access = try DatabaseAccess.open(self, for: .reading)
    var connection = try access.connect()
    do {
      return try read(&connection)
    } catch {
      throw ReportFailure.commandError(error)
    }
  }
}
