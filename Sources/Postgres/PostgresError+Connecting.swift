import CLibPQ

extension PostgresError {
  /// From an attempt to connect that failed.
  ///
  /// The text is libpq's: it names host, port, user and database, and no values. Where the server refused, the verbose
  /// form has its SQLSTATE behind the severity: `FATAL:  28P01: password authentication failed for user "…"`.
  init(refusedConnection connection: OpaquePointer) {
    let lines = String(cString: PQerrorMessage(connection)).split(separator: "\n")
      .filter { !$0.hasPrefix("LOCATION:") }
    let text = lines.joined(separator: " ").onOneLine
    if PQconnectionNeedsPassword(connection) != 0 {
      self.init(
        .usage,
        "\(text); give the password in PGPASSWORD, the passfile (~/.pgpass) or the connection string")
    } else if PQhost(connection).map({ $0.pointee == 0 }) ?? true {
      // Not even a host was found out: the parameters are at fault, such as a service that no file defines.
      self.init(.usage, text)
    } else if let state = Self.sqlState(inVerbose: lines) {
      self.init(.server(state), text)
      severity = .fatal
    } else {
      self.init(.connection, text.isEmpty ? "no connection could be made" : text)
    }
  }

  /// A wait that ended while connecting, with the place it was for.
  func whileConnecting(to connection: OpaquePointer, within timeout: Duration) -> PostgresError {
    guard kind == .timeout else { return self }
    let host = PQhost(connection).map { String(cString: $0) } ?? ""
    let port = PQport(connection).map { String(cString: $0) } ?? ""
    return PostgresError(.timeout, "no connection to \(host.onOneLine) port \(port.onOneLine) within \(timeout)")
  }

  /// Whether libpq would go on to the next host: not where this one answered with a refusal, unless it only starts up.
  var allowsNextHost: Bool {
    switch kind {
    case .connection, .timeout: true
    case .server(let state): state == .cannotConnectNow
    case .interrupted, .protocolViolation, .decoding, .usage: false
    }
  }

  /// The last `:  XXXXX: ` of the text.
  private static func sqlState(inVerbose lines: [Substring]) -> SQLState? {
    for line in lines.reversed() {
      var rest = Array(line.utf8)[...]
      while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
        rest = rest[(colon + 1)...]
        let words = rest.prefix(8)
        guard words.count == 8, words.starts(with: "  ".utf8), words.last == UInt8(ascii: ":") else { continue }
        if let state = SQLState(String(decoding: words.dropFirst(2).dropLast(), as: UTF8.self)) { return state }
      }
    }
    return nil
  }
}
