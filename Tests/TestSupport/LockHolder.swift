import Foundation

/// Another process that holds the lock of a file, until `end()` or the end of the value.
public final class LockHolder: Sendable {
  private let process: PagefallProcess.Running

  /// Starts it, and waits until it has the lock.
  public init(_ path: String) throws {
    // Where there is no flock(1), Python has it.
    let script = """
      import fcntl, sys, time
      file = open(sys.argv[1], "a")
      fcntl.flock(file, fcntl.LOCK_EX)
      print("held", flush=True)
      time.sleep(60)
      """
    process = try PagefallProcess.start(["python3", "-c", script, path], binary: "/usr/bin/env")
    try process.waitForLine(containing: "held")
  }

  /// Lets the lock go.
  public func end() {
    process.signal(SIGKILL)
    _ = try? process.waitForExit()
  }
}
