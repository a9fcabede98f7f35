import Foundation
import TestSupport
import Testing

/// The command as a user without rights, for tests that run as root.
enum Unprivileged {
  /// `nobody`, by number: not every system has the name.
  private static let words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  /// Whether this user can become another, and that one start the program.
  static let canRun = geteuid() == 0 && (try? run(["--version"]))?.exitCode == 0

  /// Runs it to its end.
  static func run(_ words: [String]) throws -> PagefallProcess.Result {
    try PagefallProcess.run(
      Self.words + [try PagefallProcess.binaryPath] + words, directory: "/", binary: "/usr/bin/env")
  }
}

/// A way to the tests' PostgreSQL for users whom it does not let in: each connection to a port of 127.0.0.1 is carried on to
/// its socket, by a process of the tests' own user.
final class UnprivilegedRelay {
  let connectionString: String
  private let process: PagefallProcess.Running

  private static let script = """
    import os, socket, sys, threading
    def carry(source, target):
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    server = socket.create_server(("127.0.0.1", 0))
    print("port", server.getsockname()[1], flush=True)
    while True:
        client = server.accept()[0]
        target = socket.socket(socket.AF_UNIX)
        target.connect(sys.argv[1])
        for ends in [(client, target), (target, client)]:
            threading.Thread(target=carry, args=ends, daemon=True).start()
    """

  init(_ target: String) throws {
    let host = try #require(target.firstMatch(of: /host=(\S+)/)?.output.1)
    let port = try #require(target.firstMatch(of: /port=(\d+)/)?.output.1)
    process = try PagefallProcess.start(
      ["python3", "-c", Self.script, "\(host)/.s.PGSQL.\(port)"], binary: "/usr/bin/env")
    let line = try process.waitForLine(containing: "port ")
    connectionString = target.replacing(/host=\S+/, with: "host=127.0.0.1")
      .replacing(/port=\d+/, with: line.replacing("port ", with: "port="))
  }
}
