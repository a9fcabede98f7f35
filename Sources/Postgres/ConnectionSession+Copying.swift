import CLibPQ

extension ConnectionSession {
  /// Ends the sending of COPY data: well (nil), or with a reason that makes the server refuse all of it.
  ///
  /// - Returns: false where the connection broke.
  func putCopyEnd(_ refusal: String?, within limit: WaitLimit) throws(PostgresError) -> Bool {
    while true {
      switch PQputCopyEnd(connection, refusal) {
      case 1: return try flush(within: limit)
      case 0: if try !makeRoom(within: limit) { return false }
      default: return false
      }
    }
  }

  /// Hands COPY data to libpq, which copies it.
  ///
  /// - Returns: false where the connection broke.
  func putCopyData(_ bytes: UnsafeRawBufferPointer, within limit: WaitLimit) throws(PostgresError) -> Bool {
    while true {
      switch PQputCopyData(connection, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count)) {
      case 1: return true
      case 0: if try !makeRoom(within: limit) { return false }
      default: return false
      }
    }
  }

  /// The next piece of COPY data from the server, to be freed with `PQfreemem`; nil at the end, which `finishStatement`
  /// then explains.
  func nextCopyData(within limit: WaitLimit) throws(PostgresError) -> UnsafeMutableRawBufferPointer? {
    while true {
      var buffer: UnsafeMutablePointer<CChar>?
      let count = PQgetCopyData(connection, &buffer, 1)
      if count > 0 { return UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)) }
      guard count == 0 else { return nil }
      try wait(for: .reading, within: limit)
      if PQconsumeInput(connection) == 0 { return nil }
    }
  }

  /// Ends a COPY that nobody asked for.
  func leaveCopy(_ status: ExecStatusType, within limit: WaitLimit) throws(PostgresError) {
    if status == PGRES_COPY_IN {
      _ = try putCopyEnd("not expected here", within: limit)
    } else {
      while let piece = try nextCopyData(within: limit) { PQfreemem(piece.baseAddress) }
    }
  }

  /// Sends a COPY statement and takes its first answer.
  func startCopy(_ sql: String, _ expected: ExecStatusType, within limit: WaitLimit) throws(PostgresError) {
    try send(script: sql)
    _ = try flush(within: limit)
    guard let result = try nextResult(within: limit) else {
      throw PostgresError(.protocolViolation, "the server sent no result")
    }
    let status = result.status
    if status == expected { return }
    let failure =
      result.isFailure
      ? PostgresError(failedResult: result.pointer, connection: connection)
      : PostgresError(.usage, "the statement is not the COPY that this call is for")
    if [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status) { try leaveCopy(status, within: limit) }
    do throws(PostgresError) {
      _ = try drain(within: limit)
    } catch {
      // What else the statement answers matters only where it ends the connection.
      if error.endsConnection && !failure.endsConnection { throw error }
    }
    throw failure
  }

  /// libpq's buffer could not grow: wait until some of it is sent.
  private func makeRoom(within limit: WaitLimit) throws(PostgresError) -> Bool {
    let ready = try wait(for: .both, within: limit)
    if ready.reading && PQconsumeInput(connection) == 0 { return false }
    return PQflush(connection) >= 0
  }
}
