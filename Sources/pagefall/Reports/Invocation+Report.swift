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

  /// How many lines `--limit` shows; nil shows all.
  func lineLimit(_ option: Option) throws(CommandError) -> Int? {
    try value(option, as: "a number from 1 on") { ValueParser.integer($0, in: 1...Int.max) }
  }

  /// The order that `--sort` asks for; nil where it is not given.
  func lineOrder<Order>(
    _ option: Option, _ read: (String) throws(ReportError) -> Order
  ) throws(CommandError) -> Order? {
    guard let column = value(option) else { return nil }
    do {
      return try read(column)
    } catch {
      throw ReportFailure.commandError(error)
    }
  }
}
