import EventIntake

/// A body for a worker: bytes that stay where they are as long as their request is suspended.
struct UnsafeBody: @unchecked Sendable {
  // Unchecked: the request is suspended until the worker's answer, so its buffer neither moves nor changes.
  let bytes: UnsafeRawBufferPointer
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }
}

/// What a worker needs of a request.
struct BodyJob: Sendable {
  let request: SuspendedRequest
  let intake: IntakeRequest
  let encoding: BodyEncoding
  let body: UnsafeBody
}

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

/// One worker: judges a body, then holds still until the HTTP thread has appended what it made.
final class BodyWorker: @unchecked Sendable {
  // Unchecked: the worker's thread writes all of it, and the HTTP thread reads it only between `post` and `release`,
  // while the worker waits.
  private(set) var judge = BodyJudge()
  private(set) var answer = JSONWriter()
  private(set) var verdict = BodyVerdict.tooMuchInFlight
  private let isReleased = Monitor(false)

  /// Works until the queue ends.
  ///
  /// - Parameter deliver: has the HTTP thread finish the request with what this worker made, then `release` it.
  func run(_ workers: BodyWorkers, budget: ByteBudget, deliver: (BodyWorker, SuspendedRequest) -> Void) {
    while let job = workers.next() {
      verdict = judge.judge(
        job.body.bytes, job.encoding, job.intake, limitBytes: EventsLimits.decompressedBodyBytes, budget: budget,
        answer: &answer)
      let heldBytes = judge.recordBytes + answer.bytes.count
      budget.count(heldBytes)
      deliver(self, job.request)
      _ = isReleased.wait(milliseconds: nil) { isReleased -> Bool? in
        defer { isReleased = false }
        return isReleased ? true : nil
      }
      budget.release(heldBytes)
      judge.forget()
      answer.shrink()
    }
  }

  /// The HTTP thread has taken everything.
  func release() {
    isReleased.withLock { $0 = true }
    isReleased.signal()
  }
}
