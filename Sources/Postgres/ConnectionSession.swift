import CLibPQ

/// The libpq calls of one connection that may have to wait, each with its limit.
///
/// A plain value beside the owning handle (`PostgresConnection`), so that a COPY writer can use the same code while it
/// is lent out. Whoever holds one lives shorter than the handle.
struct ConnectionSession {
  let connection: OpaquePointer
  let interrupt: WaitInterrupt

  var isBroken: Bool { PQstatus(connection) == CONNECTION_BAD }

  /// The next result of the statement under way; nil at its end.
  func nextResult(within limit: WaitLimit) throws(PostgresError) -> QueryResult? {
    while PQisBusy(connection) != 0 && !isBroken {
      try wait(for: .reading, within: limit)
      // Zero is a lost connection; what the server said before, PQgetResult still tells.
      if PQconsumeInput(connection) == 0 && !isBroken { throw PostgresError(brokenConnection: connection) }
    }
    guard let result = PQgetResult(connection) else { return nil }
    return QueryResult(owning: result)
  }

  /// Sends what libpq has buffered. Reads meanwhile, so that two full buffers cannot wait for each other.
  ///
  /// - Returns: false where the connection broke: `nextResult` then tells what the server said last.
  func flush(within limit: WaitLimit) throws(PostgresError) -> Bool {
    while true {
      switch PQflush(connection) {
      case 0: return !isBroken
      case 1:
        let ready = try wait(for: .both, within: limit)
        if ready.reading && PQconsumeInput(connection) == 0 { return false }
      default: return false
      }
    }
  }

  /// Sends the statement on its way and takes all its results: gives the last good one, or throws the first error.
  func finishStatement(within limit: WaitLimit) throws(PostgresError) -> QueryResult {
    _ = try flush(within: limit)
    guard let result = try drain(within: limit) else {
      throw PostgresError(.protocolViolation, "the server sent no result")
    }
    return result
  }

  /// Takes all results that are left: nil where there are none.
  func drain(within limit: WaitLimit) throws(PostgresError) -> QueryResult? {
    var kept: QueryResult?
    var failure: PostgresError?
    while let result = try nextResult(within: limit) {
      let status = result.status
      switch status {
      case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
        kept = consume result
      case PGRES_SINGLE_TUPLE:
        continue
      case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
        failure = failure ?? PostgresError(.usage, "COPY from or to the client has to go through copyIn or copyOut")
        try leaveCopy(status, within: limit)
      default:
        failure = failure ?? PostgresError(failedResult: result.pointer, connection: connection)
      }
    }
    if let failure { throw failure }
    return kept
  }
}
