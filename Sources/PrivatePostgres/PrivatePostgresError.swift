/// Why the private PostgreSQL cannot be used.
///
/// Each `description` is one line that says what to do. All of them are faults of the environment (exit code 3).
public enum PrivatePostgresError: Error, Sendable, Equatable {
  /// There is no cluster yet, and the caller must not make one.
  case noCluster(lookedIn: String)
  /// `initdb`, `pg_ctl` and `postgres` stand together in none of the places.
  case programsNotFound(lookedIn: [String])
  /// The cluster was made by a major version of which no programs are here.
  case otherVersion(directory: String, clusterVersion: String, installedVersions: [String])
  /// Something belongs to another user, or is closed to this one.
  case notPermitted(path: String, reason: String)
  /// Run by root, and no way was found to run the server as another user.
  case noServerUser(reason: String)
  /// The data directory is a copy, and its database belongs to the original.
  case copiedDirectory(path: String, original: String, home: String)
  /// Another command has been starting or stopping the server for too long.
  case busy(lock: String)
  /// A program of PostgreSQL failed; `detail` is the last it said.
  case programFailed(program: String, detail: String)
  /// The server did not come up; `detail` is the end of its log.
  case serverDidNotStart(log: String, detail: String)
  /// The server is still there after all that was tried.
  case serverDidNotStop(directory: String)
  /// A system call failed.
  case systemCall(name: String, path: String, code: Int32)
}

extension PrivatePostgresError: CustomStringConvertible {
  /// One line that says what happened and what to do.
  public var description: String {
    switch self {
    case .noCluster(let path):
      "no database: none was named, and there is no private one in \(path); name one with --database, "
        + "or make one with 'pagefall database start'"
    case .programsNotFound(let places):
      "PostgreSQL is not installed (initdb, pg_ctl and postgres were looked for in \(places.joined(separator: ", "))); "
        + "install it (apt install postgresql, brew install postgresql) or name a database with --database"
    case .otherVersion(let directory, let version, let installed):
      "the cluster in \(directory) was made by PostgreSQL \(version), but here is only "
        + "\(installed.joined(separator: ", ")); install PostgreSQL \(version), or move the data with its pg_dump"
    case .notPermitted(let path, let reason):
      "\(path): \(reason)"
    case .noServerUser(let reason):
      "PostgreSQL does not run as root, and no other user can run it: \(reason)"
    case .copiedDirectory(let path, let original, let home):
      "\(path) is a copy of \(original), whose database in \(home) it would share; "
        + "remove \(path)/postgres.location to begin with a new one"
    case .busy(let lock):
      "another command has been starting or stopping the private database for too long (it holds \(lock)); try again"
    case .programFailed(let program, let detail):
      "\(program) failed: \(detail)"
    case .serverDidNotStart(let log, let detail):
      "the private PostgreSQL did not start: \(detail) (its log: \(log))"
    case .serverDidNotStop(let directory):
      "the private PostgreSQL in \(directory) did not stop; look for its process in \(directory)/postmaster.pid"
    case .systemCall(let name, let path, let code):
      "\(path): \(name) failed: \(SystemCalls.message(code))"
    }
  }
}
