#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What became of bytes that were to be added to a body.
enum BodyAppend {
  case added
  /// Over the endpoint's limit for a body.
  case overLimit
  /// All requests together hold as much as they may.
  case overBudget
}

extension UnsafeMutablePointer<HTTPRequest> {
  /// The least that a body's buffer is made for.
  private static var leastCapacityBytes: Int { 4096 }

  /// Adds bytes to the body; its memory grows by doubling, and counts before it is there.
  func append(_ bytes: UnsafeRawBufferPointer, budget: ByteBudget) -> BodyAppend {
    let needed = pointee.bodyBytes + bytes.count
    if needed > pointee.bodyLimitBytes { return .overLimit }
    if needed > pointee.bodyCapacity {
      var capacity = max(Self.leastCapacityBytes, pointee.bodyCapacity * 2, needed)
      // What is declared says where to stop, never how much to take at once: a promise costs a sender nothing.
      if pointee.head.contentLength >= needed { capacity = min(capacity, Int(pointee.head.contentLength)) }
      capacity = min(capacity, pointee.bodyLimitBytes)
      guard budget.reserve(capacity - pointee.bodyCapacity) else { return .overBudget }
      guard let grown = realloc(pointee.body, capacity) else {
        budget.release(capacity - pointee.bodyCapacity)
        return .overBudget
      }
      pointee.body = grown
      pointee.bodyCapacity = capacity
    }
    if let source = bytes.baseAddress, let body = pointee.body {
      body.advanced(by: pointee.bodyBytes).copyMemory(from: source, byteCount: bytes.count)
    }
    pointee.bodyBytes = needed
    return .added
  }

  /// Gives back an answer that was made for this request alone.
  func releaseAnswer(_ budget: ByteBudget) {
    if pointee.ownsResponse, let response = pointee.response { AnswerShelf.release(response) }
    budget.release(pointee.answerBytes)
    pointee.response = nil
    pointee.ownsResponse = false
    pointee.answerBytes = 0
  }

  /// Gives the body's memory back.
  func releaseBody(_ budget: ByteBudget) {
    guard let body = pointee.body else { return }
    free(body)
    budget.release(pointee.bodyCapacity)
    pointee.body = nil
    pointee.bodyBytes = 0
    pointee.bodyCapacity = 0
  }
}
