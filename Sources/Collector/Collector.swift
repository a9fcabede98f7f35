// Collector: events in over HTTP, out into PostgreSQL, durable in between.
//
//   Collector, CollectorParts, CollectorThreads   what it is made of, and the order of start and stop
//   Routes, Endpoints/   what answers at each path
//   HTTP/                the engine: libmicrohttpd in a loop of ours, with deadlines, limits and error answers
//   Bodies/              decompressing and judging a body, on the HTTP thread or on a worker
//   Keys/                who may send: the known keys, and asking the database for others
//   SpoolCommitter       one sync for all requests of a turn
//   LoadingService       the loader and the housekeeping, which run beside
//   Metrics/             what is counted, and its text
//   System/              threads, locks, clocks and limits of the system

import CSodium
import EventStore
import Postgres
import ServiceLog
import Spool

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Takes events over HTTP, makes them durable, and loads them into PostgreSQL (architecture §1–§3).
///
/// Its threads, each with its own state: `http` (requests and the group commit), `worker-N` (large bodies), `keys`
/// (asks for keys), `spool` (deletes old files), `loader`, and `housekeeping` (months ahead, bounds of
/// what was rejected). Everything between them is a queue or a counter.
public final class Collector: Sendable {
  private let configuration: CollectorConfiguration
  private let log: ServiceLog
  private let now: @Sendable () -> Int64
  private let spoolEnvironment: SpoolEnvironment
  /// Whether `stop` was called.
  private let isStopping = Monitor(false)

  /// - Parameters:
  ///   - log: where it says what happens to it.
  ///   - now: the clock that `received` is read from, in microseconds since 1970; nil: the system's.
  public convenience init(
    _ configuration: CollectorConfiguration, log: ServiceLog = .disabled, now: (@Sendable () -> Int64)? = nil
  ) {
    self.init(configuration, log: log, now: now, spoolEnvironment: .system)
  }

  init(
    _ configuration: CollectorConfiguration, log: ServiceLog, now: (@Sendable () -> Int64)?,
    spoolEnvironment: SpoolEnvironment
  ) {
    self.configuration = configuration
    self.log = log
    self.now = now ?? { WallClock.microseconds }
    self.spoolEnvironment = spoolEnvironment
  }

  /// Ends `run`, which then drains. Any thread, any number of times, also before `run`; not from within a signal handler.
  public func stop() {
    isStopping.withLock { $0 = true }
    isStopping.signal()
  }

  /// Serves until `stop` is called; when it returns or throws, everything has stopped and every socket and file is closed.
  ///
  /// Within ten seconds of `stop`, whatever the database does.
  ///
  /// - Parameter ready: called once, when events are taken.
  public func run(ready: (CollectorAddresses) -> Void) throws(CollectorError) {
    MemoryPolicy.apply()
    guard sodium_init() >= 0 else { throw .system(operation: "start libsodium", code: ENOSYS) }
    let maximumConnections = OpenFiles.allow(connections: configuration.maximumConnections, log: log)

    // The order of the start: what can be refused comes first, what others stand on before them.
    let eventsSocket = try ListeningSocket(configuration.listen, loopbackOnly: configuration.isOpen)
    let metricsSocket = try configuration.metricsListen.map { address throws(CollectorError) in
      SocketHolder(try ListeningSocket(address, loopbackOnly: false))
    }
    let addresses = CollectorAddresses(events: eventsSocket.address, metrics: metricsSocket?.address)
    let spool = try openSpool()
    let mailbox = try HTTPMailbox()
    let budget = ByteBudget(limitBytes: configuration.maximumBytesInFlight)
    let workers = BodyWorkers()
    let loading = try LoadingService(configuration, spool: spool, log: log, now: now)
    let keys = configuration.isOpen ? nil : KeyLookups()

    let answers = try AnswerShelf()
    let metrics = HTTPMetrics()
    let gate = KeyGate(
      openApp: configuration.isOpen ? configuration.openApp : nil,
      eventsPerSecond: configuration.maximumEventsPerSecond, answers: answers, metrics: metrics, lookups: keys)
    let parts = CollectorParts(
      answers: answers, metrics: metrics, keys: gate, spool: spool, workers: workers, budget: budget, mailbox: mailbox,
      loading: { loading.figures }, hasMetricsAddress: metricsSocket != nil, startedAtMicroseconds: now(),
      version: configuration.version, log: log)
    let events = EventsEndpoint(parts)
    var limits = HTTPLimits()
    limits.maximumConnections = maximumConnections
    limits.requestMilliseconds = configuration.requestTimeout.milliseconds
    let server = HTTPServer(
      limits: limits, endpoints: Routes.all(parts, events: events),
      committer: SpoolCommitter(spool: spool, metrics: metrics, log: log), budget: budget, mailbox: mailbox,
      metrics: metrics, answers: answers, now: now)
    try server.listen(on: eventsSocket, kind: .main)
    if let metricsSocket { try server.listen(on: metricsSocket.take(), kind: .metrics) }

    var threads = CollectorThreads()
    do {
      let onHTTP = HTTPThreadOnly(gate: gate, events: events)
      try threads.startKeys(keys, configuration, mailbox: mailbox, onHTTP: onHTTP, log: log)
      try threads.startWorkers(configuration.workers, workers, budget: budget, mailbox: mailbox, onHTTP: onHTTP)
      try threads.startLoading(loading)
      try threads.startHTTP(server)
    } catch {
      stopAll(threads, mailbox: mailbox, keys: keys, workers: workers, loading: loading, spool: spool)
      throw error
    }
    ready(addresses)
    _ = isStopping.wait(milliseconds: nil) { $0 ? true : nil }
    log.info("stopping")
    stopAll(threads, mailbox: mailbox, keys: keys, workers: workers, loading: loading, spool: spool)
  }

  /// The order of the stop: nothing new is accepted and what is in flight is drained and committed (HTTP); then nobody
  /// asks the others any more, so keys and workers end; then the loader; then the spool is given free.
  private func stopAll(
    _ threads: borrowing CollectorThreads, mailbox: HTTPMailbox, keys: KeyLookups?, workers: BodyWorkers,
    loading: LoadingService, spool: Spool
  ) {
    mailbox.stop()
    threads.http?.join()
    keys?.stop()
    threads.keyInterrupt?.trigger()
    threads.keys?.join()
    workers.stop()
    for worker in threads.workers { worker.join() }
    loading.stop()
    for thread in threads.loading { thread.join() }
    spool.close()
  }

  private func openSpool() throws(CollectorError) -> Spool {
    let log = log
    do {
      return try Spool(configuration.spool, environment: spoolEnvironment) { event in
        switch event.severity {
        case .info: log.info("spool", ["event": .string(event.description)])
        case .warning: log.warning("spool", ["event": .string(event.description)])
        case .error: log.error("spool", ["event": .string(event.description)])
        }
      }
    } catch {
      throw .spool(error)
    }
  }
}

extension Duration {
  /// Whole milliseconds.
  var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
