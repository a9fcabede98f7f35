import Foundation

/// Listens on 127.0.0.1, reads a request and gives the answer that it was told, byte by byte as it stands; then closes.
///
/// `@unchecked Sendable`: the lock guards what was received and whether it has stopped; the rest does not change.
final class OneAnswerServer: @unchecked Sendable {
  let port: Int
  private let listener: Int32
  private let lock = NSLock()
  private var hasStopped = false
  private var bytes: [UInt8] = []

  /// - Parameters:
  ///   - dripping: then a byte follows every 100 ms.
  ///   - isSilent: the connection stays open for some seconds.
  init(_ answer: String, dripping: Bool = false, isSilent: Bool = false) throws {
    #if canImport(Glibc)
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (descriptor, size) = (listener, length)
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRINUSE) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else {
          // Closed here and not in `stop`: this thread may be about to accept from the number, which another test's socket would
          // have by then.
          close(listener)
          return
        }
        serve(client, answer, dripping, isSilent)
      }
    }
  }

  /// What came so far, as text.
  var received: String {
    lock.lock()
    defer { lock.unlock() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Stops listening. Once only: a second call would hit whatever has got the descriptor's number since.
  func stop() {
    let isFirst = lock.withLock {
      defer { hasStopped = true }
      return !hasStopped
    }
    if isFirst { shutdown(listener, Int32(SHUT_RDWR)) }
  }

  private func serve(_ client: Int32, _ answer: String, _ dripping: Bool, _ isSilent: Bool) {
    var piece = [UInt8](repeating: 0, count: 65_536)
    while !isWhole {
      let count = read(client, &piece, piece.count)
      if count <= 0 { break }
      lock.lock()
      bytes += piece[..<count]
      lock.unlock()
    }
    write(Array(answer.utf8), to: client)
    for _ in 0..<(isSilent ? 40 : 0) {
      usleep(100_000)
      if dripping, !write([UInt8(ascii: "x")], to: client) { break }
    }
    close(client)
  }

  private var isWhole: Bool {
    let text = received
    guard let end = text.range(of: "\r\n\r\n") else { return false }
    let length = text[..<end.lowerBound].lowercased().components(separatedBy: "content-length: ").last?.prefix {
      $0.isNumber
    }
    lock.lock()
    defer { lock.unlock() }
    return bytes.count >= text[..<end.upperBound].utf8.count + (length.flatMap { Int($0) } ?? 0)
  }

  @discardableResult
  private func write(_ bytes: [UInt8], to client: Int32) -> Bool {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(client, $0.baseAddress, $0.count, flags) }
      if count <= 0 { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
