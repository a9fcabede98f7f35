import Foundation

/// One connection that is kept open: HTTP/1.1, a request at a time, every wait bounded.
struct SenderConnection: ~Copyable {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var request: [UInt8] = []

  /// Seconds without a byte before an attempt counts as unanswered.
  private static let quietSeconds = 60
  /// Bytes of an answer at most.
  private static let mostAnswerBytes = 4 << 20

  /// Connects.
  init(to endpoint: CollectorAddress) throws(HTTPFailure) {
    descriptor = try Self.connect(host: endpoint.host, port: endpoint.port)
  }

  deinit {
    close(descriptor)
  }

  /// Sends a body and waits for the answer.
  mutating func post(_ body: [UInt8], to endpoint: CollectorAddress) throws(HTTPFailure) -> CollectorAnswer {
    request.removeAll(keepingCapacity: true)
    request += endpoint.head
    request.append(decimal: body.count)
    request += "\r\n\r\n".utf8
    request += body
    try sendAll()
    buffer.removeAll(keepingCapacity: true)
    while true {
      var parser = CollectorAnswerParser(buffer)
      switch parser.parse() {
      case .complete(let answer): return answer
      case .malformed: throw HTTPFailure(text: "an answer that is not HTTP")
      case .incomplete:
        guard buffer.count < Self.mostAnswerBytes else { throw HTTPFailure(text: "an answer without end") }
        try receive()
      }
    }
  }

  private func sendAll() throws(HTTPFailure) {
    var sent = 0
    while sent < request.count {
      let count = request.withUnsafeBytes { bytes in
        send(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, Self.noSignal)
      }
      if count < 0 {
        if errno == EINTR { continue }
        throw Self.failure("sending")
      }
      sent += count
    }
  }

  private mutating func receive() throws(HTTPFailure) {
    let start = buffer.count
    let room = 16_384
    buffer.append(contentsOf: repeatElement(0, count: room))
    var count = -1
    repeat {
      count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress?.advanced(by: start), room, 0) }
    } while count < 0 && errno == EINTR
    let failure = count < 0 ? Self.failure("waiting for an answer") : nil
    buffer.removeLast(room - max(0, count))
    if let failure { throw failure }
    if count == 0 { throw HTTPFailure(text: "closed without an answer") }
  }

  private static func failure(_ doing: String) -> HTTPFailure {
    HTTPFailure(text: errno == EAGAIN ? "\(doing): nothing for \(quietSeconds) s" : "\(doing): \(systemMessage(errno))")
  }

  private static func connect(host: String, port: String) throws(HTTPFailure) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = streamSocket
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, port, &hints, &found)
    guard code == 0 else { throw HTTPFailure(text: "\(host): \(String(cString: gai_strerror(code)))") }
    defer { freeaddrinfo(found) }
    var reason = HTTPFailure(text: "\(host) has no address")
    var next = found
    while let address = next?.pointee {
      next = address.ai_next
      let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
      guard descriptor >= 0 else {
        reason = failure("connecting")
        continue
      }
      configure(descriptor)
      if Foundation.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return descriptor }
      reason = failure("connecting")
      close(descriptor)
    }
    throw reason
  }

  private static func configure(_ descriptor: Int32) {
    // Bounds every wait, that of connecting included.
    var wait = timeval()
    wait.tv_sec = quietSeconds
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
    var yes: Int32 = 1
    // A request is written whole; without this its last segment may wait for an acknowledgement.
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    #if canImport(Darwin)
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    private static let streamSocket = SOCK_STREAM
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    private static let streamSocket = Int32(SOCK_STREAM.rawValue)
  #endif
}
