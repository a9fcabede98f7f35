import Foundation

/// Runs other programs with `posix_spawn`.
///
/// A child gets no descriptor but the three named, clean signals, and a process group of its own, so that Ctrl-C at a
/// terminal does not reach it in the middle of an `initdb`.
package enum ChildProcess {
  /// How a child stands to the terminal of its parent.
  package enum Group: Sendable {
    /// Among the terminal's foreground processes: an interactive program.
    case foreground
    /// A process group of its own.
    case own
    /// A session of its own.
    case session
  }

  /// How a child ended, and what it said.
  package struct Output: Sendable {
    /// The exit status; 128 + n when signal n ended it.
    package let status: Int32
    /// Whether it had to be killed at its deadline.
    package let timedOut: Bool
    /// Standard output and error together, the last 64 KiB.
    package let text: String

    /// The last thing it said, for a message of one line.
    package var lastLine: String {
      if timedOut { return "it did not end in time" }
      let line = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
      return line.map(String.init) ?? "exit status \(status)"
    }
  }

  private static let maximumOutputBytes = 65_536

  /// Starts a program.
  /// - Parameters:
  ///   - command: the program's path and its arguments.
  ///   - environment: all of it, `NAME=value`.
  ///   - directory: where it starts.
  ///   - input, output, error: descriptors for its standard streams.
  /// - Returns: its process id, to be waited for by the caller.
  package static func spawn(
    _ command: [String], environment: [String], directory: String? = nil, input: Int32, output: Int32, error: Int32,
    group: Group
  ) throws(PrivatePostgresError) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if let directory {
      #if canImport(Glibc)
        let code = SpawnExtensions.changeDirectory(&actions, to: directory)
      #else
        let code = posix_spawn_file_actions_addchdir_np(&actions, directory)
      #endif
      guard code == 0 else { throw .systemCall(name: "posix_spawn chdir", path: directory, code: code) }
    }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    #if canImport(Darwin)
      flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
    #elseif canImport(Glibc)
      SpawnExtensions.closeAll(&actions, from: 3)
    #endif
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var ordinary = sigset_t()
    sigemptyset(&ordinary)
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGCHLD, SIGTSTP, SIGTTIN, SIGTTOU] {
      sigaddset(&ordinary, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &ordinary)
    switch group {
    case .foreground: break
    case .own:
      flags |= Int32(POSIX_SPAWN_SETPGROUP)
      posix_spawnattr_setpgroup(&attributes, 0)
    case .session:
      #if canImport(Glibc)
        flags |= SpawnExtensions.newSession
      #else
        flags |= Int32(POSIX_SPAWN_SETSID)
      #endif
    }
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

    var identifier: pid_t = 0
    let code = withCStrings(command) { arguments in
      withCStrings(environment) { variables in
        posix_spawn(&identifier, command[0], &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else { throw .systemCall(name: "posix_spawn", path: command[0], code: code) }
    return identifier
  }

  /// Runs a program to its end and gives back what it said.
  /// - Parameters:
  ///   - input: what it reads, at most 32 KiB (it must fit into a pipe).
  ///   - timeout: then it and its group are killed.
  package static func run(
    _ command: [String], environment: [String], directory: String? = nil, input: [UInt8] = [], timeout: Duration
  ) throws(PrivatePostgresError) -> Output {
    let standardInput = try ChildPipe(containing: input)
    let standardOutput = try ChildPipe(containing: [])
    let identifier = try spawn(
      command, environment: environment, directory: directory, input: standardInput.readEnd,
      output: standardOutput.writeEnd, error: standardOutput.writeEnd, group: .own)
    standardInput.closeBoth()
    standardOutput.closeWriteEnd()
    defer { standardOutput.closeBoth() }
    _ = fcntl(standardOutput.readEnd, F_SETFL, O_NONBLOCK)

    let deadline = ContinuousClock.now + timeout
    var bytes: [UInt8] = []
    var isOpen = true
    while true {
      if isOpen {
        var waiting = pollfd(fd: standardOutput.readEnd, events: Int16(POLLIN), revents: 0)
        poll(&waiting, 1, 50)
        isOpen = standardOutput.drain(into: &bytes, keepingLast: maximumOutputBytes)
      } else {
        usleep(1_000)
      }
      if let status = exitStatus(of: identifier, wait: false) {
        if isOpen { _ = standardOutput.drain(into: &bytes, keepingLast: maximumOutputBytes) }
        return Output(status: status, timedOut: false, text: String(decoding: bytes, as: UTF8.self))
      }
      if ContinuousClock.now > deadline {
        kill(-identifier, SIGKILL)
        let status = exitStatus(of: identifier, wait: true) ?? -1
        return Output(status: status, timedOut: true, text: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  /// The exit status of a child that has ended (128 + n for signal n), which frees its entry in the process table.
  /// - Returns: nil while it runs.
  package static func exitStatus(of identifier: pid_t, wait: Bool) -> Int32? {
    var status: Int32 = 0
    while true {
      let result = waitpid(identifier, &status, wait ? 0 : WNOHANG)
      if result == identifier { break }
      if result == 0 { return nil }
      // Someone else waited for it (SIGCHLD ignored): it is gone, its status is not known.
      if errno != EINTR { return 255 }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// The environment for PostgreSQL's programs: this process's, without what would steer them, and in English.
  package static func environment(adding variables: [String] = []) -> [String] {
    var kept = currentEnvironment().filter { variable in
      !["PG", "LC_", "LANG", "PAGEFALL_", "TZ="].contains { variable.hasPrefix($0) }
    }
    kept.append("LC_ALL=C")
    return kept + variables
  }

  /// All variables of this process, `NAME=value`.
  package static func currentEnvironment() -> [String] {
    ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers: [UnsafeMutablePointer<CChar>?] = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    // Never empty, so it has an address: the nil that ends the list is always there.
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
  }
}
