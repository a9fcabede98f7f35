import CLibPQ

extension PostgresConnection {
  /// Runs one statement and hands its rows over as they come, in bounded memory.
  ///
  /// Where `body` throws, the statement is cancelled, and that error thrown; the connection stays usable where the
  /// server obeys within five seconds. (In a transaction, the cancelled statement fails the transaction.)
  ///
  /// - Parameter timeout: the longest time without a row. The time that `body` takes does not count.
  public mutating func forEachRow(
    _ sql: String, _ parameters: [PostgresValue] = [], timeout: Duration? = nil,
    _ body: (borrowing QueryRow) throws -> Void
  ) throws {
    let encoded = try EncodedParameters(parameters)
    let limit = WaitLimit.each(timeout ?? options.queryTimeout)
    try perform(sql) { (session) throws(PostgresError) in
      try session.send(sql, encoded, .binary)
      guard PQsetSingleRowMode(session.connection) == 1 else {
        throw PostgresError(brokenConnection: session.connection)
      }
      _ = try session.flush(within: limit)
    }
    while let result = try continuing(sql, { (session) throws(PostgresError) in try session.nextRow(within: limit) }) {
      do { try body(QueryRow(of: result.pointer, row: 0)) } catch {
        cancelAndDrain(sql)
        throw error
      }
    }
  }

  /// Runs `COPY … TO STDOUT` and hands its data over as it comes, in bounded memory.
  ///
  /// Where `body` throws, the COPY is cancelled, and that error thrown, as in `forEachRow`.
  ///
  /// - Parameters:
  ///   - timeout: the longest time without data.
  ///   - body: gets each message of the server, which is a row; the bytes are valid during the call only.
  public mutating func copyOut(
    _ sql: String, timeout: Duration? = nil, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let limit = WaitLimit.each(timeout ?? options.queryTimeout)
    try perform(sql) { (session) throws(PostgresError) in
      try session.startCopy(sql, PGRES_COPY_OUT, within: limit)
    }
    while let piece = try continuing(
      sql, { (session) throws(PostgresError) in try session.nextCopyData(within: limit) })
    {
      defer { PQfreemem(piece.baseAddress) }
      do { try body(UnsafeRawBufferPointer(piece)) } catch {
        cancelAndDrain(sql)
        throw error
      }
    }
    _ = try continuing(sql) { (session) throws(PostgresError) in try session.finishStatement(within: limit) }
  }

  /// As `perform`, in the middle of a statement.
  mutating func continuing<Value: ~Copyable>(
    _ sql: String, _ body: (ConnectionSession) throws(PostgresError) -> Value
  ) throws(PostgresError) -> Value {
    do throws(PostgresError) {
      return try body(session)
    } catch {
      settle(after: error)
      var complete = error
      complete.statement = sql
      throw complete
    }
  }

  /// Leaves a statement whose rest is not wanted.
  private mutating func cancelAndDrain(_ sql: String) {
    cancellation.cancelQuery()
    let limit = WaitLimit.each(options.queryTimeout).atMost(.seconds(5))
    // That it was cancelled is what we wanted; anything graver has settled the connection's state.
    _ = try? continuing(sql) { (session) throws(PostgresError) in
      try session.finishStatement(within: limit)
    }
  }
}

extension ConnectionSession {
  /// The next single row; nil at the end.
  fileprivate func nextRow(within limit: WaitLimit) throws(PostgresError) -> QueryResult? {
    guard let result = try nextResult(within: limit) else { return nil }
    let status = result.status
    if status == PGRES_SINGLE_TUPLE { return result }
    let failure: PostgresError? =
      if result.isFailure {
        PostgresError(failedResult: result.pointer, connection: connection)
      } else if [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status) {
        PostgresError(.usage, "COPY from or to the client has to go through copyIn or copyOut")
      } else { nil }
    if status == PGRES_COPY_IN || status == PGRES_COPY_OUT { try leaveCopy(status, within: limit) }
    do throws(PostgresError) {
      _ = try drain(within: limit)
    } catch {
      throw failure ?? error
    }
    if let failure { throw failure }
    return nil
  }
}
