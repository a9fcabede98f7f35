import EventRecords
import EventScanner
import StoryEvents

/// Reads one context: its values as places in memory, and its properties as compact JSON.
struct ContextJudge: ~Copyable {
  /// The values read so far; only what is valid is in it.
  private(set) var values = ContextValues()
  private var properties = PropertiesText()
  private var propertyName: ScannedValue?

  /// Forgets what was read.
  mutating func reset() { values.removeAll() }

  /// Takes one value that the scanner listed between a context's mark and its end.
  ///
  /// - Returns: what is wrong with it, or nil.
  mutating func take(_ value: ScannedValue) -> Fault? {
    switch value.field {
    case .storyID: return take(value, .storyID, limit: ContractLimits.storyIDBytes)
    case .messageHash: return take(value, .messageHash)
    case .messageID: return takeIdentifier(value, .messageID)
    case .campaignID: return takeIdentifier(value, .campaignID)
    case .deviceID: return take(value, .deviceID)
    case .userID: return take(value, .userID)
    case .appVersion: return take(value, .appVersion)
    case .osVersion: return take(value, .osVersion)
    case .deviceModel: return take(value, .deviceModel)
    case .locale: return take(value, .locale)
    case .sdkVersion: return take(value, .sdkVersion)
    case .environment: return take(value, .environment)
    case .properties:
      guard case .object = value.kind else {
        return Fault(code: .invalidField, field: .properties, expectation: .object, found: value)
      }
      properties.begin()
      return nil
    case .propertyName:
      propertyName = value
      return nil
    case .propertyValue:
      guard let propertyName else { return nil }
      return properties.take(name: propertyName, value: value)
    case .context, .type, .sessionID, .seq, .at, .pageIndex, .pageCount, .reason, .contentCode, .source, .error,
      .action, .categoryID, .buttonID, .page, .pages, .pagesElement, .imageURL, .title, .subtitle, .link,
      .buttonTitle, .key, .duration, .payloadIndex, .sentAt, .receivedAt, .droppedEventsTotal, .events:
      return nil
    }
  }

  /// Completes the context.
  ///
  /// - Returns: what is wrong with its properties as a whole, or nil.
  mutating func finish() -> Fault? {
    guard properties.isOpen else { return nil }
    let fault = properties.end()
    values[.properties] = properties.text
    return fault
  }

  private mutating func take(
    _ value: ScannedValue, _ field: ContextField, limit: Int = ContractLimits.textBytes
  ) -> Fault? {
    if let fault = textFault(value, limit: limit) { return fault }
    values[field] = value.buffer
    return nil
  }

  /// A text, or an unsigned 64-bit number whose digits are kept as they are.
  private mutating func takeIdentifier(_ value: ScannedValue, _ field: ContextField) -> Fault? {
    if case .integer = value.kind, NumberText.isUnsigned64(value) {
      values[field] = value.buffer
      return nil
    }
    if case .string = value.kind { return take(value, field) }
    return Fault(code: .invalidField, field: value.field, expectation: .textOrUnsigned, found: value)
  }
}

/// What is wrong with a value that must be a text of at most so many bytes, or nil.
@inline(__always)
func textFault(_ value: ScannedValue, limit: Int) -> Fault? {
  if case .string = value.kind, !value.has_nul, !value.has_lone_surrogate, Int(value.length) <= limit { return nil }
  return textFaultFound(value, limit: limit)
}

private func textFaultFound(_ value: ScannedValue, limit: Int) -> Fault {
  guard case .string = value.kind else {
    return Fault(code: .invalidField, field: value.field, expectation: .text, found: value)
  }
  if value.has_nul { return Fault(code: .invalidText, field: value.field, expectation: .noNUL) }
  if value.has_lone_surrogate {
    return Fault(code: .invalidText, field: value.field, expectation: .noLoneSurrogate)
  }
  return Fault(
    code: .textTooLong, field: value.field, expectation: .atMostBytes(limit), count: Int(value.length))
}
