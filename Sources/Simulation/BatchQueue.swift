import Foundation

/// A bounded queue from the one thread that makes batches to those that send them.
///
/// `@unchecked Sendable`: every property is read and written under `condition` alone.
final class BatchQueue: @unchecked Sendable {
  /// Guards everything below; signalled on every change.
  private let condition = NSCondition()
  private let capacity: Int
  private var batches: [SentBatch] = []
  private var isClosed = false
  private var failure: SimulationError?
  private var runningWorkers = 0
  private var summary = DeliverySummary()

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Adds a batch, waiting while the queue is full.
  ///
  /// - Throws: the error with which a worker stopped.
  func push(_ batch: SentBatch) throws(SimulationError) {
    condition.lock()
    defer { condition.unlock() }
    while batches.count >= capacity, failure == nil { condition.wait() }
    if let failure { throw failure }
    batches.append(batch)
    condition.broadcast()
  }

  /// The oldest batch, waiting for one; nil when there will be none.
  func pop() -> SentBatch? {
    condition.lock()
    defer { condition.unlock() }
    while batches.isEmpty, !isClosed, failure == nil { condition.wait() }
    guard failure == nil, !batches.isEmpty else { return nil }
    condition.broadcast()
    return batches.removeFirst()
  }

  /// Waits, unless a worker fails or the queue is abandoned first.
  func pause(seconds: Double) {
    condition.lock()
    defer { condition.unlock() }
    let deadline = Date(timeIntervalSinceNow: seconds)
    while failure == nil, condition.wait(until: deadline) {}
  }

  /// Whether sending has failed.
  var hasFailed: Bool {
    condition.lock()
    defer { condition.unlock() }
    return failure != nil
  }

  /// Stops everything; the first error counts.
  func fail(_ error: SimulationError) {
    condition.lock()
    defer { condition.unlock() }
    if failure == nil { failure = error }
    condition.broadcast()
  }

  /// Counts a worker that begins.
  func workerBegins() {
    condition.lock()
    defer { condition.unlock() }
    runningWorkers += 1
  }

  /// Adds up what a worker that ends has done.
  func workerEnds(_ share: DeliverySummary) {
    condition.lock()
    defer { condition.unlock() }
    runningWorkers -= 1
    summary.add(share)
    condition.broadcast()
  }

  /// Says that no batch follows, and waits until all workers have ended.
  func close() throws(SimulationError) -> DeliverySummary {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    condition.broadcast()
    while runningWorkers > 0 { condition.wait() }
    if let failure { throw failure }
    return summary
  }
}
