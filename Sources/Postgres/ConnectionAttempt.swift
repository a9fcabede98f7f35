import CLibPQ

/// Connecting without blocking, host after host.
///
/// libpq keeps `connect_timeout` only in its blocking functions, and gives no way to leave a host that does not answer
/// for the next one. So several hosts are tried here one by one, each with its own limit, by libpq's rules.
struct ConnectionAttempt {
  let options: ConnectionOptions
  let interrupt: WaitInterrupt
  let notices: NoticeSink

  /// Connects; the connection is returned nonblocking.
  func run() throws(PostgresError) -> OpaquePointer {
    var parameters = options.parameters
    // Texts are read and written as UTF-8 here, whatever PGCLIENTENCODING says.
    parameters["client_encoding"] = "UTF8"
    let first = try start(parameters)
    let resolved = ConnectionOptions.resolved(first)
    let timeout = timeout(resolved)
    let hosts = HostList(resolved)
    guard hosts.count > 1 else { return try finish(first, within: timeout) }
    PQfinish(first)
    return try connect(to: hosts, parameters, resolved, within: timeout)
  }

  private func connect(
    to hosts: HostList, _ parameters: [String: String], _ resolved: [String: String], within timeout: Duration
  ) throws(PostgresError) -> OpaquePointer {
    // libpq's prefer-standby: first round any standby, second round anything.
    let wanted = resolved["target_session_attrs"] ?? "any"
    let rounds = wanted == "prefer-standby" ? ["standby", "any"] : [wanted]
    let order = resolved["load_balance_hosts"] == "random" ? Array(0..<hosts.count).shuffled() : Array(0..<hosts.count)
    var failure = PostgresError(.usage, "no host is given")
    for attributes in rounds {
      for index in order {
        let single = parameters.merging(hosts.parameters(at: index)) { $1 }
          .merging(["target_session_attrs": attributes]) { $1 }
        do throws(PostgresError) {
          return try finish(try start(single), within: timeout)
        } catch {
          failure = error
          if !error.allowsNextHost { throw error }
        }
      }
    }
    throw failure
  }

  /// Begins an attempt. May block in getaddrinfo(3).
  private func start(_ parameters: [String: String]) throws(PostgresError) -> OpaquePointer {
    if interrupt.isTriggered { throw PostgresError(.interrupted, "connecting was interrupted") }
    let sorted = parameters.sorted { $0.key < $1.key }
    let connection = CStringArray.withPointers(sorted.map(\.key)) { keywords in
      CStringArray.withPointers(sorted.map(\.value)) { values in PQconnectStartParams(keywords, values, 0) }
    }
    guard let connection else { throw PostgresError(.connection, "no memory for a connection") }
    notices.install(on: connection)
    // The only way to the SQLSTATE of a refused connection: libpq keeps no result of it, but writes it into the text.
    PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    return connection
  }

  /// Follows an attempt to its end; on failure it is closed.
  private func finish(_ connection: OpaquePointer, within timeout: Duration) throws(PostgresError) -> OpaquePointer {
    do throws(PostgresError) {
      let session = ConnectionSession(connection: connection, interrupt: interrupt)
      let limit = WaitLimit.total(timeout)
      var status = PQstatus(connection) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
      while status != PGRES_POLLING_OK {
        if status == PGRES_POLLING_FAILED { throw PostgresError(refusedConnection: connection) }
        do throws(PostgresError) {
          try session.wait(for: status == PGRES_POLLING_READING ? .reading : .writing, within: limit)
        } catch {
          throw error.whileConnecting(to: connection, within: timeout)
        }
        status = PQconnectPoll(connection)
      }
      PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
      guard PQsetnonblocking(connection, 1) == 0 else { throw PostgresError(brokenConnection: connection) }
      return connection
    } catch {
      PQfinish(connection)
      throw error
    }
  }

  private func timeout(_ resolved: [String: String]) -> Duration {
    if let timeout = options.connectTimeout { return timeout }
    guard let seconds = resolved["connect_timeout"].flatMap({ Int($0) }), seconds > 0 else { return .seconds(10) }
    return .seconds(max(2, seconds))
  }
}

/// The hosts of `host`, `hostaddr` and `port`, which hold lists of equal length (`port` also a single one).
private struct HostList {
  let names: [Substring]
  let addresses: [Substring]
  let ports: [Substring]

  init(_ parameters: [String: String]) {
    names = Self.list(parameters["host"])
    addresses = Self.list(parameters["hostaddr"])
    ports = Self.list(parameters["port"])
  }

  var count: Int { max(addresses.isEmpty ? names.count : addresses.count, 1) }

  func parameters(at index: Int) -> [String: String] {
    var single: [String: String] = [:]
    for (keyword, list) in [("host", names), ("hostaddr", addresses), ("port", ports)] where !list.isEmpty {
      single[keyword] = String(list.count == 1 ? list[0] : index < list.count ? list[index] : "")
    }
    return single
  }

  private static func list(_ text: String?) -> [Substring] {
    text?.split(separator: ",", omittingEmptySubsequences: false) ?? []
  }
}
