import CMicroHTTPD

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The HTTP engine: libmicrohttpd driven by a loop of our own, on one thread (architecture §3).
///
/// One turn of the loop reads what has come, lets the endpoints judge and append what is complete, commits all of it
/// with one sync, and answers. A request that waits for that sync stays with the library, which asks for its answer
/// again in the next turn (documented at `MHD_AccessHandlerCallback`); only a request that waits for another thread is
/// suspended, because asking for it again and again would keep the loop busy.
///
/// Everything here belongs to the thread that calls `run()`. Others reach it through `mailbox`.
final class HTTPServer {
  let limits: HTTPLimits
  let endpoints: [any HTTPEndpoint]
  let committer: any GroupCommitter
  let mailbox: HTTPMailbox
  let metrics: HTTPMetrics
  let answers: AnswerShelf
  let now: @Sendable () -> Int64

  var listeners: [HTTPListener] = []
  var connections = HTTPConnectionList()
  var requests = HTTPRequestPool()
  let budget: ByteBudget
  /// Requests that are appended and wait for the sync of this turn.
  var group = ContiguousArray<HTTPRequestPointer>()
  /// Requests with another thread, so suspended.
  var requestsElsewhere = 0
  var mustRunAgain = false
  /// The last sync has let answers go that the library has not taken yet.
  var hasNewAnswers = false
  var draining: Draining = .no
  var nextSweepMilliseconds: Int64 = 0

  /// How far the shutdown is.
  enum Draining {
    /// Serving.
    case no
    /// No new connection and no new request; what is in flight may end until this time of the monotonic clock.
    case until(milliseconds: Int64)
  }

  /// - Parameters:
  ///   - endpoints: in the order in which paths are compared.
  ///   - now: microseconds since 1970.
  init(
    limits: HTTPLimits, endpoints: [any HTTPEndpoint], committer: any GroupCommitter, budget: ByteBudget,
    mailbox: HTTPMailbox, metrics: HTTPMetrics, answers: AnswerShelf, now: @escaping @Sendable () -> Int64
  ) {
    self.limits = limits
    self.endpoints = endpoints
    self.committer = committer
    self.budget = budget
    self.mailbox = mailbox
    self.metrics = metrics
    self.answers = answers
    self.now = now
    group.reserveCapacity(limits.maximumConnections + HTTPLimits.spareConnections)
  }

  /// Begins to serve a socket; before `run()`.
  func listen(on socket: consuming ListeningSocket, kind: HTTPListenerKind) throws(CollectorError) {
    let address = socket.address
    var options = pagefall_mhd_options()
    options.context = Unmanaged.passUnretained(self).toOpaque()
    options.handler = kind == .main ? handleMainRequest : handleMetricsRequest
    options.notify_completed = handleCompletedRequest
    options.notify_connection = handleConnection
    options.listen_socket = socket.release()
    options.connection_limit = UInt32(limits.maximumConnections + HTTPLimits.spareConnections)
    options.connection_memory_bytes = HTTPLimits.connectionMemoryBytes
    options.connection_memory_increment_bytes = HTTPLimits.connectionMemoryIncrementBytes
    guard let daemon = pagefall_mhd_start(&options) else {
      close(options.listen_socket)
      throw CollectorError.cannotServe(address: address.description, code: errno)
    }
    listeners.append(HTTPListener(daemon: daemon, kind: kind, descriptor: pagefall_mhd_epoll_descriptor(daemon)))
  }

  /// Serves until `mailbox.stop()`, then drains: when it returns every request has its answer or was cut off, and
  /// every socket is closed.
  func run() {
    while true {
      waitForWork()
      takeMail()
      runDaemons()
      // The library takes an answer in one call and sends it in the next: both before the next sync, or every answer
      // would wait for two.
      if hasNewAnswers { runDaemons() }
      hasNewAnswers = false
      commitGroup()
      sweepIfDue()
      if isDrained { break }
    }
    closeAll()
  }

  private func runDaemons() {
    for listener in listeners { _ = MHD_run(listener.daemon) }
  }

  /// Waits for the network, another thread or the next sweep.
  private func waitForWork() {
    if mustRunAgain {
      mustRunAgain = false
      return
    }
    if listeners.contains(where: { $0.descriptor < 0 }) {
      // Without epoll the library waits itself, and cannot be woken from elsewhere: briefly, then.
      for listener in listeners { _ = MHD_run_wait(listener.daemon, mailbox.hasMail ? 0 : 10) }
      return
    }
    var milliseconds: UInt64 = 0
    for listener in listeners where MHD_get_timeout(listener.daemon, &milliseconds) == pagefall_mhd_yes {
      if milliseconds == 0 { return }
    }
    withUnsafeTemporaryAllocation(of: pollfd.self, capacity: listeners.count + 1) { waits in
      waits.initializeElement(at: 0, to: pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0))
      for (index, listener) in listeners.enumerated() {
        waits.initializeElement(
          at: index + 1, to: pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0))
      }
      let timeout = connections.isEmpty && !isDraining ? -1 : Int32(limits.sweepMilliseconds)
      _ = poll(waits.baseAddress, nfds_t(waits.count), timeout)
    }
  }

  /// One sync for all that this turn has appended (architecture §2, "Acknowledged is durable"); only then answers.
  private func commitGroup() {
    guard !group.isEmpty else { return }
    let isDurable = committer.commit(requests: group.count)
    for request in group {
      if request.pointee.phase == .abandoned {
        requests.recycle(request, budget: budget)
        continue
      }
      if !isDurable {
        setAnswer(request, answers.problem(.commitFailed))
      }
      answer(request)
    }
    group.removeAll(keepingCapacity: true)
    mustRunAgain = true
    hasNewAnswers = true
  }

  var isDraining: Bool {
    switch draining {
    case .no: false
    case .until: true
    }
  }
}
