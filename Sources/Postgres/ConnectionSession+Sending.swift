import CLibPQ

extension ConnectionSession {
  /// Sends one statement with its parameters (extended protocol, unnamed).
  func send(_ sql: String, _ parameters: EncodedParameters, _ format: ResultFormat) throws(PostgresError) {
    try Self.refuseZeroBytes(sql)
    let sent = parameters.withPointers { count, types, values, lengths, formats in
      PQsendQueryParams(connection, sql, count, types, values, lengths, formats, format.code)
    }
    try require(sent)
  }

  /// Sends a prepared statement's parameters.
  func send(
    prepared name: String, _ parameters: EncodedParameters, _ format: ResultFormat
  ) throws(PostgresError) {
    let sent = parameters.withPointers { count, _, values, lengths, formats in
      PQsendQueryPrepared(connection, name, count, values, lengths, formats, format.code)
    }
    try require(sent)
  }

  /// Sends statements (simple protocol).
  func send(script sql: String) throws(PostgresError) {
    try Self.refuseZeroBytes(sql)
    try require(PQsendQuery(connection, sql))
  }

  /// libpq's 1 is success; anything else means that nothing was sent.
  func require(_ sent: Int32) throws(PostgresError) {
    guard sent != 1 else { return }
    if isBroken { throw PostgresError(brokenConnection: connection) }
    var error = PostgresError(.usage, "libpq did not take the statement")
    error.serverMessage = String(cString: PQerrorMessage(connection))
    throw error
  }

  /// libpq takes C strings: what stands behind a zero byte would be lost without a word.
  static func refuseZeroBytes(_ text: String) throws(PostgresError) {
    if text.utf8.contains(0) { throw PostgresError(.usage, "a statement or its name holds a zero byte") }
  }
}

/// How the server writes the values of a result.
public enum ResultFormat: Sendable {
  /// As text, in the form of psql: every type, read as `String` only.
  case text
  /// In the types' binary form: what the Swift types decode.
  case binary

  var code: Int32 {
    switch self {
    case .text: 0
    case .binary: 1
    }
  }
}
