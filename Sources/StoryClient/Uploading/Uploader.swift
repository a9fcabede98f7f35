import Dispatch
import Foundation

/// Brings the events of a queue to the collector, by itself.
///
/// No call blocks: everything happens on a queue of its own. One upload at a time in a process; among processes, the lease of the
/// upload queue. What it has in mind (pauses, a stop) ends with the process, but a pause that the collector asked for is kept
/// as the lease, and so binds the other processes and the next start too.
final class Uploader: Sendable {
  private let queue: any UploadQueue
  private let endpoint: UploadEndpoint?
  private let clock: any ClientClock
  private let transport: any UploadTransport
  private let timer: any UploadTimer
  private let randomness: any ClientRandomness
  private let work = DispatchQueue(label: "pagefall.upload", qos: .utility)
  private let state: UploaderState

  /// How long the lease lasts, in requests. A process that ends without giving it back holds the others up as long.
  private static let leaseRequests = 1.5
  /// How much later than the transport should have ended an attempt is given up.
  private static let graceSeconds = 15.0

  /// Makes an uploader; it does nothing until it is asked.
  ///
  /// - Parameters:
  ///   - collector: its base address.
  ///   - randomness: decides how long pauses are.
  init(
    queue: any UploadQueue, collector: URL, writeKey: String, clock: any ClientClock,
    transport: any UploadTransport = URLSessionTransport(), timer: any UploadTimer = DispatchTimer(),
    randomness: any ClientRandomness = SystemRandomness()
  ) {
    self.queue = queue
    self.clock = clock
    self.transport = transport
    self.timer = timer
    self.randomness = randomness
    do throws(UploadStop) {
      endpoint = try UploadEndpoint(collector: collector, writeKey: writeKey)
      state = UploaderState(plan: UploadPlan())
    } catch {
      endpoint = nil
      state = UploaderState(plan: UploadPlan(stop: error))
    }
  }

  /// Asks for an upload. Returns at once.
  ///
  /// - Parameter completion: called on the uploader's queue when the upload has come to its end: everything sent, a pause, a
  ///   stop. A pause that is under way ends it at once.
  func ask(_ occasion: UploadPlan.Occasion, completion: (@Sendable (UploadSummary) -> Void)? = nil) {
    work.async { [self] in
      if let completion { state.completions.append(completion) }
      take(state.plan.ask(occasion, nowMicroseconds: clock.monotonicMicroseconds))
    }
  }

  // All that follows runs on `work`.

  private func take(_ step: UploadPlan.Step) {
    switch step {
    case .none: break
    case .send(let mostEvents): send(mostEvents: mostEvents)
    case .end(let ending, let wake): end(ending, wake)
    }
  }

  private func send(mostEvents: Int) {
    guard let endpoint else { return }
    state.holdsLease = queue.takeLease(seconds: transport.longestSeconds * Self.leaseRequests)
    guard state.holdsLease else {
      state.summary.trouble = "another process is uploading, or was asked to pause"
      let now = clock.monotonicMicroseconds
      return take(state.plan.anotherProcessUploads(nowMicroseconds: now, randomness: randomness.unit()))
    }
    guard let oldest = queue.nextBatch(mostEvents: mostEvents) else { return take(state.plan.queueIsEmpty()) }
    let batch = UploadBody.fitting(oldest)
    let text = state.body.bytes(
      of: batch, sentAtMicroseconds: clock.wallMicroseconds, droppedEventsTotal: queue.droppedEventsTotal)
    let body = Gzip.compress(text)
    state.summary.sentBytes += body.count
    state.attempt += 1
    state.batchUnderWay = batch
    let attempt = state.attempt
    transport.send(endpoint.request(body: body)) { [self] outcome in
      work.async { self.settle(outcome, attempt: attempt) }
    }
    // A transport must come back; should it not, this does.
    timer.call(after: transport.longestSeconds + Self.graceSeconds) { [weak self] in
      guard let self else { return }
      work.async { self.settle(.noAnswer("the request has no end"), attempt: attempt) }
    }
  }

  private func settle(_ outcome: UploadOutcome, attempt: Int) {
    // What comes to an attempt that was given up changes nothing: its events are sent again.
    guard attempt == state.attempt, let batch = state.batchUnderWay else { return }
    state.batchUnderWay = nil
    let now = clock.monotonicMicroseconds
    switch outcome {
    case .noAnswer(let reason):
      state.summary.trouble = reason
      take(state.plan.noAnswer(nowMicroseconds: now, randomness: randomness.unit()))
    case .answer(let answer):
      let verdict = UploadVerdict(answer, eventCount: batch.eventCount, wallMicroseconds: clock.wallMicroseconds)
      let (fate, step) = state.plan.answered(
        verdict, eventCount: batch.eventCount, nowMicroseconds: now, randomness: randomness.unit())
      switch fate {
      case .keep: break
      case .remove: queue.remove(batch)
      case .drop: queue.drop(batch)
      }
      state.summary.note(answer.status, verdict, fate, eventCount: batch.eventCount)
      take(step)
    }
  }

  private func end(_ ending: UploadSummary.Ending, _ wake: UploadPlan.Wake?) {
    if let wake {
      // A pause that the collector asked for binds other processes too, and the next start: the lease lasts as long.
      if state.plan.waitsAsAsked { state.holdsLease = queue.takeLease(seconds: wake.seconds) }
      timer.call(after: wake.seconds) { [weak self] in
        guard let self else { return }
        work.async { self.take(self.state.plan.wake(number: wake.number)) }
      }
    }
    if state.holdsLease, !state.plan.waitsAsAsked {
      queue.releaseLease()
      state.holdsLease = false
    }
    state.summary.ending = ending
    guard !state.completions.isEmpty else { return }
    let (summary, completions) = (state.summary, state.completions)
    state.summary = UploadSummary()
    state.completions = []
    for completion in completions { completion(summary) }
  }
}

/// What an uploader has in mind.
///
/// `@unchecked Sendable`: all of it is read and changed on the uploader's serial queue alone.
private final class UploaderState: @unchecked Sendable {
  var plan: UploadPlan
  var body = UploadBody()
  /// Since the last one that was handed out.
  var summary = UploadSummary()
  var completions: [@Sendable (UploadSummary) -> Void] = []
  /// The number of the last request.
  var attempt = 0
  /// Its events, until its end is known.
  var batchUnderWay: QueuedBatch?
  var holdsLease = false

  init(plan: UploadPlan) {
    self.plan = plan
  }
}

/// The system's timer.
struct DispatchTimer: UploadTimer {
  func call(after seconds: Double, _ work: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + seconds, execute: work)
  }
}

extension ClientRandomness {
  /// A number in 0..<1.
  fileprivate func unit() -> Double { Double(next() >> 11) / Double(1 << 53) }
}
