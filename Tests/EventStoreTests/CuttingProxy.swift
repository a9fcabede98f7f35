import Foundation
import Synchronization
import TestSupport

/// Stands between a client and PostgreSQL on a Unix socket, and cuts a connection at its COMMIT when told to: the only way
/// to lose the answer of a commit that was carried out.
final class CuttingProxy: Sendable {
  /// What to do with the next COMMIT.
  enum Cut: CaseIterable {
    case none, beforeCommit
    /// The server answers, and nobody hears it.
    case afterCommit
    /// The client gives up while the server is still at it.
    case duringCommit
  }

  private let directory: TemporaryDirectory
  private let upstream: String
  private let listener: Int32
  private let cut = Mutex(Cut.none)
  /// A libpq connection string through the proxy.
  let connectionString: String

  init(to connectionString: String) throws {
    var parts: [String: String] = [:]
    for pair in connectionString.split(separator: " ") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      if halves.count == 2 { parts[String(halves[0])] = halves[1].trimmingCharacters(in: ["'"]) }
    }
    let port = parts["port"] ?? "5432"
    upstream = "\(parts["host"] ?? "")/.s.PGSQL.\(port)"
    directory = try TemporaryDirectory()
    parts["host"] = directory.path
    self.connectionString = parts.map { "\($0.key)='\($0.value)'" }.joined(separator: " ")
    listener = Self.makeSocket()
    let path = "\(directory.path)/.s.PGSQL.\(port)"
    guard Self.withAddress(path, { bind(listener, $0, $1) }) == 0, listen(listener, 16) == 0 else {
      throw WaitedInVain(what: "the proxy listens on \(path)")
    }
    let accepting = Thread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        if client < 0 { return }
        serve(client)
      }
    }
    accepting.start()
  }

  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  /// Arms it for one COMMIT.
  func cutNext(_ next: Cut) { cut.withLock { $0 = next } }

  private func serve(_ client: Int32) {
    let server = Self.makeSocket()
    guard Self.withAddress(upstream, { connect(server, $0, $1) }) == 0 else {
      close(client)
      return
    }
    let isCut = SharedFlag()
    Thread { [self] in
      pump(from: client, to: server) { bytes in
        guard bytes.contains("COMMIT") else { return true }
        switch self.cut.withLock({ cut in
          defer { cut = .none }
          return cut
        }) {
        case .none: return true
        case .beforeCommit: return false
        case .afterCommit:
          isCut.set()
          return true
        case .duringCommit:
          isCut.set()
          _ = bytes.withUnsafeBytes { write(server, $0.baseAddress, $0.count) }
          return false
        }
      }
      shutdown(client, Int32(SHUT_RDWR))
      if !isCut.isSet { shutdown(server, Int32(SHUT_RDWR)) }
    }.start()
    Thread { [self] in
      pump(from: server, to: client) { _ in !isCut.isSet }
      shutdown(client, Int32(SHUT_RDWR))
      shutdown(server, Int32(SHUT_RDWR))
    }.start()
  }

  private func pump(from source: Int32, to sink: Int32, _ mayPass: (Data) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count <= 0 || !mayPass(Data(buffer[..<count])) { return }
      var sent = 0
      while sent < count {
        let written = buffer.withUnsafeBytes { write(sink, $0.baseAddress?.advanced(by: sent), count - sent) }
        if written <= 0 { return }
        sent += written
      }
    }
  }

  private static func makeSocket() -> Int32 {
    #if os(Linux)
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
  }

  private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8.prefix($0.count - 1))) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}

/// A flag that several threads see.
final class SharedFlag: Sendable {
  private let flag = Mutex(false)
  var isSet: Bool { flag.withLock { $0 } }
  func set() { flag.withLock { $0 = true } }
}
