import Postgres
import PrivatePostgres

/// Turns what the database modules throw into one line and exit code 3.
enum DatabaseFailure {
  /// The line for an error of `Postgres`, `PrivatePostgres` or the store; anything else is told as it describes itself.
  static func commandError(_ error: any Error) -> CommandError {
    switch error {
    case let error as CommandError:
      return error
    case let error as PostgresError where error.kind == .connection || error.kind == .timeout:
      return .environment("\(error.description); check --database, PAGEFALL_DATABASE and the PG* variables")
    case let error as PostgresError where error.sqlState == .insufficientPrivilege:
      return .environment("\(error.description); the owner grants it: SELECT pagefall.grant_report('ROLE')")
    case PrivatePostgresError.noCluster(let path):
      return .environment(
        "no database: looked for a private one in \(path), and neither --database, PAGEFALL_DATABASE, PGHOST, "
          + "PGHOSTADDR, PGSERVICE nor PGDATABASE names another")
    default:
      return .environment("\(error)")
    }
  }
}
