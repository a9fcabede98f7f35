import Foundation
import PrivatePostgres
import Synchronization

extension PagefallProcess {
  /// The command while it runs. What it writes goes to files, so it never waits for its reader.
  public final class Running: Sendable {
    /// The process id.
    public let processIdentifier: Int32
    private let directory: String
    /// The exit code once it has been waited for.
    private let exitCode = Mutex<Int32?>(nil)

    init(
      _ arguments: [String], environment: [String: String], input: [UInt8], directory: String?, binary: String?
    ) throws {
      let root = try TestRoot.shared
      let files = root.newPath("run")
      try SystemCalls.makeDirectory(files, permissions: 0o700)
      guard FileManager.default.createFile(atPath: "\(files)/in", contents: Data(input)) else {
        throw TestSupportError("\(files)/in cannot be written")
      }
      let streams = [
        open("\(files)/in", O_RDONLY | O_CLOEXEC),
        open("\(files)/out", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600),
        open("\(files)/err", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600),
      ]
      defer { for stream in streams { close(stream) } }
      let inherited = ChildProcess.currentEnvironment().filter { variable in
        !variable.hasPrefix("PG") && !variable.hasPrefix("PAGEFALL_")
          && !environment.keys.contains { variable.hasPrefix("\($0)=") }
      }
      self.directory = files
      processIdentifier = try ChildProcess.spawn(
        [try binary ?? PagefallProcess.binaryPath] + arguments,
        environment: inherited + environment.map { "\($0.key)=\($0.value)" }, directory: directory, input: streams[0],
        output: streams[1], error: streams[2], group: .own)
      root.watch(processIdentifier)
    }

    deinit {
      signal(SIGKILL)
      _ = try? waitForExit()
      try? FileManager.default.removeItem(atPath: directory)
    }

    /// What it has written to standard output so far.
    public var standardOutput: String { text("out") }
    /// What it has written to standard error so far.
    public var standardError: String { text("err") }

    /// Waits for a whole line with this text, on either stream.
    /// - Throws: when the time is over, or the process ended without it.
    @discardableResult
    public func waitForLine(containing part: String, timeout: Duration = .seconds(30)) throws -> String {
      let deadline = ContinuousClock.now + timeout
      while true {
        let hasEnded = pollExit(wait: false) != nil
        for text in [standardOutput, standardError] {
          // The piece after the last newline is not whole yet.
          let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
          if let line = lines.first(where: { $0.contains(part) }) { return String(line) }
        }
        if hasEnded || ContinuousClock.now > deadline {
          throw TestSupportError(
            "no line with '\(part)' \(hasEnded ? "before its end" : "in time"); it said: \(standardError)")
        }
        usleep(5_000)
      }
    }

    /// Sends a signal, unless it has ended.
    public func signal(_ number: Int32) {
      exitCode.withLock { code in
        // Until it is waited for, the id cannot be another process's.
        if code == nil { kill(processIdentifier, number) }
      }
    }

    /// Waits for its end.
    /// - Returns: the exit code; 128 + n when signal n ended it.
    /// - Throws: when the time is over; it is killed then.
    @discardableResult
    public func waitForExit(timeout: Duration = .seconds(30)) throws -> Int32 {
      let deadline = ContinuousClock.now + timeout
      while true {
        if let code = pollExit(wait: false) { return code }
        if ContinuousClock.now > deadline {
          signal(SIGKILL)
          _ = pollExit(wait: true)
          throw TestSupportError("pagefall did not end in time; it said: \(standardError)")
        }
        usleep(2_000)
      }
    }

    private func pollExit(wait: Bool) -> Int32? {
      exitCode.withLock { code in
        if code == nil {
          code = ChildProcess.exitStatus(of: processIdentifier, wait: wait)
          if code != nil { try? TestRoot.shared.forget(processIdentifier) }
        }
        return code
      }
    }

    private func text(_ stream: String) -> String {
      FileManager.default.contents(atPath: "\(directory)/\(stream)").map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
  }
}
