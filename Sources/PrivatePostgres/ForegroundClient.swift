#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Runs a client program of PostgreSQL in the foreground, with the terminal.
package enum ForegroundClient {
  /// Runs it to its end. Ctrl-C meanwhile belongs to the client.
  /// - Parameters:
  ///   - program: its name, such as `psql`.
  ///   - version: the major version that is preferred; nil for what stands first in PATH.
  ///   - variables: added to this process's environment, `NAME=value`.
  ///   - removing: beginnings of variables that are left out, since one that stands twice is read in its first place.
  /// - Returns: its exit status; 128 + n when signal n ended it.
  package static func run(
    _ program: String, version: String? = nil, arguments: [String], variables: [String], removing: [String] = []
  ) throws(PrivatePostgresError) -> Int32 {
    let path = try PostgresPrograms.findClient(program, version: version)
    let kept = ChildProcess.currentEnvironment().filter { variable in
      !removing.contains { variable.hasPrefix($0) }
    }
    let interrupt = signal(SIGINT, SIG_IGN)
    let quit = signal(SIGQUIT, SIG_IGN)
    defer {
      signal(SIGINT, interrupt)
      signal(SIGQUIT, quit)
    }
    let identifier = try ChildProcess.spawn(
      [path] + arguments, environment: kept + variables, input: STDIN_FILENO, output: STDOUT_FILENO,
      error: STDERR_FILENO, group: .foreground)
    return ChildProcess.exitStatus(of: identifier, wait: true) ?? 255
  }
}
