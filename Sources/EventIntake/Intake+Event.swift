import EventRecords
import EventScanner
import StoryEvents

extension Intake {
  /// Judges one event and writes what comes of it.
  mutating func judgeEvent(_ event: UnsafePointer<ScannedEvent>, _ values: UnsafeBufferPointer<ScannedValue>) {
    cutRecord()
    if let fault = wholeFault(event.pointee) { return reject(event.pointee.buffer, fault) }
    draft.reset()
    let own = takeFields(values)
    draft.checkPresence()
    if let fault = draft.fault ?? batchFault {
      if let batchFault, batchFault.comesBefore(fault) { return reject(event.pointee.buffer, batchFault) }
      return reject(event.pointee.buffer, fault)
    }
    guard let type = draft.type, let sessionID = draft.sessionID else { return }
    accept(event.pointee.buffer, type, sessionID, context: contextOffset(own))
  }

  /// What is wrong with an event before any of its fields is looked at.
  @inline(__always)
  private func wholeFault(_ event: ScannedEvent) -> Fault? {
    if event.kind.isObject, Int(event.length) <= ContractLimits.eventBytes,
      Int(event.depth) <= ContractLimits.nesting, event.duplicate_name == nil
    {
      return nil
    }
    return wholeFaultFound(event)
  }

  private func wholeFaultFound(_ event: ScannedEvent) -> Fault {
    if !event.kind.isObject {
      let isString = event.kind == .string && event.length >= 2
      let text = isString ? event.buffer.part(1..<(Int(event.length) - 1)) : event.buffer
      return Fault(code: .notAnObject, field: nil, expectation: .object, found: .whole(text, event.kind))
    }
    if Int(event.length) > ContractLimits.eventBytes { return tooLarge(Int(event.length)) }
    if Int(event.depth) > ContractLimits.nesting {
      return Fault(
        code: .nestedTooDeeply, field: nil, expectation: .atMostNesting(ContractLimits.nesting),
        count: Int(event.depth))
    }
    let name = UnsafeRawBufferPointer(start: event.duplicate_name, count: Int(event.duplicate_length))
    return Fault(code: .duplicateField, field: nil, expectation: .once, name: name)
  }

  func tooLarge(_ bytes: Int) -> Fault {
    Fault(
      code: .eventTooLarge, field: nil, expectation: .atMostEventBytes(ContractLimits.eventBytes), count: bytes)
  }

  // MARK: Context

  /// The event's own context.
  enum OwnContext {
    case none
    /// The same bytes as the event before: it stands there already.
    case repeated(offset: UInt32)
    case new(bytes: UnsafeRawBufferPointer)
  }

  /// Reads the event's fields into `draft`, and its context's into `ownContext`.
  @inline(__always)
  private mutating func takeFields(_ values: UnsafeBufferPointer<ScannedValue>) -> OwnContext {
    var own = OwnContext.none
    var index = 0
    while index < values.count {
      let value = values[index]
      index += 1
      draft.take(value)
      guard case .context = value.field, value.kind.isObject else { continue }
      // The context's values stand directly behind its mark.
      if let last = contextPlaces.own, last.bytes.count == value.buffer.count,
        last.bytes.isSame(as: value.buffer)
      {
        own = .repeated(offset: last.offset)
        while index < values.count, values[index].field.isInContext { index += 1 }
        continue
      }
      own = .new(bytes: value.buffer)
      ownContext.reset()
      while index < values.count, values[index].field.isInContext {
        if let fault = ownContext.take(values[index]) { draft.note(fault) }
        index += 1
      }
      if let fault = ownContext.finish() { draft.note(fault) }
    }
    return own
  }

  /// Where the event's context stands in the record; writes it where it does not yet.
  private mutating func contextOffset(_ own: OwnContext) -> UInt32 {
    switch own {
    case .none:
      if let offset = contextPlaces.batch { return offset }
      let offset = batchContext.values.isEmpty ? 0 : records.appendContext(batchContext.values)
      contextPlaces.batch = offset
      return offset
    case .repeated(let offset): return offset
    case .new(let bytes):
      mergedValues.merge(base: batchContext.values, override: ownContext.values)
      let offset = mergedValues.isEmpty ? 0 : records.appendContext(mergedValues)
      contextPlaces.own = (bytes, offset)
      if wantsDeviceID, let deviceID = mergedValues[.deviceID] {
        firstDeviceID.append(contentsOf: deviceID)
        wantsDeviceID = false
      }
      return offset
    }
  }

  // MARK: Fates

  private mutating func accept(
    _ raw: UnsafeRawBufferPointer, _ type: EventType, _ sessionID: SessionID, context: UInt32
  ) {
    var event = AcceptedEvent(
      type: type, sessionID: sessionID, seq: draft.seq, atMicroseconds: draft.atMicroseconds, contextOffset: context,
      index: UInt32(clamping: line ?? tally.events), rawJSON: raw)
    event.pageIndex = draft.pageIndex
    event.pageCount = draft.pageCount
    event.source = draft.source
    event.action = draft.action
    event.durationSeconds = draft.page.texts.durationSeconds
    event.texts = draft.texts
    tally.accept(sessionID, seq: draft.seq, atMicroseconds: draft.atMicroseconds, atIsInteger: draft.atIsInteger)
    if type == .start, draft.pageTotal > 0 { return appendStart(&event) }
    records.append(event)
    if !draft.page.isEmpty, let pageIndex = draft.pageIndex {
      appendPage(draft.page, pageIndex, sessionID, context: context)
    }
  }

  /// A `start` with `pages`: their durations belong to the event, their details to the story.
  private mutating func appendStart(_ event: inout AcceptedEvent) {
    pageDurations.removeAll(keepingCapacity: true)
    for page in draft.pages { pageDurations.append(page.texts.durationSeconds ?? .nan) }
    pageDurations.withUnsafeBufferPointer {
      event.pageDurationsSeconds = $0
      records.append(event)
    }
    for index in draft.pages.indices where !draft.pages[index].isEmpty {
      appendPage(draft.pages[index], Int16(index), event.sessionID, context: event.contextOffset)
    }
  }

  private mutating func appendPage(_ page: PageDraft, _ index: Int16, _ sessionID: SessionID, context: UInt32) {
    var details = page.texts
    details.contextOffset = context
    details.pageIndex = index
    details.sessionID = sessionID
    records.append(details)
  }

  /// Keeps a rejected event, whole.
  mutating func reject(_ raw: UnsafeRawBufferPointer, _ fault: Fault) {
    reject(raw, code: fault.code, field: fault.fieldName, message: fault.message)
  }

  /// Rejects a line as a whole.
  ///
  /// - Returns: why the request ends here, where it has too many events already.
  mutating func rejectLine(_ raw: UnsafeRawBufferPointer, _ fault: Fault, _ message: String?) -> Stop? {
    if tally.events >= eventLimit { return .tooManyEvents }
    openRecord(sentAt: nil, receivedAt: nil)
    reject(raw, code: fault.code, field: fault.fieldName, message: message ?? fault.message)
    return nil
  }

  private mutating func reject(
    _ raw: UnsafeRawBufferPointer, code: RejectionCode, field: String?, message: String
  ) {
    let index = line ?? tally.events
    var field = field
    var message = message
    tally.reject(EventFault(index: index, code: code, field: field, message: message), code: code)
    // `?? ""` makes a copy only of an empty text.
    var fieldText = field ?? ""
    field = nil
    fieldText.withUTF8 { fieldBytes in
      message.withUTF8 { messageBytes in
        records.append(
          RejectedEvent(
            code: code, field: UnsafeRawBufferPointer(fieldBytes), message: UnsafeRawBufferPointer(messageBytes),
            index: UInt32(clamping: index), rawJSON: raw))
      }
    }
  }
}

extension ScannedField {
  /// Whether it is one of a context's fields.
  @inline(__always)
  var isInContext: Bool {
    rawValue >= ScannedField.storyID.rawValue && rawValue <= ScannedField.propertyValue.rawValue
  }
}
