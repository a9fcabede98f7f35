#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// One cluster in its home directory: its server is started and stopped here. Who may do so when is decided elsewhere.
///
/// Programs run in the home with relative paths: `pg_ctl` hands its paths to a shell, and a home's path may hold
/// anything.
package struct PostgresServer: Sendable {
  package let home: String
  package let user: ServerUser

  /// A cluster, there or still to be made.
  package init(home: String, user: ServerUser) {
    self.home = home
    self.user = user
  }

  /// How a server is told to stop.
  package enum StopMode: String, Sendable, CaseIterable {
    /// Waits for its clients to leave.
    case smart
    /// Ends its clients.
    case fast
    /// Ends at once; the next start recovers.
    case immediate
  }

  /// The directory that initdb made.
  package var cluster: String { "\(home)/data" }
  /// The server's own log.
  package var log: String { "\(home)/server.log" }

  /// The cluster's major version; nil where there is none.
  package var majorVersion: String? {
    SystemCalls.readText("\(cluster)/PG_VERSION").map { String($0.prefix { !$0.isNewline }) }
  }

  /// The running server; nil when there is none.
  ///
  /// A process id alone proves nothing: after a crash of the machine it may be anyone's. The socket does.
  package var running: PostmasterFile? {
    guard let file = PostmasterFile.read(cluster: cluster), file.processExists, file.isListening else { return nil }
    return file
  }

  /// Starts the server and waits until it accepts connections.
  /// - Parameters:
  ///   - programs: of the cluster's major version.
  ///   - timeout: recovery after a crash counts.
  ///   - whenRecovering: called once when it has taken ten seconds.
  package func start(
    programs: PostgresPrograms, timeout: Duration = .seconds(300), whenRecovering: () -> Void = {}
  ) throws(PrivatePostgresError) -> PostmasterFile {
    let deadline = ContinuousClock.now + timeout
    let recoveryNotice = ContinuousClock.now + .seconds(10)
    // One that a killed command had begun to start.
    if let file = PostmasterFile.read(cluster: cluster), isServer(file) {
      if let running = waitUntilReady(deadline: deadline, noticeAt: recoveryNotice, whenRecovering) { return running }
    }
    try forgetStrangersProcess()
    let socketDirectory = try SocketDirectory.prepare(home: home, user: user)
    if let size = SystemCalls.information(log)?.sizeInBytes, size > 8 << 20 { rename(log, log + ".1") }
    let command = [
      programs.path("pg_ctl"), "start", "-D", "data", "-l", "server.log", "-w", "-t", "10", "-o",
      "-c unix_socket_directories=\(socketDirectory) -c port=\(PrivateNames.port)",
    ]
    // Backends of a killed server may hold its shared memory for a moment: then it is tried again.
    let mayRetryUntil =
      ContinuousClock.now + .seconds(SystemCalls.information("\(cluster)/postmaster.pid") == nil ? 0 : 10)
    while true {
      let output = try user.run(command, directory: home, timeout: .seconds(60))
      if output.status == 0, let file = PostmasterFile.read(cluster: cluster), file.isReady { return file }
      if let file = waitUntilReady(deadline: deadline, noticeAt: recoveryNotice, whenRecovering) { return file }
      if ContinuousClock.now > mayRetryUntil { throw .serverDidNotStart(log: log, detail: failure(after: output)) }
      usleep(300_000)
    }
  }

  /// Stops the server and waits until it is gone; false when none ran.
  @discardableResult
  package func stop(
    programs: PostgresPrograms, mode: StopMode = .fast, timeout: Duration = .seconds(60)
  ) throws(PrivatePostgresError) -> Bool {
    guard let file = PostmasterFile.read(cluster: cluster), file.processExists else { return false }
    func attempt(_ mode: StopMode, _ seconds: Int64) throws(PrivatePostgresError) -> Bool {
      let command = [
        programs.path("pg_ctl"), "stop", "-D", "data", "-m", mode.rawValue, "-w", "-t", "\(seconds)",
      ]
      return try user.run(command, directory: home, timeout: .seconds(seconds + 10)).status == 0
    }
    if try !attempt(mode, timeout.components.seconds), running != nil {
      guard mode != .smart, try attempt(.immediate, 20) else { throw .serverDidNotStop(directory: cluster) }
    }
    SocketDirectory.discard(file.socketDirectory, home: home)
    return true
  }

  /// Waits while a server of this cluster is on its way; nil when it ended or time ran out.
  private func waitUntilReady(
    deadline: ContinuousClock.Instant, noticeAt: ContinuousClock.Instant, _ whenRecovering: () -> Void
  ) -> PostmasterFile? {
    var hasSaidSo = false
    while ContinuousClock.now < deadline {
      guard let file = PostmasterFile.read(cluster: cluster), isServer(file) else { return nil }
      if file.isReady { return file }
      if !hasSaidSo, ContinuousClock.now > noticeAt {
        whenRecovering()
        hasSaidSo = true
      }
      usleep(20_000)
    }
    return nil
  }

  /// Whether the process is a server of this cluster: it listens, or works in the cluster's directory.
  private func isServer(_ file: PostmasterFile) -> Bool {
    guard file.processExists else { return false }
    if file.isListening { return true }
    guard let directory = SystemCalls.target("/proc/\(file.processIdentifier)/cwd") else { return false }
    return directory.identity == SystemCalls.target(cluster)?.identity
  }

  /// After a crash, `postmaster.pid` may name a process that now is another program of the same user, or that is dead
  /// and not yet waited for, and the server would refuse to start. The id is then replaced by one that is certainly nobody's. The rest of the
  /// file stays: by its shared memory key the server finds out whether backends of its old self still live.
  private func forgetStrangersProcess() throws(PrivatePostgresError) {
    guard let file = PostmasterFile.read(cluster: cluster), file.processExists, !isServer(file),
      SystemCalls.target("/proc/self") != nil
    else { return }
    _ = try user.run(
      [
        "/bin/sh", "-c",
        "sh -c : & dead=$!; wait; sed \"1s/.*/$dead/\" data/postmaster.pid > stale.pid"
          + " && cat stale.pid > data/postmaster.pid; rm -f stale.pid",
      ], directory: home, timeout: .seconds(20))
  }

  /// Why it did not start, from the end of its log: the last line that says FATAL or PANIC, else the last.
  private func failure(after output: ChildProcess.Output) -> String {
    let lines = (SystemCalls.readText(log, limit: 4_096) ?? "").split(whereSeparator: \.isNewline)
    let telling = lines.last { $0.contains("FATAL") || $0.contains("PANIC") } ?? lines.last
    return telling.map(String.init) ?? output.lastLine
  }

  /// How libpq connects to it: `key=value`, quoted where needed.
  package static func connectionString(_ file: PostmasterFile, database: String = PrivateNames.database) -> String {
    func quoted(_ value: String) -> String {
      let plain = value.utf8.allSatisfy { $0 > 0x20 && $0 != UInt8(ascii: "'") && $0 != UInt8(ascii: "\\") }
      if plain, !value.isEmpty { return value }
      return "'" + value.flatMap { $0 == "'" || $0 == "\\" ? ["\\", $0] : [$0] } + "'"
    }
    return "host=\(quoted(file.socketDirectory)) port=\(file.port) user=\(PrivateNames.role) dbname=\(quoted(database))"
  }
}
