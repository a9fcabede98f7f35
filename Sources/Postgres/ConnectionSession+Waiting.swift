import CLibPQ

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension ConnectionSession {
  /// What the connection's socket is waited for.
  enum Readiness {
    case reading
    case writing
    case both

    fileprivate var events: Int16 {
      switch self {
      case .reading: Int16(POLLIN)
      case .writing: Int16(POLLOUT)
      case .both: Int16(POLLIN | POLLOUT)
      }
    }
  }

  /// The only place where a thread waits for the server.
  ///
  /// - Returns: whether there is something to read (or an error that reading will tell).
  /// - Throws: `.timeout`, `.interrupted`, `.connection`. The statement under way then has no known end.
  @discardableResult
  func wait(for readiness: Readiness, within limit: WaitLimit) throws(PostgresError) -> (reading: Bool, writing: Bool) {
    let socket = PQsocket(connection)
    guard socket >= 0 else { throw PostgresError(brokenConnection: connection) }
    let ready: (first: Int16, second: Int16)
    do throws(SystemCallFailure) {
      ready = try SystemCalls.poll(socket, for: readiness.events, and: interrupt.descriptor, until: limit.deadline)
    } catch {
      throw PostgresError(.connection, "waiting for the server failed: \(error.message)")
    }
    if ready.second != 0 { throw PostgresError(.interrupted, "the wait for the server was interrupted") }
    if ready.first == 0 { throw PostgresError(.timeout, "no answer from the server within \(limit.text)") }
    let failed = ready.first & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    return (ready.first & Int16(POLLIN) != 0 || failed, ready.first & Int16(POLLOUT) != 0 || failed)
  }
}
