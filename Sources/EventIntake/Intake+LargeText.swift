import EventRecords
import EventScanner
import StoryEvents

extension Intake {
  /// Judges a text that is too large to be scanned at once.
  mutating func judgeLargeText(_ text: UnsafeRawBufferPointer, isLine: Bool) -> Stop? {
    var source = MemorySource(text)
    do {
      return try judgeDocument(&source, line: isLine ? text : nil)
    } catch {
      // Memory does not throw.
      return .unreadable("the body cannot be read")
    }
  }

  /// Judges a text of any size in two passes.
  ///
  /// - Parameter line: the text, where it is a line of NDJSON.
  /// - Returns: why the whole request ends here; nil: it does not.
  /// - Throws: what the source throws.
  mutating func judgeDocument(
    _ source: inout some DocumentSource, line: UnsafeRawBufferPointer?
  ) throws -> Stop? {
    var reader = DocumentReader()
    try source.rewind()
    while let chunk = try source.next() {
      if !reader.survey(chunk) { break }
    }
    if let problem = reader.finishSurvey() {
      guard let line else { return .malformed("not JSON: \(problem)") }
      return rejectLine(line, Fault(code: .invalidJSON, field: nil, expectation: .object), "not JSON: \(problem)")
    }
    if let stop = refuse(reader, line: line) { return stop.stop }

    let headerScanner = Scanner()  // its memory holds the batch's context until the last event
    let header = reader.headerText
    return try header.withUnsafeBytes { bytes in
      var times = BatchTimes()
      if reader.isBatch {
        times = beginBatch(headerScanner.scan(bytes, eventLimit: 0))
      } else {
        beginBatchWithoutContext()
      }
      var group = ElementGroup()
      reader.beginElements()
      try source.rewind()
      while let chunk = try source.next() {
        reader.elements(chunk) { element in take(element, &group) }
        if let sinkError { throw sinkError }
      }
      reader.finishElements { element in take(element, &group) }
      judgeGroup(&group)
      if reader.isBatch { writeDropped(times) }
      return nil
    }
  }

  /// A decision about a whole text, made after its first pass.
  private struct Refusal {
    var stop: Stop?
  }

  private mutating func refuse(_ reader: borrowing DocumentReader, line: UnsafeRawBufferPointer?) -> Refusal? {
    if let line, reader.shape == .array {
      let found = ScannedValue.whole(line, .array)
      return Refusal(
        stop: rejectLine(line, Fault(code: .notAnObject, field: nil, expectation: .object, found: found), nil))
    }
    if line == nil, reader.shape == .scalar {
      return Refusal(
        stop: .unreadable("the body is no object and no array; expected a batch, an array of events or an event"))
    }
    if let kind = reader.eventsKind, reader.eventsRepeated || kind != .array {
      let words =
        reader.eventsRepeated ? "stands twice; expected once" : "is \(kind.inWords); expected an array"
      guard let line else { return Refusal(stop: .unreadable("events \(words)")) }
      let code: RejectionCode = reader.eventsRepeated ? .duplicateField : .invalidField
      return Refusal(stop: rejectLine(line, Fault(code: code, field: .events, expectation: .array), "events \(words)"))
    }
    if reader.isBatch, reader.headerTooLarge {
      let words = "the batch's own fields are longer than \(DocumentReader.maximumHeaderBytes) bytes"
      guard let line else { return Refusal(stop: .unreadable(words)) }
      return Refusal(stop: rejectLine(line, Fault(code: .invalidField, field: .context, expectation: .object), words))
    }
    let events = reader.isBatch || reader.shape == .array ? reader.eventTotal : 1
    if events > eventLimit - tally.events { return Refusal(stop: .tooManyEvents) }
    return nil
  }

  // MARK: Events

  /// Takes one event: small ones are scanned in groups, large ones are refused as they are.
  private mutating func take(_ element: DocumentReader.Element, _ group: inout ElementGroup) {
    guard element.length > ContractLimits.eventBytes else {
      group.append(element.bytes)
      if group.isFull { judgeGroup(&group) }
      return
    }
    judgeGroup(&group)
    cutRecord()
    guard element.bytes.first == UInt8(ascii: "{") else {
      let kind: ScannedKind = element.bytes.first == UInt8(ascii: "[") ? .array : .string
      let text = kind == .string ? element.bytes.part(1..<element.bytes.count) : element.bytes
      return reject(
        element.bytes, Fault(code: .notAnObject, field: nil, expectation: .object, found: .whole(text, kind)))
    }
    reject(element.bytes, tooLarge(element.length))
  }

  private mutating func judgeGroup(_ group: inout ElementGroup) {
    if group.isEmpty { return }
    group.withText { text in
      judgeEvents(scanner.scan(text, eventLimit: Int(UInt32.max)))
    }
    group.removeAll()
    // The group's memory is used again: what stood there cannot be compared with.
    contextPlaces.own = nil
    draft.forgetText()
  }
}

/// Events written as one array, so that they are scanned together.
struct ElementGroup {
  private var text: [UInt8] = []

  var isEmpty: Bool { text.isEmpty }
  var isFull: Bool { text.count > 256 * 1024 }

  mutating func append(_ element: UnsafeRawBufferPointer) {
    text.append(text.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
    text.append(contentsOf: element)
  }

  mutating func withText(_ body: (UnsafeRawBufferPointer) -> Void) {
    text.append(UInt8(ascii: "]"))
    text.withUnsafeBytes { body($0) }
  }

  mutating func removeAll() { text.removeAll(keepingCapacity: true) }
}
