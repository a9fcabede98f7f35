#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Speaks raw bytes to a port of the loopback.
final class RawClient {
  private let descriptor: Int32
  private var received: [UInt8] = []

  /// - Parameter receiveBufferBytes: how much the kernel holds for a client that does not read; nil: much.
  init(port: UInt16, receiveBufferBytes: Int32? = nil) {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    if var bytes = receiveBufferBytes {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    setReceiveTimeout(milliseconds: 10_000)
  }

  deinit { close(descriptor) }

  func setReceiveTimeout(milliseconds: Int) {
    var time = timeval(tv_sec: milliseconds / 1000, tv_usec: .init(milliseconds % 1000 * 1000))
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Whether all bytes were taken.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { rest in
        #if canImport(Glibc)
          Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        #else
          Darwin.send(descriptor, rest.baseAddress, rest.count, 0)
        #endif
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  func closeSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// An answer as it came.
  struct Answer {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  /// The next answer; nil where the connection ends before it is complete.
  func answer(toHead: Bool = false) -> Answer? {
    while true {
      if let answer = takeAnswer(toHead: toHead) { return answer }
      guard readMore() else { return nil }
    }
  }

  /// Whether the other side closes, without further bytes.
  func isClosed() -> Bool {
    if !received.isEmpty { return false }
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, 0)
    if count > 0 { received.append(byte) }
    return count == 0 || count < 0 && errno == ECONNRESET
  }

  /// All bytes until the other side closes.
  func everything() -> String {
    while readMore() {}
    return String(decoding: received, as: UTF8.self)
  }

  private func readMore() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }

  private func takeAnswer(toHead: Bool) -> Answer? {
    let separator: [UInt8] = [13, 10, 13, 10]
    guard let end = received.firstRange(of: separator) else { return nil }
    let lines = String(decoding: received[..<end.lowerBound], as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let status = Int(lines[0].split(separator: " ")[1]) ?? 0
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts[1].drop { $0 == " " }.description
    }
    let length = toHead || status == 100 ? 0 : Int(headers["content-length"] ?? "0") ?? 0
    guard received.count - end.upperBound >= length else { return nil }
    let body = Array(received[end.upperBound..<end.upperBound + length])
    received.removeFirst(end.upperBound + length)
    return Answer(status: status, headers: headers, body: body)
  }
}
