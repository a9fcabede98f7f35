import EventIntake
import EventRecords
import Spool
import StoryEvents

/// `POST /v1/events` (contract §1, §2): key, media type, size; then decompress, judge, append, and answer after the sync.
///
/// Small bodies are judged on the HTTP thread, in the memory they came in; larger ones, and those of very many events, by
/// a worker, so that nobody waits behind them. Appending is always the HTTP thread's, which is the spool's one writer.
final class EventsEndpoint: HTTPEndpoint {
  let path: StaticString = "/v1/events"
  let method = HTTPEndpointMethod.post
  let listeners: Set<HTTPListenerKind> = [.main]
  /// Bodies up to this size, before and after decompression, are judged on the HTTP thread; larger ones by a worker.
  static let bytesOnHTTPThread = 64 * 1024
  private let parts: CollectorParts
  private var judge = BodyJudge()

  init(_ parts: CollectorParts) { self.parts = parts }

  func decideHead(_ request: HTTPRequestPointer) -> HTTPHeadDecision {
    switch parts.keys.judge(request) {
    case .admitted(let slot): decideAdmitted(request, slot)
    case .refused(let answer): .refuse(answer)
    case .asked: .wait
    }
  }

  /// The same for a request whose key had to be looked up.
  func decideHead(_ request: HTTPRequestPointer, after verdict: KeyGate.Verdict) -> HTTPHeadDecision {
    switch verdict {
    case .admitted(let slot): decideAdmitted(request, slot)
    case .refused(let answer): .refuse(answer)
    case .asked: .wait
    }
  }

  private func decideAdmitted(_ request: HTTPRequestPointer, _ slot: Int32) -> HTTPHeadDecision {
    request.pointee.keySlot = slot
    guard let format = BodyFormat(request.pointee.head) else {
      return .refuse(parts.answers.problem(.unsupportedMediaType))
    }
    guard let encoding = BodyEncoding(request.pointee.head) else {
      return .refuse(parts.answers.problem(.unsupportedEncoding))
    }
    request.pointee.bodyFormat = format
    request.pointee.bodyEncoding = encoding
    return .readBody(limitBytes: ContractLimits.bodyBytes)
  }

  func decideBody(_ request: HTTPRequestPointer, _ body: UnsafeRawBufferPointer) -> HTTPBodyDecision {
    // Others of this key may have been charged since its head.
    if let answer = parts.keys.overRate(request.pointee.keySlot) { return .answer(answer) }
    if body.count > Self.bytesOnHTTPThread { return .elsewhere }
    let verdict = judge.judge(
      body, request.pointee.bodyEncoding, intakeRequest(request), limitBytes: Self.bytesOnHTTPThread,
      isBrief: true, budget: parts.budget, answer: &parts.answers.writer)
    switch verdict {
    case .decompressedOverLimit, .tooManyToJudgeHere: return .elsewhere
    case .judged, .unreadable, .tooManyEvents, .tooMuchInFlight:
      return conclude(request, verdict, judge) { parts.answers.json(status: $0) }
    }
  }

  func handOver(_ request: HTTPRequestPointer) {
    let suspended = SuspendedRequest(pointer: request)
    parts.metrics.bodiesToWorkers += 1
    let job = BodyJob(
      request: suspended, intake: intakeRequest(request), encoding: request.pointee.bodyEncoding,
      body: UnsafeBody(request.pointee.bodyBuffer))
    if !parts.workers.submit(job) {
      parts.mailbox.post { server in
        server.finish(suspended.pointer, .answer(server.answers.problem(.tooMuchInFlight)))
      }
    }
  }

  /// A worker has judged a body; the HTTP thread, while the worker holds still.
  func finish(_ worker: BodyWorker, _ request: HTTPRequestPointer, on server: HTTPServer) {
    let decision = conclude(request, worker.verdict, worker.judge) { status in
      parts.answers.json(status: status, body: worker.answer.bytes)
    }
    server.finish(request, decision)
  }

  private func intakeRequest(_ request: HTTPRequestPointer) -> IntakeRequest {
    IntakeRequest(
      app: parts.keys.app(of: request.pointee.keySlot), format: request.pointee.bodyFormat.intakeFormat, origin: .http,
      receivedAtMicroseconds: request.pointee.receivedAtMicroseconds)
  }

  /// Appends what was judged, counts it, and says how to answer.
  private func conclude(
    _ request: HTTPRequestPointer, _ verdict: BodyVerdict, _ judge: borrowing BodyJudge,
    summaryAnswer: (UInt16) -> HTTPAnswer
  ) -> HTTPBodyDecision {
    let answer: HTTPAnswer
    switch verdict {
    case .judged(let accepted, _): answer = summaryAnswer(accepted > 0 ? 202 : 422)
    case .unreadable(let message):
      answer = parts.answers.problem(.unreadable, detail: message)
    case .tooManyEvents: return .answer(parts.answers.problem(.tooManyEvents))
    case .decompressedOverLimit: return .answer(parts.answers.problem(.decompressedTooLarge))
    case .tooMuchInFlight, .tooManyToJudgeHere: return .answer(parts.answers.problem(.tooMuchInFlight))
    }
    if let refusal = appendRecords(of: judge) {
      if answer.isOwned, let response = answer.response { AnswerShelf.release(response) }
      return .answer(refusal)
    }
    count(request, verdict, judge)
    return .commit(answer)
  }

  /// Appends every record to the spool. What was in before a refusal is stored without an acknowledgement: the sender
  /// repeats it, and the database knows it by its key.
  ///
  /// - Returns: the refusal to answer with; nil where every record was appended, and only the sync is left.
  private func appendRecords(of judge: borrowing BodyJudge) -> HTTPAnswer? {
    let spool = parts.spool
    for index in 0..<judge.recordCount {
      do {
        try judge.withRecord(index) { bytes throws(SpoolError) in _ = try spool.append(bytes) }
      } catch {
        switch error {
        case .full: return parts.answers.problem(.spoolFull)
        case .recordTooLarge: return parts.answers.problem(.decompressedTooLarge)
        case .inUse, .system, .unsupportedFormat, .closed:
          parts.log.error("spool append failed", ["error": .string(error.description)])
          return parts.answers.problem(.commitFailed)
        }
      }
    }
    return nil
  }

  private func count(_ request: HTTPRequestPointer, _ verdict: BodyVerdict, _ judge: borrowing BodyJudge) {
    switch verdict {
    case .judged(let accepted, let rejected):
      parts.metrics.eventsAccepted += accepted
      if rejected > 0 { judge.countRejections(into: &parts.metrics.eventsRejected) }
      parts.keys.charge(request.pointee.keySlot, events: accepted + rejected)
    case .unreadable:
      parts.metrics.bodiesUnreadable += 1
      parts.keys.charge(request.pointee.keySlot, events: 1)
    case .tooManyEvents, .decompressedOverLimit, .tooManyToJudgeHere, .tooMuchInFlight: break
    }
  }
}
