import Foundation

/// One request on a connection of its own, written and read as bytes, so that the tests share no code with what they
/// test.
enum HTTPCall {
  /// An answer.
  struct Answer {
    let status: Int
    /// Names in lower case.
    let headers: [String: String]
    let body: String
  }

  /// No answer came: the connection was refused, closed, or silent for too long.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// Sends events to a collector on 127.0.0.1.
  static func postEvents(
    _ body: some Collection<UInt8>, port: Int, key: String? = nil, type: String = "application/json",
    encoding: String? = nil
  ) throws -> Answer {
    var lines = ["POST /v1/events HTTP/1.1", "Content-Type: \(type)", "Content-Length: \(body.count)"]
    if let key { lines.append("Authorization: Bearer \(key)") }
    if let encoding { lines.append("Content-Encoding: \(encoding)") }
    return try send(lines, body: Array(body), port: port)
  }

  /// Sends events as text.
  static func postEvents(_ body: String, port: Int, key: String? = nil) throws -> Answer {
    try postEvents(body.utf8, port: port, key: key)
  }

  /// Asks for a path.
  static func get(_ path: String, port: Int) throws -> Answer {
    try send(["GET \(path) HTTP/1.1"], body: [], port: port)
  }

  /// How long an answer may take.
  private static let patienceSeconds = 20

  private static func send(_ lines: [String], body: [UInt8], port: Int) throws -> Answer {
    let head = (lines + ["Host: 127.0.0.1:\(port)", "Connection: close"]).joined(separator: "\r\n")
    let socket = try connect(port: port)
    defer { close(socket) }
    try write(Array("\(head)\r\n\r\n".utf8) + body, to: socket)
    return try parse(try readAll(socket))
  }

  private static func connect(port: Int) throws -> Int32 {
    #if canImport(Glibc)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw failure("socket") }
    var patience = timeval(tv_sec: patienceSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let status = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        Foundation.connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0 else {
      defer { close(descriptor) }
      throw failure("connect")
    }
    return descriptor
  }

  private static func write(_ bytes: [UInt8], to socket: Int32) throws {
    #if canImport(Glibc)
      let flags = Int32(MSG_NOSIGNAL)
    #else
      let flags: Int32 = 0
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(socket, $0.baseAddress, $0.count, flags) }
      guard count > 0 else { throw failure("send") }
      rest = rest.dropFirst(count)
    }
  }

  private static func readAll(_ socket: Int32) throws -> [UInt8] {
    var received: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket, &piece, piece.count, 0)
      if count == 0 { return received }
      guard count > 0 else { throw failure("receive") }
      received += piece[..<count]
    }
  }

  private static func parse(_ bytes: [UInt8]) throws -> Answer {
    let text = String(decoding: bytes, as: UTF8.self)
    guard let end = text.range(of: "\r\n\r\n") else { throw Failure(description: "no whole answer: '\(text)'") }
    let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
    guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
      throw Failure(description: "no status in '\(lines[0])'")
    }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    return Answer(status: status, headers: headers, body: String(text[end.upperBound...]))
  }

  private static func failure(_ call: String) -> Failure {
    Failure(description: "\(call): \(String(cString: strerror(errno)))")
  }
}
