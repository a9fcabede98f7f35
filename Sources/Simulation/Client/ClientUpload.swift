import Dispatch
import Foundation
import StoryClient
import Synchronization

/// Waits for the library's uploader.
final class ClientUpload {
  /// The client that uploads.
  let client: StoryClient
  /// What became of the events so far.
  private(set) var delivery = DeliverySummary()
  /// Bytes of all requests' bodies, as sent.
  private(set) var sentBytes = 0
  private let address: String
  private let patienceSeconds: Double
  private let transport: CountingTransport
  private let droppedBefore: Int
  /// Recorded since the queue was last found empty.
  private var unsettledEvents = 0

  /// So many events wait at most, and one session's more: far below the queue's bound, so that nothing is dropped, and few enough
  /// that looking through the queue takes no time.
  static let mostWaitingEvents = 2_000
  /// How long the first answer of all is waited for: where nothing has ever answered, the address is probably wrong.
  private static let firstAnswerSeconds = 10.0

  /// Opens the queue; what lies in it from before is sent, too.
  init(_ configuration: ClientConfiguration, collector: URL, queueDirectory: String) {
    var client = StoryClientConfiguration(collector: collector, writeKey: configuration.key ?? "none")
    client.queueDirectory = URL(fileURLWithPath: queueDirectory, isDirectory: true)
    transport = CountingTransport()
    self.client = StoryClient(
      client, clock: SystemClock(), randomness: SystemRandomness(), transport: transport, timer: ClientTimer())
    address = configuration.baseURL
    patienceSeconds = configuration.patienceSeconds
    droppedBefore = self.client.queue.droppedEvents
  }

  /// Counts what was recorded, and waits for the uploads where enough waits.
  ///
  /// - Throws: see `finish`.
  func recorded(_ eventCount: Int) throws(SimulationError) {
    unsettledEvents += eventCount
    if unsettledEvents >= Self.mostWaitingEvents { try empty() }
  }

  /// Waits until everything is answered.
  ///
  /// - Throws: `refused`, `unreachable`.
  func finish() throws(SimulationError) {
    try empty()
    // Also what the recorders could not write.
    delivery.dropped = client.queue.droppedEvents - droppedBefore
    delivery.retries = transport.failures
  }

  private func empty() throws(SimulationError) {
    var lastProgress = RealClock.monotonicNanoseconds()
    while true {
      let summary = uploadOnce()
      if note(summary) { lastProgress = RealClock.monotonicNanoseconds() }
      var pause = 0.05
      switch summary.ending {
      case .queueEmpty:
        if client.queue.waitingEvents == 0 {
          unsettledEvents = 0
          return
        }
      case .stopped(let stop): throw .refused("\(address): \(stop)")
      case .waiting(let seconds): pause = seconds
      }
      let patience = delivery.requests == 0 ? min(patienceSeconds, Self.firstAnswerSeconds) : patienceSeconds
      let left = patience - Double(RealClock.monotonicNanoseconds() - lastProgress) / 1_000_000_000
      guard left > 0 else {
        throw .unreachable("\(address) took no events for \(Int(patience)) s: \(summary.trouble ?? "no answer")")
      }
      Thread.sleep(forTimeInterval: min(pause, left))
    }
  }

  private func uploadOnce() -> UploadSummary {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex(UploadSummary())
    client.upload { summary in
      result.withLock { $0 = summary }
      done.signal()
    }
    done.wait()
    return result.withLock { $0 }
  }

  /// Adds up; true where events have been dealt with.
  private func note(_ summary: UploadSummary) -> Bool {
    delivery.accepted += summary.accepted
    delivery.rejected += summary.rejected
    delivery.requests += summary.answers
    delivery.firstErrors += summary.messages.prefix(DeliverySummary.mostErrors - delivery.firstErrors.count)
    sentBytes += summary.sentBytes
    return summary.accepted + summary.rejected + summary.dropped > 0
  }
}

/// The library's own way to send, with a count of the attempts that have to be made again.
private final class CountingTransport: UploadTransport {
  private let transport = URLSessionTransport()
  private let failureCount = Atomic<Int>(0)

  var longestSeconds: Double { transport.longestSeconds }

  var failures: Int { failureCount.load(ordering: .relaxed) }

  func send(_ request: UploadRequest, completion: @escaping @Sendable (UploadOutcome) -> Void) {
    transport.send(request) { [self] outcome in
      switch outcome {
      case .answer(let answer) where answer.status == 202 || answer.status == 422: break
      case .answer, .noAnswer: failureCount.add(1, ordering: .relaxed)
      }
      completion(outcome)
    }
  }
}

private struct ClientTimer: UploadTimer {
  func call(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: work)
  }
}
