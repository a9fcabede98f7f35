import Postgres
import ServiceLog

/// The threads of a running collector.
struct CollectorThreads {
  var http: NamedThread?
  var keys: NamedThread?
  var workers: [NamedThread] = []
  var loading: [NamedThread] = []
  /// Ends whatever the key thread waits for.
  var keyInterrupt: WaitInterrupt?

  /// Starts the key thread, where keys are asked for.
  mutating func startKeys(
    _ lookups: KeyLookups?, _ configuration: CollectorConfiguration, mailbox: HTTPMailbox, onHTTP: HTTPThreadOnly,
    log: ServiceLog
  ) throws(CollectorError) {
    guard let lookups else { return }
    let interrupt: WaitInterrupt
    do {
      interrupt = try WaitInterrupt()
    } catch {
      throw .database(message: error.description)
    }
    keyInterrupt = interrupt
    let options = configuration.database(for: "keys")
    let file = KeyFile(path: configuration.knownKeysPath)
    keys = try NamedThread("keys") {
      KeyService(options: options, interrupt: interrupt, lookups: lookups, file: file, log: log) { news in
        mailbox.post { server in
          switch news {
          case .all(let keys): onHTTP.gate.replaceAll(keys)
          case .finding(let hash, let finding):
            onHTTP.gate.learn(hash, finding) { request, verdict in
              server.decideHead(request, onHTTP.events.decideHead(request, after: verdict))
            }
          }
        }
      }.run()
    }
  }

  /// Starts the threads for large bodies.
  mutating func startWorkers(
    _ count: Int, _ queue: BodyWorkers, budget: ByteBudget, mailbox: HTTPMailbox, onHTTP: HTTPThreadOnly
  ) throws(CollectorError) {
    for number in 1...max(1, count) {
      workers.append(
        try NamedThread("worker-\(number)") {
          BodyWorker().run(queue, budget: budget) { worker, request in
            mailbox.post { server in
              onHTTP.events.finish(worker, request.pointer, on: server)
              worker.release()
            }
          }
        })
    }
  }

  /// Starts the loader and its housekeeping.
  mutating func startLoading(_ loading: LoadingService) throws(CollectorError) {
    for (name, body) in loading.bodies { self.loading.append(try NamedThread(name, body)) }
  }

  /// Starts the HTTP thread, which from now on owns the server.
  mutating func startHTTP(_ server: HTTPServer) throws(CollectorError) {
    let server = HandedOver(value: server)
    http = try NamedThread("http") { server.value.run() }
  }
}

/// What belongs to the HTTP thread, for mail that is opened there.
struct HTTPThreadOnly: @unchecked Sendable {
  // Unchecked: other threads only carry it in mail to the HTTP thread.
  let gate: KeyGate
  let events: EventsEndpoint
}

/// A value that one thread has made and another uses from then on.
struct HandedOver<Value>: @unchecked Sendable {
  // Unchecked: whoever hands it over does not touch it until that thread has ended.
  let value: Value
}
