import Foundation

/// A collector that answers as a test tells it, over a real socket.
///
/// `@unchecked Sendable`: what changes is read and written under `lock` alone.
final class StubCollector: @unchecked Sendable {
  /// One request as it came.
  struct Request: Sendable {
    let head: String
    let body: Data

    /// The batch that the body is.
    var batch: [String: Any] { (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:] }
    var eventCount: Int { (batch["events"] as? [Any])?.count ?? 0 }
  }

  /// `http://127.0.0.1:PORT`.
  let address: String
  private let listener: Int32
  /// Guards `requests` and `hasStopped`.
  private let lock = NSLock()
  private var hasStopped = false
  private var requests: [Request] = []
  private let answer: @Sendable (Request, Int) -> String?

  /// Answers each request, with its number from 0, by these bytes; nil closes the connection instead.
  init(answer: @escaping @Sendable (Request, Int) -> String?) throws {
    self.answer = answer
    listener = socket(AF_INET, streamSocket, 0)
    var socketAddress = sockaddr_in()
    socketAddress.sin_family = sa_family_t(AF_INET)
    socketAddress.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &socketAddress) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    address = "http://127.0.0.1:\(UInt16(bigEndian: socketAddress.sin_port))"
    Thread { [self] in acceptAll() }.start()
  }

  /// What came so far.
  var received: [Request] { lock.withLock { requests } }

  /// Stops listening. Once only: a second call would hit whatever has got the descriptor's number since.
  func stop() {
    let isFirst = lock.withLock {
      defer { hasStopped = true }
      return !hasStopped
    }
    guard isFirst else { return }
    shutdown(listener, Int32(SHUT_RDWR))
  }

  private func acceptAll() {
    while true {
      let connection = accept(listener, nil, nil)
      guard connection >= 0 else {
        // Closed here and not in `stop`: this thread may be about to accept from the number, which another test's
        // socket would have by then.
        close(listener)
        return
      }
      Thread { [self] in serve(connection) }.start()
    }
  }

  private func serve(_ connection: Int32) {
    defer { close(connection) }
    var buffer = Data()
    while let request = nextRequest(connection, &buffer) {
      let number = lock.withLock {
        requests.append(request)
        return requests.count - 1
      }
      guard let text = answer(request, number) else { return }
      // In two parts, so that the sender must put an answer together.
      let bytes = Array(text.utf8)
      for part in [bytes.prefix(bytes.count / 2), bytes.suffix(from: bytes.count / 2)] {
        _ = part.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
      }
    }
  }

  private func nextRequest(_ connection: Int32, _ buffer: inout Data) -> Request? {
    while true {
      if let end = buffer.range(of: Data("\r\n\r\n".utf8)) {
        let head = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
        let length =
          head.split(separator: "\r\n").compactMap { line -> Int? in
            line.hasPrefix("Content-Length: ") ? Int(line.dropFirst(16)) : nil
          }.first ?? 0
        if buffer.distance(from: end.upperBound, to: buffer.endIndex) >= length {
          let bodyEnd = buffer.index(end.upperBound, offsetBy: length)
          let request = Request(head: head, body: Data(buffer[end.upperBound..<bodyEnd]))
          buffer = Data(buffer[bodyEnd...])
          return request
        }
      }
      var chunk = [UInt8](repeating: 0, count: 65_536)
      let count = read(connection, &chunk, chunk.count)
      guard count > 0 else { return nil }
      buffer.append(contentsOf: chunk.prefix(count))
    }
  }
}

#if canImport(Darwin)
  private let streamSocket = SOCK_STREAM
#else
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif

/// An answer with a body of declared length.
func answer(_ status: String, _ body: String = "{}", headers: String = "") -> String {
  "HTTP/1.1 \(status)\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// What a collector says of a batch that it takes whole.
func accepted(_ request: StubCollector.Request) -> String {
  answer("202 Accepted", #"{"accepted":\#(request.eventCount),"rejected":0,"errors":[],"warnings":[]}"#)
}
