import Foundation
import Postgres

/// Hands the terminal over to another program.
enum Foreground {
  /// Becomes psql on this database. A password goes by the environment: arguments can be read by everybody on the machine.
  static func becomePsql(_ options: ConnectionOptions, _ arguments: [String]) -> CommandError {
    let environment = options["password"].map { ["PGPASSWORD": $0] } ?? [:]
    let database = ["--dbname", options.connectionString(without: ["password"])]
    return become("psql", database + arguments, environment: environment)
  }

  /// Replaces this process by the program, found in PATH; returns only where that fails.
  static func become(_ program: String, _ arguments: [String], environment: [String: String]) -> CommandError {
    for (name, value) in environment { setenv(name, value, 1) }
    var pointers = ([program] + arguments).map { strdup($0) }
    pointers.append(nil)
    execvp(program, pointers)
    let reason = String(cString: strerror(errno))
    for pointer in pointers { free(pointer) }
    return .environment("cannot run \(program): \(reason); install PostgreSQL's client programs")
  }
}
