import EventRecords
import EventScanner
import StoryEvents

/// What has been read of one event so far. Reused for the next: nothing of it is allocated for an event.
struct EventDraft: ~Copyable {
  var type: EventType?
  var sessionID: SessionID?
  var seq: Int32 = 0
  var atMicroseconds: Int64 = 0
  /// `at` was an integer.
  var atIsInteger = false
  var pageIndex: Int16?
  var pageCount: Int16?
  var source: RichMediaSource?
  var action: ResponseAction?
  var texts = EventTexts()
  var page = PageDraft()
  /// The elements of `pages`; the memory is kept from event to event.
  var pages: [PageDraft] = []
  /// The elements of `pages` there are, of which those beyond the limit are not in `pages`.
  var pageTotal = 0
  /// Bits of the fields that are there (`ScannedField.rawValue`), valid or not.
  private var present: UInt64 = 0
  /// The fault to tell: the first in the order of codes.
  private(set) var fault: Fault?

  init() {}

  /// Forgets everything.
  mutating func reset() {
    type = nil
    sessionID = nil
    atIsInteger = false
    pageIndex = nil
    pageCount = nil
    source = nil
    action = nil
    texts = EventTexts()
    page = PageDraft()
    if pageTotal > 0 {
      pages.removeAll(keepingCapacity: pages.capacity <= ContractLimits.pageCount.upperBound)
      pageTotal = 0
    }
    present = 0
    isInPages = false
    fault = nil
  }

  /// Notes a fault; of several, the first in the order of codes stays.
  mutating func note(_ new: Fault) {
    if let fault, !new.comesBefore(fault) { return }
    fault = new
  }

  /// Whether the field is there.
  @inline(__always)
  func has(_ field: ScannedField) -> Bool { present & (1 << UInt64(field.rawValue)) != 0 }

  /// Takes a field of the event's own.
  mutating func take(_ value: ScannedValue) {
    present |= 1 << UInt64(value.field.rawValue)
    switch value.field {
    case .type:
      type = isString(value) ? eventTypes.find(value.buffer) : nil
      if type == nil { note(Fault(code: .unknownType, field: .type, expectation: .knownType, found: value)) }
    case .sessionID:
      sessionID = isString(value) ? session(value.buffer) : nil
      if sessionID == nil {
        note(Fault(code: .invalidSessionID, field: .sessionID, expectation: .sessionID, found: value))
      }
    case .seq:
      guard let number = integer(value, in: sequenceRange) else {
        return note(Fault(code: .invalidSeq, field: .seq, expectation: .sequence, found: value))
      }
      seq = Int32(truncatingIfNeeded: number)
    case .at: takeTime(value)
    case .pageIndex:
      guard let number = integer(value, in: pageIndexRange) else {
        return note(Fault(code: .invalidPageIndex, field: .pageIndex, expectation: .pageIndex, found: value))
      }
      pageIndex = Int16(truncatingIfNeeded: number)
    case .pageCount:
      guard let number = integer(value, in: pageCountRange) else {
        return note(Fault(code: .invalidPageCount, field: .pageCount, expectation: .pageCount, found: value))
      }
      pageCount = Int16(truncatingIfNeeded: number)
    case .reason: texts.reason = text(value)
    case .contentCode: texts.contentCode = text(value)
    case .error: texts.error = text(value)
    case .categoryID: texts.categoryID = text(value)
    case .buttonID: texts.buttonID = text(value)
    case .source:
      guard let text = text(value) else { return }
      source = sources.find(text)
      if source == nil { note(Fault(code: .invalidField, field: .source, expectation: .source, found: value)) }
    case .action:
      guard let text = text(value) else { return }
      action = actions.find(text)
      if action == nil { note(Fault(code: .invalidField, field: .action, expectation: .action, found: value)) }
    case .context:
      if !isObject(value) { note(Fault(code: .invalidField, field: .context, expectation: .object, found: value)) }
    case .page:
      if !isObject(value) { note(Fault(code: .invalidField, field: .page, expectation: .object, found: value)) }
    case .pages:
      if case .array = value.kind { return }
      note(Fault(code: .invalidField, field: .pages, expectation: .array, found: value))
    case .pagesElement: takeElement(value)
    case .imageURL, .title, .subtitle, .link, .buttonTitle, .key, .duration, .payloadIndex:
      // After `pages` the last element is meant; the scanner lists a page's fields directly behind it.
      if isInPages {
        guard let last = pages.indices.last, pageTotal == pages.count else { return }
        if let fault = pages[last].take(value) { note(fault) }
      } else if let fault = page.take(value) {
        note(fault)
      }
    case .storyID, .messageHash, .messageID, .campaignID, .deviceID, .userID, .appVersion, .osVersion, .deviceModel,
      .locale, .sdkVersion, .environment, .properties, .propertyName, .propertyValue, .sentAt, .receivedAt,
      .droppedEventsTotal, .events:
      break
    }
    // A page's fields stand directly behind its mark.
    if value.field == .page {
      isInPages = false
    } else if value.field == .pages || value.field == .pagesElement {
      isInPages = true
    }
  }

  private var isInPages = false

  /// The session id that was read last: the next event is likely of the same session, and comparing is faster than reading.
  private var lastSession: (text: UnsafeRawBufferPointer, id: SessionID)?

  /// Forgets places in a text that is about to go.
  mutating func forgetText() { lastSession = nil }

  private mutating func session(_ text: UnsafeRawBufferPointer) -> SessionID? {
    if let lastSession, lastSession.text.count == text.count, lastSession.text.isSame(as: text) {
      return lastSession.id
    }
    guard let id = SessionID(utf8: text) else { return nil }
    lastSession = (text, id)
    return id
  }

  /// Notes what is missing: `type`, `session_id`, `seq`, `at`, then what the type needs (contract §2).
  mutating func checkPresence() {
    let everywhere = Self.bit(.type) | Self.bit(.sessionID) | Self.bit(.seq) | Self.bit(.at)
    if present & everywhere != everywhere {
      for field in [ScannedField.type, .sessionID, .seq, .at] where !has(field) {
        return note(Fault(code: .missingField, field: field, expectation: .presence(nil)))
      }
    }
    guard let type else { return }
    switch type {
    case .start: require(.pageCount, type)
    case .pageShown, .actionTap: require(.pageIndex, type)
    case .finish, .fallback, .dismiss: break
    case .richMediaDeferred, .richMediaPresented, .richMediaClosed, .richMediaFailed: require(.contentCode, type)
    case .notificationResponse:
      require(.action, type)
      if action == .button {
        require(.categoryID, type)
        require(.buttonID, type)
      }
    }
  }

  @inline(__always)
  private mutating func require(_ field: ScannedField, _ type: EventType) {
    if !has(field) { note(Fault(code: .missingField, field: field, expectation: .presence(type))) }
  }

  @inline(__always)
  private static func bit(_ field: ScannedField) -> UInt64 { 1 << UInt64(field.rawValue) }

  private mutating func takeTime(_ value: ScannedValue) {
    let time: Int64?
    switch value.kind {
    case .string:
      atIsInteger = false
      time = Timestamp.microseconds(rfc3339: value.buffer)
    case .integer:
      atIsInteger = true
      time = NumberText.integer(value).flatMap(Timestamp.microseconds(milliseconds:))
    case .number, .true, .false, .null, .object, .array: time = nil
    }
    guard let time else {
      return note(Fault(code: .invalidTimestamp, field: .at, expectation: .timestamp, found: value))
    }
    atMicroseconds = time
  }

  private mutating func takeElement(_ value: ScannedValue) {
    pageTotal += 1
    if pageTotal > ContractLimits.pageCount.upperBound {
      let limit = ContractLimits.pageCount.upperBound
      return note(
        Fault(code: .invalidField, field: .pages, expectation: .atMostPages(limit), count: pageTotal))
    }
    pages.append(PageDraft())
    switch value.kind {
    case .object, .null: break
    case .string, .integer, .number, .true, .false, .array:
      note(Fault(code: .invalidField, field: .pages, expectation: .pageObject, found: value))
    }
  }

  @inline(__always)
  private mutating func text(_ value: ScannedValue) -> UnsafeRawBufferPointer? {
    guard let fault = textFault(value, limit: ContractLimits.textBytes) else { return value.buffer }
    note(fault)
    return nil
  }
}

/// The details of one page.
struct PageDraft {
  var texts = PageDetails(contextOffset: 0, pageIndex: 0, sessionID: PageDraft.noSession)
  private static let noSession = SessionID(millisecondsSince1970: 0, randomHigh: 0, randomLow: 0)
  /// Whether there is anything in it.
  private(set) var isEmpty = true

  /// Takes one of a page's fields.
  mutating func take(_ value: ScannedValue) -> Fault? {
    isEmpty = false
    switch value.field {
    case .imageURL: return take(value, .imageURL)
    case .title: return take(value, .title)
    case .subtitle: return take(value, .subtitle)
    case .link: return take(value, .link)
    case .buttonTitle: return take(value, .buttonTitle)
    case .key: return take(value, .key)
    case .duration:
      switch value.kind {
      case .integer, .number: texts.durationSeconds = NumberText.double(value)
      case .string, .true, .false, .null, .object, .array: break
      }
      if texts.durationSeconds != nil { return nil }
      return Fault(code: .invalidField, field: .duration, expectation: .finiteNumber, found: value)
    case .payloadIndex:
      guard let index = integer(value, in: sequenceRange) else {
        return Fault(code: .invalidField, field: .payloadIndex, expectation: .payloadIndex, found: value)
      }
      texts.payloadIndex = Int32(truncatingIfNeeded: index)
      return nil
    case .type, .sessionID, .seq, .at, .pageIndex, .pageCount, .reason, .contentCode, .source, .error, .action,
      .categoryID, .buttonID, .context, .page, .pages, .pagesElement, .storyID, .messageHash, .messageID, .campaignID,
      .deviceID, .userID, .appVersion, .osVersion, .deviceModel, .locale, .sdkVersion, .environment, .properties,
      .propertyName, .propertyValue, .sentAt, .receivedAt, .droppedEventsTotal, .events:
      return nil
    }
  }

  private mutating func take(_ value: ScannedValue, _ field: PageText) -> Fault? {
    if let fault = textFault(value, limit: ContractLimits.textBytes) { return fault }
    texts[field] = value.buffer
    return nil
  }
}

private let sequenceRange = ContractLimits.sequence
private let pageIndexRange = Int64(ContractLimits.pageIndex.lowerBound)...Int64(ContractLimits.pageIndex.upperBound)
private let pageCountRange = Int64(ContractLimits.pageCount.lowerBound)...Int64(ContractLimits.pageCount.upperBound)

private let eventTypes = NameTable(EventType.allCases.map { ($0.name, $0) })
private let sources = NameTable(RichMediaSource.allCases.map { ($0.name, $0) })
private let actions = NameTable(ResponseAction.allCases.map { ($0.name, $0) })

/// An integer in this range, or nil.
@inline(__always)
private func integer(_ value: ScannedValue, in range: ClosedRange<Int64>) -> Int64? {
  guard case .integer = value.kind, let number = NumberText.integer(value), range.contains(number) else { return nil }
  return number
}

@inline(__always)
private func isString(_ value: ScannedValue) -> Bool {
  if case .string = value.kind { return true }
  return false
}

@inline(__always)
private func isObject(_ value: ScannedValue) -> Bool {
  if case .object = value.kind { return true }
  return false
}
