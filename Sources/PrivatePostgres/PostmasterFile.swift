#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a server writes into `postmaster.pid` of its data directory: a line each for its process id, data directory,
/// start time, port, socket directory, listen address, shared memory key and state.
package struct PostmasterFile: Sendable, Equatable {
  package let processIdentifier: pid_t
  /// Seconds since 1970. With the process id it names one run of the server.
  package let startedAtSeconds: String
  package let port: Int
  package let socketDirectory: String
  /// Whether it accepts connections; not while it starts, recovers or stops.
  package let isReady: Bool

  /// Reads the text of the file; nil while it is being written.
  package init?(text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count >= 5, let identifier = pid_t(lines[0]), identifier > 1, let port = Int(lines[3]) else {
      return nil
    }
    processIdentifier = identifier
    startedAtSeconds = String(lines[2])
    self.port = port
    socketDirectory = String(lines[4])
    isReady = lines.count >= 8 && lines[7].hasPrefix("ready")
  }

  /// The file of a cluster; nil when no server runs there, or one is only beginning.
  package static func read(cluster: String) -> PostmasterFile? {
    SystemCalls.readText("\(cluster)/postmaster.pid").flatMap(PostmasterFile.init(text:))
  }

  /// Whether a process of that id exists (not whether it is a server).
  package var processExists: Bool { kill(processIdentifier, 0) == 0 || errno == EPERM }

  /// Whether a server listens on the socket: true also while it recovers.
  package var isListening: Bool {
    let path = "\(socketDirectory)/.s.PGSQL.\(port)"
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard bytes.count < capacity else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // EAGAIN: a full queue of a server that lives.
    return result == 0 || errno == EAGAIN
  }
}
