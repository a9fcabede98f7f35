import Foundation
import FunnelDocument
import StoryEvents
import StoryPlayback

/// One connection's thread: takes batches from the queue until there are no more.
struct SendingWorker: Sendable {
  let endpoint: CollectorAddress
  let queue: BatchQueue
  let patienceSeconds: Double
  let number: Int

  /// The longest pause between two attempts, in seconds.
  private static let longestPauseSeconds = 30.0

  func run() {
    var state = State(generator: SplitMix64(seed: RealClock.monotonicNanoseconds(), stream: UInt64(number)))
    while let batch = queue.pop() {
      do throws(SimulationError) {
        try deliver(batch, &state)
      } catch {
        queue.fail(error)
        break
      }
    }
    queue.workerEnds(state.summary)
  }

  private struct State: ~Copyable {
    var connection: SenderConnection?
    var summary = DeliverySummary()
    var timestamps = TimestampWriter()
    /// Jitter of pauses, so that senders that were refused together do not come back together. Not of the world.
    var generator: SplitMix64

    init(generator: SplitMix64) {
      self.generator = generator
    }
  }

  /// How long the first answer of all is waited for.
  private static let firstAnswerSeconds = 10.0

  private func deliver(_ batch: consuming SentBatch, _ state: inout State) throws(SimulationError) {
    var batch = batch
    // Where nothing has ever answered, the address is probably wrong: that is told soon.
    let patience = state.summary.requests == 0 ? min(patienceSeconds, Self.firstAnswerSeconds) : patienceSeconds
    let deadline = RealClock.monotonicNanoseconds() + UInt64(max(0, patience) * 1_000_000_000)
    var attempt = 0
    while true {
      batch.stamp(
        RealClock.microseconds() + batch.clockErrorMicroseconds, at: batch.sentAtOffset, &state.timestamps)
      let (answer, reason) = attemptOnce(batch, &state)
      if let answer, try settle(answer, batch, &state) { return }
      attempt += 1
      state.summary.retries += 1
      guard RealClock.monotonicNanoseconds() < deadline, !queue.hasFailed else {
        throw .unreachable(
          "\(endpoint.address) did not take a batch for \(Int(patience)) s: \(reason ?? answer?.line ?? "")")
      }
      queue.pause(seconds: pause(after: attempt, answer, &state.generator))
    }
  }

  /// One request; nil with the reason where no answer came.
  private func attemptOnce(_ batch: borrowing SentBatch, _ state: inout State) -> (CollectorAnswer?, String?) {
    do throws(HTTPFailure) {
      if state.connection == nil { state.connection = try SenderConnection(to: endpoint) }
      guard let answer = try state.connection?.post(batch.bytes, to: endpoint) else { return (nil, nil) }
      if answer.closesConnection { state.connection = nil }
      return (answer, nil)
    } catch {
      state.connection = nil
      return (nil, error.text)
    }
  }

  /// True where the batch is dealt with, false where it should be tried again (contract §2).
  private func settle(
    _ answer: CollectorAnswer, _ batch: borrowing SentBatch, _ state: inout State
  ) throws(SimulationError) -> Bool {
    state.summary.requests += 1
    switch answer.status {
    case 202, 422:
      count(answer, of: batch.eventRanges.count, &state.summary)
      return true
    case 413 where batch.eventRanges.count > 1:
      let (first, second) = batch.halves()
      try deliver(first, &state)
      try deliver(second, &state)
      return true
    case 413:
      state.summary.dropped += 1
      return true
    case 408, 429, 500...599: return false
    default: throw .refused("\(endpoint.address) answered \(answer.line)\(Self.advice(for: answer.status))")
    }
  }

  private func count(_ answer: CollectorAnswer, of eventCount: Int, _ summary: inout DeliverySummary) {
    // The collector's counts where they can be read: the status alone says what became of all of a batch or of part.
    let body = try? JSONValue(text: answer.body)
    summary.accepted += body?["accepted"]?.integerValue ?? (answer.status == 202 ? eventCount : 0)
    summary.rejected += body?["rejected"]?.integerValue ?? (answer.status == 422 ? eventCount : 0)
    for error in body?["errors"]?.arrayValue ?? [] where summary.firstErrors.count < DeliverySummary.mostErrors {
      let code = error["code"]?.stringValue ?? "?"
      summary.firstErrors.append("\(code): \(error["message"]?.stringValue ?? "")")
    }
  }

  /// What the collector asks for, else twice as long each time; never longer than half a minute, and never all at once.
  private func pause(after attempt: Int, _ answer: CollectorAnswer?, _ generator: inout SplitMix64) -> Double {
    let asked = answer?.retryAfterSeconds.map(Double.init)
    var growing = 0.05
    for _ in 0..<min(attempt, 10) { growing *= 2 }
    let longest = min(Self.longestPauseSeconds, asked ?? growing)
    return asked == nil ? longest * (0.5 + generator.unit() / 2) : longest * (1 + generator.unit() / 10)
  }

  private static func advice(for status: Int) -> String {
    switch status {
    case 401: ": give a write key of this collector (pagefall key create)"
    case 403: ": the key needs the right to ingest"
    case 404: ": give the collector's address without a path"
    case 300...399: ": give the address that it points to"
    default: ""
    }
  }
}
