import Foundation
import PrivatePostgres

/// A PostgreSQL of one test's own, to be stopped, killed or frozen. It starts with the value and ends with it.
public final class DedicatedServer: Sendable {
  /// How a server is told to stop.
  public enum StopMode: Sendable {
    /// Waits for its clients to leave, at most a minute.
    case smart
    /// Ends its clients.
    case fast
    /// Ends at once; the next start recovers.
    case immediate
  }

  private let server: PostgresServer
  private let programs: PostgresPrograms
  /// How libpq connects to its database `pagefall`; the same through all its restarts.
  public let connectionString: String

  /// Makes a cluster and starts its server.
  /// - Parameter settings: names of `postgresql.conf`; they win over the tests' own (`fsync = off` and the like).
  public init(settings: [String: String] = [:]) throws {
    let factory = try ServerFactory.shared
    programs = factory.programs
    server = try factory.make(settings: settings)
    connectionString = PostgresServer.connectionString(try server.start(programs: programs))
  }

  deinit {
    resume()
    _ = try? server.stop(programs: programs, mode: .immediate)
    _ = try? server.user.run(["/bin/sh", "-c", "rm -rf data"], directory: server.home, timeout: .seconds(60))
  }

  /// Whether its server listens.
  public var isRunning: Bool { server.running != nil }

  /// Starts it again, and waits until it accepts connections.
  public func start() throws { _ = try server.start(programs: programs) }

  /// Stops it, and waits until it is gone.
  public func stop(_ mode: StopMode = .fast) throws {
    let stopMode: PostgresServer.StopMode =
      switch mode {
      case .smart: .smart
      case .fast: .fast
      case .immediate: .immediate
      }
    try server.stop(programs: programs, mode: stopMode)
  }

  /// Sends a signal to its postmaster; after SIGKILL its backends end by themselves.
  public func kill(_ signal: Int32 = SIGKILL) throws {
    guard let file = PostmasterFile.read(cluster: server.cluster) else { throw TestSupportError("no server to kill") }
    Foundation.kill(file.processIdentifier, signal)
    guard signal == SIGKILL else { return }
    // For a while only: where nobody waits for orphans, the dead process keeps its id.
    let deadline = ContinuousClock.now + .seconds(5)
    while file.processExists, ContinuousClock.now < deadline { usleep(1_000) }
  }

  /// Freezes the postmaster and all backends: a server that is there and does not answer.
  public func pause() { signalAll(SIGSTOP) }

  /// Ends ``pause()``.
  public func resume() { signalAll(SIGCONT) }

  /// Runs SQL with the program `psql`.
  /// - Returns: the rows, a line each, columns parted by `|`.
  public func psql(_ sql: String, database: String = "pagefall") throws -> String {
    guard let file = server.running else { throw TestSupportError("the server does not run") }
    return try Psql.run(sql, connectionString: PostgresServer.connectionString(file, database: database))
  }

  private func signalAll(_ signal: Int32) {
    guard let file = PostmasterFile.read(cluster: server.cluster) else { return }
    // The postmaster first: then it starts no backend meanwhile.
    Foundation.kill(file.processIdentifier, signal)
    for child in children(of: file.processIdentifier) { Foundation.kill(child, signal) }
  }

  private func children(of parent: pid_t) -> [pid_t] {
    let script = """
      if [ -d /proc/self ]; then
        for stat in /proc/[0-9]*/stat; do
          read -r line < "$stat" && set -- "$1" ${line##*) } && [ "$3" = "$1" ] && echo "${line%% *}"
        done
      else pgrep -P "$1"; fi
      true
      """
    let output = try? ChildProcess.run(
      ["/bin/sh", "-c", script, "sh", String(parent)], environment: ChildProcess.environment(), timeout: .seconds(20))
    return (output?.text ?? "").split(whereSeparator: \.isNewline).compactMap { pid_t($0) }
  }
}
