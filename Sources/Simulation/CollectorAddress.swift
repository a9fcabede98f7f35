import Foundation

/// Where requests go, and the part of a request's head that never changes.
struct CollectorAddress: Sendable {
  /// The address for messages, without the key.
  let address: String
  let host: String
  let port: String
  /// The head up to the number of `Content-Length`.
  let head: [UInt8]

  init(baseURL: String, key: String?) throws(SimulationError) {
    guard let parts = URLComponents(string: baseURL), let host = parts.host, !host.isEmpty, parts.query == nil else {
      throw .invalidConfiguration("\(baseURL) is no address: expected one such as http://127.0.0.1:8787")
    }
    guard parts.scheme == "http" else {
      throw .invalidConfiguration(
        "the simulator sends over plain http only: write the events to a file and send that, or use a tunnel")
    }
    if let key, !key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) {
      throw .invalidConfiguration("the key holds a character that no key has")
    }
    // URLComponents keeps the brackets of an IPv6 address, getaddrinfo does not take them.
    self.host = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    port = String(parts.port ?? 80)
    address = baseURL
    let path =
      (parts.percentEncodedPath.hasSuffix("/") ? String(parts.percentEncodedPath.dropLast()) : parts.percentEncodedPath)
    var lines = "POST \(path)/v1/events HTTP/1.1\r\nHost: \(host):\(port)\r\nContent-Type: application/json\r\n"
    lines += "User-Agent: pagefall-simulator\r\n"
    if let key { lines += "Authorization: Bearer \(key)\r\n" }
    head = Array((lines + "Content-Length: ").utf8)
  }
}

/// Why no answer came.
struct HTTPFailure: Error {
  /// What happened, in one line.
  let text: String
}

/// An answer, as far as a sender needs it.
struct CollectorAnswer: Equatable, Sendable {
  var status = 0
  /// The status line without the version, such as `503 Service Unavailable`.
  var line = ""
  var retryAfterSeconds: Int?
  var closesConnection = false
  var body: [UInt8] = []
}
