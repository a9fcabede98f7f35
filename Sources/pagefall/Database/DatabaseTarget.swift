/// Which PostgreSQL a command uses.
enum DatabaseTarget: Equatable, Sendable {
  /// One that somebody named: a libpq connection string, or nil where only the `PG*` variables speak.
  case named(connectionString: String?)
  /// The private one under the data directory.
  case privateCluster

  /// The variables by which libpq is told of a database (libpq, "Environment Variables").
  static let libpqVariables = ["PGHOST", "PGHOSTADDR", "PGSERVICE", "PGDATABASE"]

  /// `--database`, else `PAGEFALL_DATABASE`, else the configuration file, else libpq's variables, else the private one.
  init(_ invocation: Invocation) {
    if let connectionString = invocation.value(CommonOptions.database) {
      self = .named(connectionString: connectionString)
      return
    }
    let variables = invocation.environment.variables
    let isNamed = Self.libpqVariables.contains { variables[$0]?.isEmpty == false }
    self = isNamed ? .named(connectionString: nil) : .privateCluster
  }
}
