import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// What libmicrohttpd does not bound: how long a request may take in all, and how the last ones end at a stop.

extension HTTPServer {
  /// Looks at every connection's deadline, twice a second.
  func sweepIfDue() {
    let now = MonotonicClock.milliseconds
    guard now >= nextSweepMilliseconds else { return }
    nextSweepMilliseconds = now + limits.sweepMilliseconds
    metrics.openConnections = connections.count
    // Cutting off only shuts the socket: the library closes it, and the list changes, in a later turn.
    for connection in connections.all where !connection.pointee.isShutDown {
      sweep(connection, now)
    }
  }

  private func sweep(_ connection: HTTPConnectionPointer, _ now: Int64) {
    if let request = connection.pointee.request {
      switch request.pointee.phase {
      case .fresh, .body, .awaitingKey:
        if isOverdue(connection, now) { cutOff(connection, saying: .requestTimeout) }
      case .responding:
        if now - request.pointee.answeredAtMilliseconds >= limits.answerMilliseconds {
          cutOff(connection, saying: nil)
        }
      case .judged, .committing, .elsewhere, .answered, .abandoned: break
      }
      return
    }
    if connection.pointee.firstByteMilliseconds == 0 { lookForFirstByte(connection, now) }
    if connection.pointee.firstByteMilliseconds != 0 {
      if isOverdue(connection, now) { cutOff(connection, saying: .requestTimeout) }
    } else if isDraining || now - connection.pointee.idleSinceMilliseconds >= idleMilliseconds(connection) {
      cutOff(connection, saying: nil)
    }
  }

  /// How long a connection may wait for a request. Where it cannot be told whether one has begun, no longer than a head
  /// may take: else a sender could hold its head back for both times, one after the other.
  private func idleMilliseconds(_ connection: HTTPConnectionPointer) -> Int64 {
    connection.pointee.requestBytes < 0
      ? min(limits.idleMilliseconds, limits.requestMilliseconds) : limits.idleMilliseconds
  }

  private func isOverdue(_ connection: HTTPConnectionPointer, _ now: Int64) -> Bool {
    now - connection.pointee.firstByteMilliseconds >= limits.requestMilliseconds
      || isDraining && now >= drainDeadlineMilliseconds
  }

  /// The library says nothing of a head before it is complete, so the kernel is asked whether more bytes have come than
  /// the requests so far had; wherever they are now, also where they came together with the last request.
  private func lookForFirstByte(_ connection: HTTPConnectionPointer, _ now: Int64) {
    let requestBytes = connection.pointee.requestBytes
    guard requestBytes >= 0 else { return }
    guard let received = ReceivedBytes.of(socket: connection.pointee.descriptor), received >= requestBytes else {
      connection.pointee.requestBytes = -1
      return
    }
    if received > requestBytes { connection.pointee.firstByteMilliseconds = now }
  }

  #if os(Linux)
    private static let lastWordFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
  #else
    private static let lastWordFlags = Int32(MSG_DONTWAIT)
  #endif

  /// Ends a connection; what is said goes past the library, which has begun no answer to a request that is incomplete.
  func cutOff(_ connection: HTTPConnectionPointer, saying problem: Problem?) {
    guard !connection.pointee.isShutDown else { return }
    connection.pointee.isShutDown = true
    if let problem {
      metrics.countResponse(status: problem.status)
      let text = answers.rawAnswer(problem)
      text.withUnsafeBytes { bytes in
        // Best effort: a socket that takes nothing now is closed without an answer (contract §2, 408).
        _ = send(connection.pointee.descriptor, bytes.baseAddress, bytes.count, Self.lastWordFlags)
      }
    }
    _ = shutdown(connection.pointee.descriptor, Int32(SHUT_RDWR))
    mustRunAgain = true
  }

  private var drainDeadlineMilliseconds: Int64 {
    switch draining {
    case .no: Int64.max
    case .until(let milliseconds): milliseconds
    }
  }

  /// Stops accepting; what is in flight may end within the drain time.
  func beginDraining() {
    guard !isDraining else { return }
    draining = .until(milliseconds: MonotonicClock.milliseconds + limits.drainMilliseconds)
    for listener in listeners {
      let descriptor = MHD_quiesce_daemon(listener.daemon)
      if descriptor >= 0 { close(descriptor) }
    }
    nextSweepMilliseconds = 0
    sweepIfDue()
  }

  /// Whether nothing is left to wait for. Requests with other threads always come back: these end by themselves.
  var isDrained: Bool {
    guard isDraining else { return false }
    if requestsElsewhere > 0 || !group.isEmpty { return false }
    return requests.inUse == 0 || MonotonicClock.milliseconds >= drainDeadlineMilliseconds + limits.sweepMilliseconds
  }

  /// Closes every connection, and gives all memory back.
  func closeAll() {
    for listener in listeners { MHD_stop_daemon(listener.daemon) }
    listeners.removeAll()
    requests.deallocate()
    connections.deallocate()
  }
}
