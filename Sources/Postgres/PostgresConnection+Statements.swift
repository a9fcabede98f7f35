import CLibPQ

extension PostgresConnection {
  /// Runs one statement by the extended protocol, without a named prepared statement (safe behind PgBouncer).
  ///
  /// - Parameters:
  ///   - sql: one statement; parameters are `$1`, `$2`, …
  ///   - parameters: at most 65,535.
  ///   - timeout: for all of it; nil takes `ConnectionOptions.queryTimeout`.
  ///   - format: how values come; `.text` is for types that this module does not read in binary, and gives `String`s.
  /// - Returns: the whole result, in memory. For large ones see `forEachRow` and `copyOut`.
  @discardableResult
  public mutating func execute(
    _ sql: String, _ parameters: [PostgresValue] = [], timeout: Duration? = nil, format: ResultFormat = .binary
  ) throws(PostgresError) -> QueryResult {
    let encoded = try EncodedParameters(parameters)
    let limit = WaitLimit.total(timeout ?? options.queryTimeout)
    return try perform(sql) { (session) throws(PostgresError) in
      try session.send(sql, encoded, format)
      return try session.finishStatement(within: limit)
    }
  }

  /// Runs any number of statements, separated by semicolons, by the simple protocol: migrations and the like. Without
  /// BEGIN of its own all of them are one transaction. Results are dropped.
  ///
  /// - Throws: the first error; the server runs none of the statements after it.
  public mutating func executeScript(_ sql: String, timeout: Duration? = nil) throws(PostgresError) {
    let limit = WaitLimit.total(timeout ?? options.queryTimeout)
    _ = try perform(sql) { (session) throws(PostgresError) in
      try session.send(script: sql)
      return try session.finishStatement(within: limit)
    }
  }

  /// Prepares a statement under a name, for `executePrepared`. It lives as long as the server's session: not for
  /// PgBouncer in transaction mode.
  public mutating func prepare(_ name: String, _ sql: String, timeout: Duration? = nil) throws(PostgresError) {
    try ConnectionSession.refuseZeroBytes(name)
    let limit = WaitLimit.total(timeout ?? options.queryTimeout)
    _ = try perform(sql) { (session) throws(PostgresError) in
      try ConnectionSession.refuseZeroBytes(sql)
      try session.require(PQsendPrepare(session.connection, name, sql, 0, nil))
      return try session.finishStatement(within: limit)
    }
  }

  /// Runs a statement prepared before.
  @discardableResult
  public mutating func executePrepared(
    _ name: String, _ parameters: [PostgresValue] = [], timeout: Duration? = nil, format: ResultFormat = .binary
  ) throws(PostgresError) -> QueryResult {
    try ConnectionSession.refuseZeroBytes(name)
    let encoded = try EncodedParameters(parameters)
    let limit = WaitLimit.total(timeout ?? options.queryTimeout)
    return try perform("EXECUTE \(name)") { (session) throws(PostgresError) in
      try session.send(prepared: name, encoded, format)
      return try session.finishStatement(within: limit)
    }
  }

  /// Runs `body` and keeps the connection's state true to how it ends.
  mutating func perform<Value: ~Copyable>(
    _ sql: String, _ body: (ConnectionSession) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    try checkUsable()
    do throws(PostgresError) {
      return try body(session)
    } catch {
      settle(after: error)
      var complete = error
      complete.statement = sql
      throw complete
    }
  }

  /// Refuses before anything is sent: what fails here has had no effect.
  func checkUsable() throws(PostgresError) {
    guard isUsable else {
      throw PostgresError(.connection, "the connection is lost or was given up: connect anew")
    }
    if session.interrupt.isTriggered { throw PostgresError(.interrupted, "the connection was interrupted") }
    if transactionStatus == .active { throw PostgresError(.usage, "another statement is under way") }
  }

  /// After an error that leaves a statement without a known end, the connection is given up, and the server asked to
  /// cancel what it may still do: a closed socket alone would not stop it.
  mutating func settle(after error: PostgresError) {
    guard error.endsConnection || session.isBroken else { return }
    isGivenUp = true
    switch error.kind {
    case .timeout, .interrupted: cancellation.cancelGivenUpQuery()
    case .connection, .server, .protocolViolation, .decoding, .usage: break
    }
  }
}
