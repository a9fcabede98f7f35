import Foundation
import PrivatePostgres
import Synchronization

/// The temporary directories of this test process, and the watchdog that outlives it.
final class TestRoot: Sendable {
  private static let result = Result { try TestRoot() }

  static var shared: TestRoot { get throws { try result.get() } }

  /// Where all lies but the servers.
  let path: String
  /// Where the servers lie: in memory where there is room, since a fresh database is some thousand small writes.
  private let serverPath: String
  private let nextNumber = Atomic<Int>(1)

  private init() throws {
    // Not TMPDIR: the server's user must get there, and a socket's path has to be short.
    let name = "pagefall-tests-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    path = "/tmp/\(name)"
    serverPath = Self.hasRoomInMemory ? "\(Self.memory)/\(name)" : path
    for path in Set([path, serverPath]) {
      guard try SystemCalls.makeDirectory(path, permissions: 0o711) else { throw TestSupportError("\(path) exists") }
    }
    try startWatchdog()
  }

  /// A path that nobody else has.
  func newPath(_ kind: String) -> String { "\(path)/\(newName(kind))" }

  /// A path for a server that nobody else has.
  func newServerPath() -> String { "\(serverPath)/\(newName("server"))" }

  private func newName(_ kind: String) -> String {
    "\(kind)\(nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue)"
  }

  private static let memory = "/dev/shm"

  /// A container may have next to nothing there.
  private static var hasRoomInMemory: Bool {
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
    let freeBytes = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
    return access(memory, W_OK) == 0 && freeBytes >= 4 << 30
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
    servers=
    for root in "$@"; do
      cd "$root" || continue
      for file in process-*; do [ -e "$file" ] && kill -KILL "${file#process-}"; done
      for file in */data/postmaster.pid */postgres/data/postmaster.pid */*/postgres/data/postmaster.pid; do
        [ -e "$file" ] || continue
        server=$(head -n 1 "$file")
        kill -CONT "$server"
        kill -QUIT "$server" && servers="$servers $server"
      done
    done
    for server in $servers; do
      tries=0
      while kill -0 "$server" && [ $tries -lt 80 ]; do sleep 0.1; tries=$((tries + 1)); done
    done
    cd /
    rm -rf -- "$@"
    """

  private func startWatchdog() throws {
    let alive = try ChildPipe(containing: [])
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { throw TestSupportError("/dev/null cannot be opened") }
    _ = try ChildProcess.spawn(
      ["/bin/sh", "-c", Self.watchdogScript, "sh"] + Set([path, serverPath]), environment: ChildProcess.environment(),
      directory: "/",
      input: alive.readEnd, output: null, error: null, group: .session)
    close(null)
    alive.keepWriteEndForGood()
  }
}
