import Foundation
import PrivatePostgres
import Synchronization

/// The temporary directory of this test process, and the watchdog that outlives it.
final class TestRoot: Sendable {
  private static let result = Result { try TestRoot() }

  static var shared: TestRoot { get throws { try result.get() } }

  let path: String
  private let nextNumber = Atomic<Int>(1)

  private init() throws {
    // Not TMPDIR: the server's user must get there, and a socket's path has to be short.
    path = "/tmp/pagefall-tests-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    guard try SystemCalls.makeDirectory(path, permissions: 0o711) else { throw TestSupportError("\(path) exists") }
    try startWatchdog()
  }

  /// A path that nobody else has.
  func newPath(_ kind: String) -> String {
    "\(path)/\(kind)\(nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue)"
  }

  /// Has the watchdog kill this process should it still run at the end.
  func watch(_ identifier: pid_t) {
    _ = FileManager.default.createFile(atPath: watchFile(identifier), contents: nil)
  }

  /// The process has ended.
  func forget(_ identifier: pid_t) { unlink(watchFile(identifier)) }

  private func watchFile(_ identifier: pid_t) -> String { "\(path)/process-\(identifier)" }

  /// Waits for the end of its input, whose other end only this process holds. In a session of its own, so that Ctrl-C
  /// does not end it.
  private static let watchdogScript = """
    cat > /dev/null
    cd "$1" || exit
    for file in process-*; do [ -e "$file" ] && kill -KILL "${file#process-}"; done
    servers=
    for file in */data/postmaster.pid */postgres/data/postmaster.pid */*/postgres/data/postmaster.pid; do
      [ -e "$file" ] || continue
      server=$(head -n 1 "$file")
      kill -CONT "$server"
      kill -QUIT "$server" && servers="$servers $server"
    done
    for server in $servers; do
      tries=0
      while kill -0 "$server" && [ $tries -lt 80 ]; do sleep 0.1; tries=$((tries + 1)); done
    done
    cd /
    rm -rf -- "$1"
    """

  private func startWatchdog() throws {
    let alive = try ChildPipe(containing: [])
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { throw TestSupportError("/dev/null cannot be opened") }
    _ = try ChildProcess.spawn(
      ["/bin/sh", "-c", Self.watchdogScript, "sh", path], environment: ChildProcess.environment(), directory: "/",
      input: alive.readEnd, output: null, error: null, group: .session)
    close(null)
    alive.keepWriteEndForGood()
  }
}
