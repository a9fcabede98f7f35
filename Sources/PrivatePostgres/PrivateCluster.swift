import ServiceLog

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The private PostgreSQL of one data directory: made when it is first needed, shared by all commands that run at a
/// time, stopped when the last of them ends.
///
/// All calls block. Any number of processes and threads may make them at once.
public struct PrivateCluster: Sendable {
  /// What happens where there is no cluster yet.
  public enum Mode: Sendable {
    /// It is made: for commands that write.
    case createIfMissing
    /// ``PrivatePostgresError/noCluster(lookedIn:)``: a command that only reads must not report on an empty database
    /// that it has just made.
    case existingOnly
  }

  /// Enough for a recovery after a crash, and for another command that waits for one.
  private static let lockTimeout = Duration.seconds(330)

  private let dataDirectory: String
  private let log: ServiceLog
  private let notice: @Sendable (String) -> Void
  private let durability: PostgresServer.Durability

  /// The cluster of a data directory; nothing is looked at or made yet.
  /// - Parameters:
  ///   - dataDirectory: made if it is missing and a cluster is.
  ///   - notice: gets text for people, without a newline, when a cluster is made or something takes long.
  public init(
    dataDirectory: String, log: ServiceLog = .disabled, notice: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(dataDirectory: dataDirectory, durability: .full, log: log, notice: notice)
  }

  /// The same with a choice of what a cluster that is made does for its data: tests have no use for `fsync`.
  package init(
    dataDirectory: String, durability: PostgresServer.Durability, log: ServiceLog = .disabled,
    notice: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.dataDirectory = dataDirectory
    self.log = log
    self.notice = notice
    self.durability = durability
  }

  /// Starts the server unless it runs, and uses it.
  /// - Returns: the use; the server may stop when the last lease of any process has ended.
  public func acquire(_ mode: Mode) throws(PrivatePostgresError) -> ClusterLease {
    let location = try prepare(mode)
    let lock = try FileLock(path: location.lockFile, owner: location.ownerID)
    try lock.lockExclusive(timeout: Self.lockTimeout, whenWaiting: sayWaiting)
    let (server, wasCreated) = try findOrCreate(location, mode)
    let users = try FileLock(path: location.usersFile, owner: location.ownerID)
    guard users.tryShared() else { throw .busy(lock: users.path) }
    let file = try startUnlessRunning(server)
    return ClusterLease(
      server: server, location: location, users: users, log: log, wasCreated: wasCreated,
      connectionString: PostgresServer.connectionString(file))
  }

  /// Starts the server unless it runs; makes the cluster if it is missing.
  /// - Parameter keepRunning: whether it stays when the last command ends, until ``stop()``.
  @discardableResult
  public func start(keepRunning: Bool = true) throws(PrivatePostgresError) -> ClusterStatus {
    let location = try prepare(.createIfMissing)
    let lock = try FileLock(path: location.lockFile, owner: location.ownerID)
    try lock.lockExclusive(timeout: Self.lockTimeout, whenWaiting: sayWaiting)
    let (server, _) = try findOrCreate(location, .createIfMissing)
    let file = try startUnlessRunning(server)
    let keep = KeepRequest(path: location.keepFile)
    if keepRunning { try keep.record(file) } else { keep.withdraw() }
    return status(of: server, file, location)
  }

  /// Stops the server, whoever uses it, and forgets that it was to be kept.
  /// - Returns: false when it did not run.
  @discardableResult
  public func stop() throws(PrivatePostgresError) -> Bool {
    let location = try prepare(.existingOnly)
    let lock = try FileLock(path: location.lockFile, owner: location.ownerID)
    try lock.lockExclusive(timeout: Self.lockTimeout, whenWaiting: sayWaiting)
    let (server, _) = try findOrCreate(location, .existingOnly)
    KeepRequest(path: location.keepFile).withdraw()
    let programs = try PostgresPrograms.find(clusterVersion: server.majorVersion, directory: server.cluster)
    let stopped = try server.stop(programs: programs)
    if stopped { log.info("private database stopped", ["directory": .string(server.cluster)]) }
    return stopped
  }

  /// What there is, without starting, making or waiting for anything.
  public func status() throws(PrivatePostgresError) -> ClusterStatus {
    let location = ClusterLocation(dataDirectory: dataDirectory)
    guard let server = try location.find() else { return .absent(lookedIn: location.homeInside) }
    guard let file = server.running else {
      return .stopped(directory: server.cluster, majorVersion: server.majorVersion ?? "")
    }
    return status(of: server, file, location)
  }

  private func status(
    of server: PostgresServer, _ file: PostmasterFile, _ location: ClusterLocation
  ) -> ClusterStatus {
    .running(
      directory: server.cluster, majorVersion: server.majorVersion ?? "",
      processIdentifier: file.processIdentifier,
      keptRunning: KeepRequest(path: location.keepFile).names(file),
      connectionString: PostgresServer.connectionString(file))
  }

  /// The location, with its data directory there.
  private func prepare(_ mode: Mode) throws(PrivatePostgresError) -> ClusterLocation {
    let location = ClusterLocation(dataDirectory: dataDirectory)
    switch mode {
    case .existingOnly:
      // Before any lock file is made: a command that only reads leaves nothing behind.
      guard try location.find() != nil else { throw .noCluster(lookedIn: location.homeInside) }
      return location
    case .createIfMissing:
      // Root's is passable: the server's user must get to the home in it.
      try SystemCalls.makeDirectories(location.dataDirectory, permissions: geteuid() == 0 ? 0o711 : 0o700)
      return ClusterLocation(dataDirectory: dataDirectory)
    }
  }

  private func findOrCreate(
    _ location: ClusterLocation, _ mode: Mode
  ) throws(PrivatePostgresError) -> (PostgresServer, wasCreated: Bool) {
    if let server = try location.find() { return (server, false) }
    switch mode {
    case .existingOnly: throw .noCluster(lookedIn: location.homeInside)
    case .createIfMissing: break
    }
    let programs = try PostgresPrograms.find()
    let server = try location.makeHome(notice: notice)
    notice("making a private PostgreSQL \(programs.majorVersion) in \(server.home), run by \(server.user.name)")
    try server.create(programs: programs, durability: durability)
    log.info(
      "private database made",
      [
        "directory": .string(server.cluster), "version": .string(programs.majorVersion),
        "user": .string(server.user.name),
      ])
    return (server, true)
  }

  private func startUnlessRunning(_ server: PostgresServer) throws(PrivatePostgresError) -> PostmasterFile {
    if let file = server.running, file.isReady { return file }
    let programs = try PostgresPrograms.find(clusterVersion: server.majorVersion, directory: server.cluster)
    let begin = ContinuousClock.now
    let file = try server.start(programs: programs) {
      notice("the private PostgreSQL is recovering; waiting for it")
    }
    log.debug(
      "private database started",
      ["directory": .string(server.cluster), "took": .duration(ContinuousClock.now - begin)])
    return file
  }

  private func sayWaiting() {
    notice("waiting for another command that starts or stops the private PostgreSQL")
  }
}
