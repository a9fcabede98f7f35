import EventIntake
import EventRecords
import EventStore
import FunnelDocument
import LocalTime
import StoryEvents

/// Puts rejected events through the present rules again, each as it came: with its first time of receipt and its request's
/// `sent_at`.
struct ReplayJudge: ~Copyable {
  private var intake = Intake()
  /// A batch of the one event, for the reader.
  private var batch: [UInt8] = []
  /// Whether events whose batch's context was at fault are judged without it.
  private let isContextIgnored: Bool

  /// What came of it.
  enum Verdict {
    /// It passes: one event, in the records.
    case passes
    /// It was kept as a whole body or line, and its events can be read now: accepted and rejected, they are in the records.
    case unfolded(accepted: Int, rejected: [RejectionCode: Int])
    /// It is refused still, for this reason.
    case refused(RejectedReason)
    /// It is refused still, for the reason that it was kept for.
    case refusedAsBefore
    /// It is refused still: the fault is in the context of its batch, which is not kept.
    case refusedForContext
  }

  /// - Parameter isContextIgnored: with true, `refusedForContext` never comes: such an event is judged by itself.
  init(isContextIgnored: Bool) { self.isContextIgnored = isContextIgnored }

  /// Lends each record of what passed last.
  func forEachRecord(_ body: (UnsafeRawBufferPointer) throws(CommandError) -> Void) throws(CommandError) {
    for index in 0..<intake.records.recordCount { try intake.records.withRecord(index, body) }
  }

  /// Judges one.
  mutating func judge(_ row: RejectedBody) -> Verdict {
    let reason = row.entry.reason
    // A line beyond every limit is kept in part only: there is nothing to be read again.
    if reason.code == RejectionCode.eventTooLarge.name, row.bytes.count > ContractLimits.eventBytes {
      return .refusedAsBefore
    }
    let isBody = reason.code == RejectionCode.unreadable.name
    let isLine = reason.code == RejectionCode.invalidJSON.name || reason.field == "events"
    if isBody || (isLine && row.bytes.first(where: { !Self.isWhitespace($0) }) == UInt8(ascii: "{")) {
      if let verdict = unfold(row) { return verdict }
      // A body that is no batch is one event, or still unreadable.
      if isBody, !hasSingleEvent(row) { return .refusedAsBefore }
    }
    return judgeEvent(row)
  }

  /// The events of a whole body or line; nil where it is not a batch or a list.
  private mutating func unfold(_ row: RejectedBody) -> Verdict? {
    guard case .judged(let summary) = judge(row.bytes, row, .json), !hasSingleEvent(row) else { return nil }
    return .unfolded(
      accepted: summary.accepted, rejected: summary.errors.reduce(into: [:]) { $0[$1.code, default: 0] += 1 })
  }

  /// Whether what was judged last is one event that takes up all of the row.
  private func hasSingleEvent(_ row: RejectedBody) -> Bool {
    guard intake.records.recordCount == 1 else { return false }
    let bytes = row.bytes.drop(while: Self.isWhitespace).reversed().drop(while: Self.isWhitespace).count
    return intake.records.withRecord(0) { record in
      guard var reader = try? EventRecordReader(record) else { return false }
      while let item = (try? reader.next()) ?? nil {
        switch item {
        case .event(let event): return event.rawJSON.count == bytes
        case .rejected(let event): return event.code != .unreadable && event.rawJSON.count == bytes
        case .context, .page, .dropped: break
        }
      }
      return false
    }
  }

  private mutating func judgeEvent(_ row: RejectedBody) -> Verdict {
    // Before it is put into a batch: text that is not one JSON value could end the batch early.
    if let reason = faultOfText(row) { return .refused(reason) }
    batch.removeAll(keepingCapacity: true)
    batch += Array("{".utf8)
    if let sent = row.entry.sentAtMicroseconds {
      batch += Array("\"sent_at\":\"\(TimestampText.rfc3339(sent, in: .utc))\",".utf8)
    }
    batch += Array("\"events\":[".utf8)
    batch += row.bytes
    batch += Array("]}".utf8)
    guard case .judged(let summary) = judge(batch, row, .json) else { return .refusedAsBefore }
    if let fault = summary.errors.first { return .refused(RejectedReason(fault)) }
    if !isContextIgnored, isFaultOfBatchContext(row) { return .refusedForContext }
    return .passes
  }

  /// Why the text is not one JSON value; nil: it is.
  private mutating func faultOfText(_ row: RejectedBody) -> RejectedReason? {
    // Outside of texts a line feed is white space, and so is a tab; inside of texts neither may stand. So with tabs in their
    // place it is a line, as well-formed as before.
    batch.removeAll(keepingCapacity: true)
    for byte in row.bytes {
      batch.append(byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? UInt8(ascii: "\t") : byte)
    }
    guard case .judged(let summary) = judge(batch, row, .ndjson) else {
      return RejectedReason(
        code: RejectionCode.invalidJSON.name, field: nil, message: "there is no event in it; expected an object")
    }
    // A batch on a line may hold any number of faults; where the line itself is at fault there is one.
    guard let fault = summary.errors.first, fault.code == .invalidJSON else { return nil }
    return RejectedReason(fault)
  }

  private mutating func judge(_ text: [UInt8], _ row: RejectedBody, _ format: IntakeFormat) -> IntakeOutcome {
    text.withUnsafeBytes {
      intake.judge(
        $0,
        IntakeRequest(
          app: row.entry.app, format: format, origin: .http,
          receivedAtMicroseconds: row.entry.firstReceivedAtMicroseconds))
    }
  }

  /// Whether an event that passes by itself was refused for a field that is not its own: one of its batch's context, whose
  /// fault rejects each of its events (contract §1).
  private func isFaultOfBatchContext(_ row: RejectedBody) -> Bool {
    guard let field = row.entry.reason.field else { return false }
    let isContext = field == "context"
    guard isContext || ContextField.allCases.contains(where: { $0.name == field }) else { return false }
    // A name that stands twice in the event's own context is told without a field.
    if row.entry.reason.code == RejectionCode.duplicateField.name { return true }
    guard let own = (try? JSONValue(text: row.bytes))?["context"], !own.isNull else { return true }
    return !isContext && (own[field]?.isNull ?? true)
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}

extension RejectedReason {
  fileprivate init(_ fault: EventFault) {
    self.init(code: fault.code.name, field: fault.field, message: fault.message)
  }
}
