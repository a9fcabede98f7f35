/// The threads that judge large bodies, and the bounded queue before them.
final class BodyWorkers: Sendable {
  private struct Queue {
    var jobs: [BodyJob] = []
    var isStopped = false
  }

  /// Guards the queue; signalled when it grows or ends.
  private let queue = Monitor(Queue())

  /// How many bodies may wait; their bytes are bounded by the budget besides.
  static let maximumWaiting = 256

  /// Leaves a job; false where too many wait.
  func submit(_ job: BodyJob) -> Bool {
    let isTaken = queue.withLock { queue in
      guard queue.jobs.count < Self.maximumWaiting, !queue.isStopped else { return false }
      queue.jobs.append(job)
      return true
    }
    if isTaken { queue.signal() }
    return isTaken
  }

  /// The next job; nil: stop.
  func next() -> BodyJob? {
    let job = queue.wait(milliseconds: nil) { queue -> BodyJob?? in
      if !queue.jobs.isEmpty { return .some(queue.jobs.removeFirst()) }
      return queue.isStopped ? .some(nil) : nil
    }
    return job ?? nil
  }

  /// Lets the workers end when the queue is empty.
  func stop() {
    queue.withLock { $0.isStopped = true }
    queue.signal()
  }
}
