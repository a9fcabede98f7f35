import CMicroHTTPD

// A request's way through the engine.

extension HTTPServer {
  /// The head has come. nil: the connection is closed without an answer.
  func begin(
    _ connection: OpaquePointer, path: UnsafePointer<CChar>, method: UnsafePointer<CChar>,
    version: UnsafePointer<CChar>, kind: HTTPListenerKind
  ) -> HTTPRequestPointer? {
    guard let context = pagefall_mhd_connection_context(connection) else { return nil }
    let link = context.assumingMemoryBound(to: HTTPConnection.self)
    if link.pointee.isRefused || link.pointee.isShutDown || isDraining { return nil }
    let request = requests.take(connection: connection, link: link)
    link.pointee.request = request
    if link.pointee.firstByteMilliseconds == 0 {
      link.pointee.firstByteMilliseconds = MonotonicClock.milliseconds
    }
    request.pointee.head = HTTPHead(of: connection)
    link.countRequest(headBytes: pagefall_mhd_head_bytes(connection), request.pointee.head)
    request.pointee.method = HTTPMethod(method)
    request.pointee.phase = .body
    let isHTTP11 = !UnsafeRawBufferPointer(text: version).equals("HTTP/1.0")
    if let fault = request.pointee.head.fault(isHTTP11: isHTTP11) {
      // Where the request ends is not certain, so nothing behind its head is read: answered early, the library closes.
      setAnswer(request, answers.problem(fault))
      queueAnswer(request)
      return request
    }
    let path = UnsafeRawBufferPointer(text: path)
    for (index, endpoint) in endpoints.enumerated() where path.equals(endpoint.path) {
      guard endpoint.listeners.contains(kind) else { continue }
      request.pointee.endpoint = index
      apply(request, methodDecision(request, endpoint))
      return request
    }
    apply(request, .refuse(answers.problem(.notFound)))
    return request
  }

  private func methodDecision(_ request: HTTPRequestPointer, _ endpoint: any HTTPEndpoint) -> HTTPHeadDecision {
    switch endpoint.method {
    case .get:
      switch request.pointee.method {
      case .get, .head: endpoint.decideHead(request)
      case .post, .other: .refuse(answers.problem(.onlyGet))
      }
    case .post:
      switch request.pointee.method {
      case .post: endpoint.decideHead(request)
      case .get, .head, .other: .refuse(answers.problem(.onlyPost))
      }
    }
  }

  /// Does what the endpoint said to the head; only from within the library's call for it.
  private func apply(_ request: HTTPRequestPointer, _ decision: HTTPHeadDecision) {
    switch decision {
    case .readBody(let limitBytes):
      request.pointee.bodyLimitBytes = limitBytes
      request.pointee.phase = .body
      if request.pointee.head.contentLength > Int64(limitBytes) {
        apply(request, .refuse(answers.problem(Self.tooLong(request))))
      }
    case .refuse(let answer):
      request.pointee.phase = .body
      setAnswer(request, answer)
      if mustRefuseEarly(request) { queueAnswer(request) }
    case .wait:
      request.pointee.phase = .awaitingKey
      suspend(request)
    }
  }

  /// Whether a refusal goes out before the body: the library closes the connection behind it. The sender waits to be
  /// told to send, or will not stop sending for long.
  private func mustRefuseEarly(_ request: HTTPRequestPointer) -> Bool {
    request.pointee.head.expectsContinue || request.pointee.head.contentLength > HTTPLimits.discardBytes
  }

  /// A piece of the body has come; false: the connection is closed without an answer.
  func takeBody(_ request: HTTPRequestPointer, _ bytes: UnsafeRawBufferPointer) -> Bool {
    metrics.bodyBytes += bytes.count
    if request.pointee.response != nil {
      request.pointee.discardedBytes += Int64(bytes.count)
      return request.pointee.discardedBytes <= HTTPLimits.discardBytes
    }
    if request.pointee.bodyBytes == 0, request.pointee.head.contentLength == Int64(bytes.count) {
      judge(request, bytes)
      if request.pointee.wantsWorker { keepBody(request, bytes) }
      return true
    }
    keepBody(request, bytes)
    return true
  }

  private static func tooLong(_ request: HTTPRequestPointer) -> Problem {
    request.pointee.bodyLimitBytes == 0 ? .bodyNotWanted : .bodyTooLarge
  }

  private func keepBody(_ request: HTTPRequestPointer, _ bytes: UnsafeRawBufferPointer) {
    switch request.append(bytes, budget: budget) {
    case .added: return
    case .overLimit: setAnswer(request, answers.problem(Self.tooLong(request)))
    case .overBudget: setAnswer(request, answers.problem(.tooMuchInFlight))
    }
    request.pointee.wantsWorker = false
    request.releaseBody(budget)
    request.pointee.discardedBytes = Int64(bytes.count)
  }

  /// Asks the endpoint about the whole body.
  private func judge(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) {
    request.pointee.receivedAtMicroseconds = now()
    request.pointee.phase = .judged
    switch endpoints[request.pointee.endpoint].decideBody(request, body) {
    case .answer(let answer):
      request.releaseBody(budget)
      setAnswer(request, answer)
    case .commit(let answer):
      request.releaseBody(budget)
      setAnswer(request, answer)
      request.pointee.phase = .committing
      group.append(request)
    case .elsewhere:
      request.pointee.wantsWorker = true
    }
  }

  /// The library asks what to do next with a request that is complete, or that was resumed after its head.
  func proceed(_ request: HTTPRequestPointer) -> Bool {
    switch request.pointee.phase {
    case .awaitingKey:
      // Resumed behind its head: `decideHead` of the server has noted the decision.
      request.pointee.phase = .body
      if request.pointee.response != nil, mustRefuseEarly(request) { queueAnswer(request) }
      return true
    case .body:
      if request.pointee.response == nil { judge(request, request.pointee.bodyBuffer) }
      return proceedJudged(request)
    case .judged:
      return proceedJudged(request)
    case .answered:
      queueAnswer(request)
      return true
    case .committing, .responding: return true
    case .fresh, .elsewhere, .abandoned: return false
    }
  }

  private func proceedJudged(_ request: HTTPRequestPointer) -> Bool {
    if request.pointee.wantsWorker {
      request.pointee.wantsWorker = false
      request.pointee.phase = .elsewhere
      suspend(request)
      endpoints[request.pointee.endpoint].handOver(request)
    } else if request.pointee.phase != .committing {
      queueAnswer(request)
    }
    return true
  }

  private func suspend(_ request: HTTPRequestPointer) {
    request.pointee.isSuspended = true
    requestsElsewhere += 1
    MHD_suspend_connection(request.pointee.connection)
  }

  /// Another thread has answered the question about a head.
  func decideHead(_ request: HTTPRequestPointer, _ decision: HTTPHeadDecision) {
    switch decision {
    case .readBody(let limitBytes):
      request.pointee.bodyLimitBytes = limitBytes
      if request.pointee.head.contentLength > Int64(limitBytes) {
        setAnswer(request, answers.problem(Self.tooLong(request)))
      }
    case .refuse(let answer): setAnswer(request, answer)
    case .wait: return
    }
    resume(request)
  }

  /// Another thread has judged a body.
  func finish(_ request: HTTPRequestPointer, _ decision: HTTPBodyDecision) {
    request.releaseBody(budget)
    switch decision {
    case .answer(let given):
      setAnswer(request, given)
      answer(request)
    case .commit(let given):
      setAnswer(request, given)
      request.pointee.phase = .committing
      group.append(request)
    case .elsewhere: break
    }
  }

  /// Lets the library take a request's answer.
  func answer(_ request: HTTPRequestPointer) {
    request.pointee.phase = .answered
    if request.pointee.isSuspended { resume(request) }
  }

  private func resume(_ request: HTTPRequestPointer) {
    request.pointee.isSuspended = false
    requestsElsewhere -= 1
    mustRunAgain = true
    MHD_resume_connection(request.pointee.connection)
  }

  /// Notes the answer, in the place of an earlier one.
  func setAnswer(_ request: HTTPRequestPointer, _ answer: HTTPAnswer) {
    request.releaseAnswer(budget)
    request.pointee.status = answer.status
    request.pointee.response = answer.response
    request.pointee.ownsResponse = answer.isOwned
    request.pointee.answerBytes = answer.bytes
    budget.count(answer.bytes)
  }

  /// Gives the answer to the library; only from within its call.
  func queueAnswer(_ request: HTTPRequestPointer) {
    request.pointee.phase = .responding
    request.pointee.answeredAtMilliseconds = MonotonicClock.milliseconds
    guard let response = request.pointee.response else { return }
    metrics.countResponse(status: request.pointee.status)
    _ = MHD_queue_response(request.pointee.connection, UInt32(request.pointee.status), response)
  }

  /// The request has ended, one way or the other.
  func end(_ request: HTTPRequestPointer) {
    let link = request.pointee.link
    link.pointee.request = nil
    link.pointee.idleSinceMilliseconds = MonotonicClock.milliseconds
    link.pointee.firstByteMilliseconds = 0
    if isDraining { cutOff(link, saying: nil) }
    if request.pointee.phase == .committing {
      // Its bytes are appended and will be synced with the group; only nobody waits for the answer.
      request.pointee.phase = .abandoned
    } else {
      requests.recycle(request, budget: budget)
    }
  }
}

extension HTTPMethod {
  /// By the text of the request line; methods are case-sensitive (RFC 9110 §9.1).
  init(_ text: UnsafePointer<CChar>) {
    let bytes = UnsafeRawBufferPointer(text: text)
    if bytes.equals("POST") {
      self = .post
    } else if bytes.equals("GET") {
      self = .get
    } else if bytes.equals("HEAD") {
      self = .head
    } else {
      self = .other
    }
  }
}

extension UnsafeRawBufferPointer {
  /// A C text without its end.
  init(text: UnsafePointer<CChar>) {
    var count = 0
    while text[count] != 0 { count += 1 }
    self.init(start: text, count: count)
  }
}
