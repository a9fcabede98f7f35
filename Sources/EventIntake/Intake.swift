import EventRecords
import EventScanner
import StoryEvents

/// Judges bodies, one after another; one for each thread that does.
///
/// It owns the scanner and every buffer and reuses them: once they have grown to the size of the usual request, an event
/// that passes allocates nothing.
public struct Intake: ~Copyable {
  /// What must become durable of the last body that was judged: accepted and rejected events, page details, counts of dropped
  /// events. Valid until the next `judge`.
  public internal(set) var records = EventRecordWriter()

  let scanner = Scanner()
  var draft = EventDraft()
  /// The batch's context.
  var batchContext = ContextJudge()
  /// The event's own context.
  var ownContext = ContextJudge()
  var mergedValues = ContextValues()
  /// What is wrong with the batch's context; it rejects each of its events.
  var batchFault: Fault?
  /// Where contexts stand in the open record, so that events that share one share its bytes.
  var contextPlaces = ContextPlaces()
  /// The device of the batch's first accepted event, where the batch names none and counts dropped events.
  var firstDeviceID: [UInt8] = []
  var wantsDeviceID = false
  /// `start.pages` durations of the event being written.
  var pageDurations: [Double] = []

  // Of the request as a whole.
  var request = IntakeRequest(app: "", format: .json, origin: .http, receivedAtMicroseconds: nil)
  var header = EventRecordHeader(origin: .http, app: "", receivedAtMicroseconds: nil, sentAtMicroseconds: nil)
  var tally = IntakeTally()
  /// The line of the file that is being read, from 1; nil: events are numbered from 0.
  var line: Int?

  /// Makes an intake.
  public init() {}

  /// Judges a body.
  ///
  /// Afterwards `records` holds what must be durable before the answer is given. Well-formedness of the whole body is checked
  /// before any event counts: where it fails, nothing but the body itself is in `records`.
  ///
  /// - Parameters:
  ///   - body: as decompressed; must stay valid during the call only.
  ///   - request: what holds for all of it.
  public mutating func judge(_ body: UnsafeRawBufferPointer, _ request: IntakeRequest) -> IntakeOutcome {
    begin(request, faultLimit: .max)
    eventLimit = ContractLimits.eventsPerRequest
    let stop: Stop?
    switch request.format {
    case .json: stop = judgeText(body, isLine: false)
    case .ndjson: stop = judgeLines(body)
    }
    closeRecord()
    switch stop {
    case .malformed(let message), .unreadable(let message): return unreadable(body, message)
    case .tooManyEvents:
      records.removeAll()
      return .overLimit(LimitExceeded(name: "events in one request", limit: ContractLimits.eventsPerRequest))
    case nil:
      if tally.events == 0 { return unreadable(body, "there is no event in the body; expected at least one") }
      return .judged(
        IntakeSummary(
          accepted: tally.accepted, rejected: tally.rejected, errors: tally.faults, warnings: tally.warnings()))
    }
  }

  /// Why judging a text ended early.
  enum Stop {
    /// It is not JSON.
    case malformed(String)
    /// It is JSON, but nothing that can be judged.
    case unreadable(String)
    case tooManyEvents
  }

  /// Events that one request may have.
  var eventLimit = ContractLimits.eventsPerRequest

  /// Forgets the last request.
  mutating func begin(_ request: IntakeRequest, faultLimit: Int) {
    self.request = request
    records.removeAll()
    contextPlaces.forget()
    tally.reset(faultLimit: faultLimit)
    isRecordOpen = false
    line = nil
  }

  /// Writes the record of a body that is answered 400 before it could be judged, because it cannot be decompressed.
  ///
  /// - Parameters:
  ///   - body: as it was sent.
  ///   - request: what holds for all of it.
  ///   - message: why; one line.
  public mutating func recordUnreadable(
    _ body: UnsafeRawBufferPointer, _ request: IntakeRequest, message: String
  ) -> IntakeOutcome {
    begin(request, faultLimit: 0)
    return unreadable(body, message)
  }

  private mutating func unreadable(_ body: UnsafeRawBufferPointer, _ message: String) -> IntakeOutcome {
    records.removeAll()
    records.begin(makeHeader(sentAt: nil, receivedAt: nil))
    var text = message
    text.withUTF8 {
      records.append(
        RejectedEvent(
          code: .unreadable, field: UnsafeRawBufferPointer(start: nil, count: 0),
          message: UnsafeRawBufferPointer($0), index: 0, rawJSON: body))
    }
    records.end()
    return .unreadable(IntakeProblem(message: message))
  }

  // MARK: Records

  var isRecordOpen = false

  func makeHeader(sentAt: Int64?, receivedAt: Int64?) -> EventRecordHeader {
    EventRecordHeader(
      origin: request.origin, app: request.app,
      receivedAtMicroseconds: request.origin == .file ? receivedAt : request.receivedAtMicroseconds,
      sentAtMicroseconds: sentAt)
  }

  /// Opens a record for a batch with these times, unless the open one has the same.
  mutating func openRecord(sentAt: Int64?, receivedAt: Int64?) {
    let new = makeHeader(sentAt: sentAt, receivedAt: receivedAt)
    if isRecordOpen, new == header { return }
    closeRecord()
    header = new
    records.begin(new)
    isRecordOpen = true
  }

  /// Ends the open record and begins the next, when it has grown large enough.
  @inline(__always)
  mutating func cutRecord() {
    if records.openRecordByteCount > EventRecordFormat.preferredRecordBytes {
      closeRecord()
      records.begin(header)
      isRecordOpen = true
    }
  }

  mutating func closeRecord() {
    if isRecordOpen { records.end() }
    isRecordOpen = false
    contextPlaces.forget()
    if sink != nil, records.byteCount > EventRecordFormat.preferredRecordBytes { deliver() }
  }

  // MARK: Files

  /// Takes full records while a file is judged; a request keeps all of its records.
  var sink: ((borrowing EventRecordWriter) throws -> Void)?
  /// What the sink threw; judging ends at the next occasion.
  var sinkError: (any Error)?

  /// Hands the records over and forgets them.
  mutating func deliver() {
    defer { records.removeAll() }
    guard records.recordCount > 0, let sink, sinkError == nil else { return }
    do { try sink(records) } catch { sinkError = error }
  }
}

/// Where the contexts of the open record stand.
struct ContextPlaces {
  /// The batch's context, for events that have none of their own; nil: not written yet.
  var batch: UInt32?
  /// The context of the last event that had one of its own: its bytes as they were sent, and where the merged one stands.
  var own: (bytes: UnsafeRawBufferPointer, offset: UInt32)?

  /// After this, contexts are written again.
  mutating func forget() {
    batch = nil
    own = nil
  }
}
