import Foundation

/// Sends batches to a collector's `POST /v1/events`, several at once, and does with each answer what contract §2
/// says: forgets what was judged, waits and tries again, halves what is too large, stops where trying again is no use.
///
/// It speaks HTTP/1.1 over plain sockets: with batches of 100 events, Foundation's URLSession took 0.55 ms of CPU time a
/// request on Linux where this takes 0.1 ms, and in a measurement the sender shares its cores with the collector.
///
/// One thread calls `send` and `finish`. At most twice as many batches as connections are held.
struct EventSender {
  private let configuration: SenderConfiguration
  private let endpoint: CollectorAddress
  private let queue: BatchQueue
  private let pace: Pace

  /// A sender that has not started.
  ///
  /// - Throws: `invalidConfiguration`.
  init(_ configuration: SenderConfiguration) throws(SimulationError) {
    guard (1...256).contains(configuration.connectionCount) else {
      throw .invalidConfiguration("the number of connections must be within 1 and 256")
    }
    if let rate = configuration.eventsPerSecond, !(rate > 0 && rate.isFinite) {
      throw .invalidConfiguration("the rate must be above 0 events a second")
    }
    self.configuration = configuration
    endpoint = try CollectorAddress(baseURL: configuration.baseURL, key: configuration.key)
    queue = BatchQueue(capacity: configuration.connectionCount * 2)
    pace = Pace(eventsPerSecond: configuration.eventsPerSecond)
  }

  /// Starts the threads that send.
  func start() {
    for number in 0..<configuration.connectionCount {
      queue.workerBegins()
      let worker = SendingWorker(
        endpoint: endpoint, queue: queue, patienceSeconds: configuration.patienceSeconds, number: number)
      let thread = Thread { worker.run() }
      thread.name = "sender-\(number)"
      thread.start()
    }
  }

  /// Hands a batch over, waiting for its turn under the rate and for room.
  ///
  /// - Throws: the error that stopped sending.
  func send(_ batch: borrowing SentBatch) throws(SimulationError) {
    pace.wait(for: batch.eventRanges.count) { queue.pause(seconds: $0) }
    try queue.push(copy batch)
  }

  /// Waits until every batch is answered.
  ///
  /// - Throws: the error that stopped sending.
  func finish() throws(SimulationError) -> DeliverySummary {
    var summary = try queue.close()
    summary.seconds = pace.elapsedSeconds
    return summary
  }

  /// Lets the threads end without sending what is left.
  func abandon() {
    queue.fail(.unreachable("sending was abandoned"))
  }
}

/// Spreads events evenly over time.
///
/// A class, since the sender is handed around as a value; used by the one thread that makes the events.
final class Pace {
  private let eventsPerSecond: Double?
  private let startedAt = RealClock.monotonicNanoseconds()
  private var sentEvents = 0

  init(eventsPerSecond: Double?) {
    self.eventsPerSecond = eventsPerSecond
  }

  var elapsedSeconds: Double { Double(RealClock.monotonicNanoseconds() - startedAt) / 1_000_000_000 }

  func wait(for events: Int, pause: (Double) -> Void) {
    defer { sentEvents += events }
    guard let eventsPerSecond else { return }
    let ahead = Double(sentEvents) / eventsPerSecond - elapsedSeconds
    if ahead > 0 { pause(ahead) }
  }
}
