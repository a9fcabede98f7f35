import CLibPQ

extension ConnectionOptions {
  /// The keywords that the installed libpq knows.
  static var knownKeywords: Set<String> {
    var keywords: Set<String> = []
    guard let options = PQconninfoParse("", nil) else { return keywords }
    defer { PQconninfoFree(options) }
    forEachOption(of: options) { keyword, _ in keywords.insert(keyword) }
    return keywords
  }

  /// Has libpq read the text; gives what stands in it, by keyword.
  static func parse(_ text: String) throws(PostgresError) -> [String: String] {
    try refuseZeroBytes(text)
    // The rule of PQconnectdbParams for a dbname: neither a URI nor with "=", it is the name of a database.
    let isURI = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    if !text.isEmpty && !isURI && !text.utf8.contains(UInt8(ascii: "=")) { return ["dbname": text] }

    var message: UnsafeMutablePointer<CChar>?
    guard let options = PQconninfoParse(text, &message) else {
      defer { PQfreemem(message) }
      throw unreadable(message.map { String(cString: $0) } ?? "out of memory")
    }
    defer { PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    forEachOption(of: options) { keyword, value in
      if let value { parameters[keyword] = String(cString: value) }
    }
    if isURI { try refuseMisplacedPassword(parameters) }
    return parameters
  }

  /// An unescaped `/`, `@` or `:` of a password moves the rest of it into host, port or database, which libpq's
  /// messages and ours show. What can only have come so is refused.
  private static func refuseMisplacedPassword(_ parameters: [String: String]) throws(PostgresError) {
    let ports = (parameters["port"] ?? "").split(separator: ",")
    let hosts = (parameters["host"] ?? "").split(separator: ",")
    let isMisplaced =
      ports.contains { Int($0) == nil }
      // A leading @ is a socket of Linux's abstract namespace.
      || hosts.contains { !$0.hasPrefix("/") && $0.dropFirst().contains("@") }
      || (parameters["user"] == nil && parameters["port"] != nil && parameters["dbname"]?.contains("@") == true)
    if isMisplaced { throw unreadable("host, port and database are not where they should be") }
  }

  /// What an attempt to connect really uses: given, or from service and environment.
  static func resolved(_ connection: OpaquePointer) -> [String: String] {
    var parameters: [String: String] = [:]
    guard let options = PQconninfo(connection) else { return parameters }
    defer { PQconninfoFree(options) }
    forEachOption(of: options) { keyword, value in
      if let value, value.pointee != 0 { parameters[keyword] = String(cString: value) }
    }
    return parameters
  }

  static func refuseZeroBytes(_ text: String) throws(PostgresError) {
    if text.utf8.contains(0) { throw PostgresError(.usage, "a connection parameter holds a zero byte") }
  }

  private static func forEachOption(
    of options: UnsafeMutablePointer<PQconninfoOption>, _ body: (String, UnsafeMutablePointer<CChar>?) -> Void
  ) {
    var next = options
    while let keyword = next.pointee.keyword {
      body(String(cString: keyword), next.pointee.val)
      next += 1
    }
  }

  /// libpq's message without the pieces of the string that it quotes: any of them may be of a password.
  private static func unreadable(_ message: String) -> PostgresError {
    let known = knownKeywords
    let pieces = message.onOneLine.split(separator: "\"", omittingEmptySubsequences: false)
    let words = pieces.enumerated().map { position, piece in
      position % 2 == 0 ? String(piece) : known.contains(String(piece)) ? "\"\(piece)\"" : "\"…\""
    }
    return PostgresError(
      .usage,
      "the connection string cannot be read (\(words.joined())); expected key=value pairs or postgresql://…,"
        + " where special characters of a password are percent-encoded")
  }
}
