import EventRecords
import EventScanner
import StoryEvents

extension Intake {
  /// Judges one text: a batch, an array of events, or an event.
  ///
  /// - Parameter isLine: it is a line of NDJSON: a fault of the whole is this line's alone, and an array is no event.
  /// - Returns: why the whole request ends here; nil: it does not.
  mutating func judgeText(_ text: UnsafeRawBufferPointer, isLine: Bool) -> Stop? {
    guard text.count <= largestTextScannedWhole else { return judgeLargeText(text, isLine: isLine) }
    let scanned = scanner.scan(text, eventLimit: max(eventLimit - tally.events, 0))
    switch scanned.pointee.status {
    case .wellFormed: break
    case .malformed:
      let message = DocumentProblems.describe(text)
      guard isLine else { return .malformed("not JSON: \(message)") }
      return rejectLine(text, Fault(code: .invalidJSON, field: nil, expectation: .object), "not JSON: \(message)")
    case .outOfMemory:
      return .unreadable("there was no memory to read the body; send it again in smaller parts")
    }
    switch scanned.pointee.shape {
    case .batch: return judgeBatch(scanned)
    case .badBatch: return judgeBadBatch(scanned, text, isLine: isLine)
    case .array:
      if isLine {
        let trimmed = trimmingWhitespace(text)
        let found = ScannedValue.whole(trimmed, .array)
        return rejectLine(trimmed, Fault(code: .notAnObject, field: nil, expectation: .object, found: found), nil)
      }
      if scanned.pointee.event_total > scanned.pointee.event_count { return .tooManyEvents }
      beginBatchWithoutContext()
      judgeEvents(scanned)
    case .event:
      if !isLine, let kind = scanned.pointee.firstEvent?.pointee.kind, !kind.isObject {
        return .unreadable("the body is \(kind.inWords); expected a batch, an array of events or an event")
      }
      if tally.events >= eventLimit { return .tooManyEvents }
      beginBatchWithoutContext()
      judgeEvents(scanned)
    }
    return nil
  }

  /// Judges a body of lines.
  private mutating func judgeLines(from body: UnsafeRawBufferPointer) -> Stop? {
    var rest = body
    while rest.count > 0 {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.count
      let stop = judgeLine(rest.part(0..<end))
      if let stop { return stop }
      rest = rest.part(min(end + 1, rest.count)..<rest.count)
    }
    return nil
  }

  /// Judges a body of lines.
  mutating func judgeLines(_ body: UnsafeRawBufferPointer) -> Stop? { judgeLines(from: body) }

  /// Judges one line, given without its line feed.
  mutating func judgeLine(_ line: UnsafeRawBufferPointer) -> Stop? {
    var line = line
    if line.last == UInt8(ascii: "\r") { line = line.part(0..<(line.count - 1)) }
    if line.allSatisfy(isWhitespace) { return nil }
    return judgeText(line, isLine: true)
  }

  // MARK: Batches

  private mutating func judgeBatch(_ scanned: UnsafePointer<ScannedText>) -> Stop? {
    if scanned.pointee.event_total > scanned.pointee.event_count { return .tooManyEvents }
    let batch = beginBatch(scanned)
    judgeEvents(scanned)
    writeDropped(batch)
    return nil
  }

  private mutating func judgeBadBatch(
    _ scanned: UnsafePointer<ScannedText>, _ text: UnsafeRawBufferPointer, isLine: Bool
  ) -> Stop? {
    let isRepeated = scanned.pointee.events_kind == .array
    let words =
      isRepeated ? "stands twice; expected once" : "is \(scanned.pointee.events_kind.inWords); expected an array"
    guard isLine else { return .unreadable("events \(words)") }
    let code: RejectionCode = isRepeated ? .duplicateField : .invalidField
    return rejectLine(
      trimmingWhitespace(text), Fault(code: code, field: .events, expectation: .array), "events \(words)")
  }

  /// Begins a batch: reads its times and its context.
  mutating func beginBatch(_ scanned: UnsafePointer<ScannedText>) -> BatchTimes {
    var times = BatchTimes()
    batchFault = nil
    batchContext.reset()
    contextPlaces.forget()
    draft.forgetText()
    if scanned.pointee.batch_duplicate_name != nil {
      let name = UnsafeRawBufferPointer(
        start: scanned.pointee.batch_duplicate_name, count: Int(scanned.pointee.batch_duplicate_length))
      noteBatchFault(Fault(code: .duplicateField, field: .context, expectation: .once, name: name))
    }
    for index in 0..<Int(scanned.pointee.batch_value_count) {
      let value = scanned.pointee.batch_values[index]
      switch value.field {
      case .sentAt: times.sentAt.take(value)
      case .receivedAt: times.receivedAt.take(value)
      case .droppedEventsTotal: times.dropped.take(value)
      case .context:
        if value.kind.isObject { continue }
        noteBatchFault(Fault(code: .invalidField, field: .context, expectation: .object, found: value))
      case .type, .sessionID, .seq, .at, .pageIndex, .pageCount, .reason, .contentCode, .source, .error, .action,
        .categoryID, .buttonID, .page, .pages, .pagesElement, .imageURL, .title, .subtitle, .link, .buttonTitle, .key,
        .duration, .payloadIndex, .storyID, .messageHash, .messageID, .campaignID, .deviceID, .userID, .appVersion,
        .osVersion, .deviceModel, .locale, .sdkVersion, .environment, .properties, .propertyName, .propertyValue,
        .events:
        if let fault = batchContext.take(value) { noteBatchFault(fault) }
      }
    }
    if let fault = batchContext.finish() { noteBatchFault(fault) }
    openRecord(sentAt: times.sentAt.time, receivedAt: times.receivedAt.time)
    firstDeviceID.removeAll(keepingCapacity: true)
    wantsDeviceID = times.dropped.count != nil && batchContext.values[.deviceID] == nil
    tally.noteClock(
      receivedAtMicroseconds: header.receivedAtMicroseconds, sentAtMicroseconds: header.sentAtMicroseconds)
    return times
  }

  /// Events that stand in no batch have neither times nor context but their own.
  mutating func beginBatchWithoutContext() {
    batchFault = nil
    batchContext.reset()
    wantsDeviceID = false
    contextPlaces.forget()
    draft.forgetText()
    openRecord(sentAt: nil, receivedAt: nil)
  }

  private mutating func noteBatchFault(_ fault: Fault) {
    if let batchFault, !fault.comesBefore(batchFault) { return }
    batchFault = fault
  }

  /// Writes `dropped_events_total`, where the batch has one, for its device: that of its context, else of its first event.
  mutating func writeDropped(_ batch: BatchTimes) {
    guard let total = batch.dropped.count else { return }
    if let deviceID = batchContext.values[.deviceID] {
      records.append(DroppedEvents(total: total, deviceID: deviceID))
    } else {
      firstDeviceID.withUnsafeBytes { records.append(DroppedEvents(total: total, deviceID: $0)) }
    }
  }

  mutating func judgeEvents(_ scanned: UnsafePointer<ScannedText>) {
    let count = Int(scanned.pointee.event_count)
    guard count > 0, let events = scanned.pointee.events else { return }
    for index in 0..<count {
      let event = events + index
      guard event.pointee.value_count > 0, let values = scanned.pointee.values else {
        judgeEvent(event, UnsafeBufferPointer(start: nil, count: 0))
        continue
      }
      judgeEvent(
        event,
        UnsafeBufferPointer(start: values + Int(event.pointee.first_value), count: Int(event.pointee.value_count)))
    }
  }
}

/// A batch's own fields beside its context.
struct BatchTimes {
  var sentAt = SingleTime()
  var receivedAt = SingleTime()
  var dropped = SingleCount()

  /// A time that counts where it stands once and can be read (contract §1: an unreadable `sent_at` counts as absent).
  struct SingleTime {
    private(set) var time: Int64?
    private var isTaken = false

    mutating func take(_ value: ScannedValue) {
      defer { isTaken = true }
      time = nil
      if isTaken { return }
      switch value.kind {
      case .string: time = Timestamp.microseconds(rfc3339: value.buffer)
      case .integer: time = NumberText.integer(value).flatMap(Timestamp.microseconds(milliseconds:))
      case .number, .true, .false, .null, .object, .array: break
      }
    }
  }

  /// A count that is used where it stands once and is 0 … 2³¹−1.
  struct SingleCount {
    private(set) var count: Int32?
    private var isTaken = false

    mutating func take(_ value: ScannedValue) {
      defer { isTaken = true }
      count = nil
      guard !isTaken, case .integer = value.kind, let number = NumberText.integer(value),
        ContractLimits.sequence.contains(number)
      else { return }
      count = Int32(truncatingIfNeeded: number)
    }
  }
}

func isWhitespace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
}

/// The text without JSON's whitespace around it.
func trimmingWhitespace(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
  guard let first = text.firstIndex(where: { !isWhitespace($0) }),
    let last = text.lastIndex(where: { !isWhitespace($0) })
  else { return text.part(0..<0) }
  return text.part(first..<(last + 1))
}

extension ScannedKind {
  var isObject: Bool {
    if case .object = self { return true }
    return false
  }

  /// For a message, with its article.
  var inWords: String {
    switch self {
    case .string: "a text"
    case .integer, .number: "a number"
    case .true: "true"
    case .false: "false"
    case .null: "null"
    case .object: "an object"
    case .array: "an array"
    }
  }
}

extension ScannedText {
  /// The first event that is listed.
  var firstEvent: UnsafePointer<ScannedEvent>? { event_count > 0 ? events : nil }
}

extension ScannedValue {
  /// A text that is one value.
  static func whole(_ text: UnsafeRawBufferPointer, _ kind: ScannedKind) -> ScannedValue {
    ScannedValue(
      bytes: text.bytePointer, length: UInt32(clamping: text.count), field: .events, kind: kind, has_nul: false,
      has_lone_surrogate: false)
  }
}
