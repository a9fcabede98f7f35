import ServiceLog
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A use of the private server: it runs at least as long as this is held.
///
/// When the last lease of all processes ends, the server is stopped, unless `database start` asked to keep it. A process
/// that is killed has ended its leases; its server then runs on until the next command ends.
public struct ClusterLease: ~Copyable, Sendable {
  /// How libpq connects, as `key=value`; it holds no secret.
  public let connectionString: String
  /// Whether the cluster was made for this lease, and so is empty.
  public let wasCreated: Bool
  private let server: PostgresServer
  private let use: ClusterUse

  init(
    server: PostgresServer, location: ClusterLocation, users: consuming FileLock, log: ServiceLog, wasCreated: Bool,
    connectionString: String
  ) {
    self.connectionString = connectionString
    self.wasCreated = wasCreated
    self.server = server
    use = ClusterUse(server: server, location: location, users: users, log: log)
  }

  deinit { use.endLoggingErrors() }

  /// Ends the use; waits for the server to stop if this was the last.
  public consuming func release() throws(PrivatePostgresError) {
    try use.end()
  }

  /// Runs a client program of PostgreSQL in the foreground, with the terminal, connected to the private database.
  ///
  /// Ctrl-C meanwhile belongs to the client.
  /// - Parameters:
  ///   - program: its name, such as `psql`; the one of the server's version is preferred.
  ///   - arguments: its own; the connection is given by `PG*` variables, so they may name another database of the server.
  /// - Returns: its exit status; 128 + n when signal n ended it.
  public func runClient(
    _ program: String = "psql", arguments: [String]
  ) throws(PrivatePostgresError) -> Int32 {
    guard let file = server.running else {
      throw .serverDidNotStart(log: server.log, detail: "it was stopped")
    }
    // What would lead it elsewhere is taken out.
    return try ForegroundClient.run(
      program, version: server.majorVersion, arguments: arguments,
      variables: [
        "PGHOST=\(file.socketDirectory)", "PGPORT=\(file.port)", "PGUSER=\(PrivateNames.role)",
        "PGDATABASE=\(PrivateNames.database)",
      ],
      removing: ["PGHOST=", "PGHOSTADDR=", "PGPORT=", "PGUSER=", "PGDATABASE=", "PGSERVICE="])
  }
}

/// The part of a lease that ends once.
private final class ClusterUse: Sendable {
  private let server: PostgresServer
  private let location: ClusterLocation
  private let log: ServiceLog
  /// Guards the lock on the users' file; nil once the use has ended.
  private let users: Mutex<FileLock?>

  init(server: PostgresServer, location: ClusterLocation, users: consuming FileLock, log: ServiceLog) {
    self.server = server
    self.location = location
    self.log = log
    self.users = Mutex(users)
  }

  func end() throws(PrivatePostgresError) {
    guard let users = users.withLock({ $0.take() }) else { return }
    let lock = try FileLock(path: location.lockFile, owner: location.ownerID)
    try lock.lockExclusive(timeout: .seconds(120))
    // Under the lock nobody can become a user meanwhile.
    guard users.tryExclusive() else { return }
    guard let file = PostmasterFile.read(cluster: server.cluster) else { return }
    if KeepRequest(path: location.keepFile).names(file) { return }
    let programs = try PostgresPrograms.find(clusterVersion: server.majorVersion, directory: server.cluster)
    try server.stop(programs: programs)
    log.debug("private database stopped", ["directory": .string(server.cluster)])
  }

  func endLoggingErrors() {
    do {
      try end()
    } catch {
      log.warning("private database not stopped", ["reason": .string(error.description)])
    }
  }
}
