import PrivatePostgres

/// Runs SQL with the program `psql`.
enum Psql {
  /// The rows, a line each, columns parted by `|`; throws what the server says.
  static func run(_ sql: String, connectionString: String) throws -> String {
    let psql = try ServerFactory.shared.psql
    let output = try ChildProcess.run(
      [psql, "-X", "-A", "-t", "-q", "-v", "ON_ERROR_STOP=1", "-d", connectionString, "-c", sql],
      environment: ChildProcess.environment(adding: ["PGOPTIONS=-c client_min_messages=error"]), timeout: .seconds(60))
    var text = output.text
    while text.last?.isNewline == true { text.removeLast() }
    guard output.status == 0 else { throw TestSupportError("psql failed: \(text)") }
    return text
  }
}
