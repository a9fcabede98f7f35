import StoryEvents

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
        job.body.bytes, job.encoding, job.intake, limitBytes: ContractLimits.decompressedBodyBytes,
        isBrief: false, budget: budget, answer: &answer)
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
