import CLibPQ

extension PostgresConnection {
  /// Runs `COPY … FROM STDIN` with the data that `body` writes.
  ///
  /// Where `body` returns, the COPY ends and is stored (in a transaction: with it). Where `body` throws, the COPY is
  /// aborted, nothing of it is stored, and `body`'s error is thrown, not the server's about the abortion.
  ///
  /// - Parameters:
  ///   - timeout: the longest time without progress: no byte taken, or no answer at the end.
  ///   - body: gets the writer. `BinaryCopyEncoder` makes the bytes for `(FORMAT binary)`.
  /// - Returns: the number of rows that the server stored.
  @discardableResult
  public mutating func copyIn<Failure: Error>(
    _ sql: String, timeout: Duration? = nil, _ body: (inout CopyWriter) throws(Failure) -> Void
  ) throws -> Int {
    let limit = WaitLimit.each(timeout ?? options.queryTimeout)
    try perform(sql) { (session) throws(PostgresError) in
      try session.startCopy(sql, PGRES_COPY_IN, within: limit)
    }
    var writer = CopyWriter(session: session, limit: limit)
    do {
      try body(&writer)
    } catch {
      abortCopy(sql, after: writer.failure, within: limit)
      throw error
    }
    return try continuing(sql) { [failure = writer.failure] (session) throws(PostgresError) in
      if let failure { throw failure }
      _ = try session.putCopyEnd(nil, within: limit)
      return try session.finishStatement(within: limit).affectedRows
    }
  }

  private mutating func abortCopy(_ sql: String, after failure: PostgresError?, within limit: WaitLimit) {
    if let failure { return settle(after: failure) }
    // The server's answer is an error by nature; anything graver has settled the connection's state.
    _ = try? continuing(sql) { (session) throws(PostgresError) in
      _ = try session.putCopyEnd("given up by the client", within: limit)
      return try session.finishStatement(within: limit)
    }
  }
}
