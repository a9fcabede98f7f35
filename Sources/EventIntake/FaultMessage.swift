import EventScanner
import StoryEvents

extension Fault {
  /// The bare name of the field, as the sender is told.
  var fieldName: String? {
    if let name {
      // A sender's own name is told as it is only where it is fit to be printed.
      let text = String(decoding: name.prefix(ContractLimits.propertyNameBytes + 1), as: UTF8.self)
      let isPrintable = !text.isEmpty && !text.unicodeScalars.contains(where: isUnprintable)
      if name.count <= ContractLimits.propertyNameBytes, isPrintable { return text }
    }
    return field.map { "\($0.name)" }
  }

  /// What was found and what is expected, in one line.
  var message: String {
    let subject = self.subject
    switch expectation {
    case .object: return "\(subject) is \(foundText); expected an object"
    case .array: return "\(subject) is \(foundText); expected an array"
    case .knownType: return "type is \(foundText); expected one of \(Self.typeNames)"
    case .sessionID:
      return "session_id is \(foundText); expected a UUID of 36 characters, RFC 9562 variant, version 1 to 8"
    case .sequence: return "seq is \(foundText); expected an integer from 0 to 2147483647"
    case .timestamp:
      return "at is \(foundText); expected RFC 3339 with an offset (2026-11-29T10:00:00.000Z) or an integer of "
        + "milliseconds since 1970, in the years 0001 to 9999"
    case .pageIndex: return "page_index is \(foundText); expected an integer from 0 to 999"
    case .pageCount: return "page_count is \(foundText); expected an integer from 1 to 1000"
    case .text: return "\(subject) is \(foundText); expected a text"
    case .textOrUnsigned: return "\(subject) is \(foundText); expected a text or an integer from 0 to 2^64-1"
    case .source: return "source is \(foundText); expected \"push\" or \"in_app\""
    case .action: return "action is \(foundText); expected \"button\", \"default\" or \"dismiss\""
    case .finiteNumber: return "\(subject) is \(foundText); expected a number of seconds"
    case .payloadIndex: return "payload_index is \(foundText); expected an integer from 0 to 2147483647"
    case .scalar: return "\(subject) is \(foundText); expected a text, a number, true or false"
    case .modestNumber: return "\(subject) is \(foundText); expected an exponent from -400 to 400"
    case .pageObject: return "an element of pages is \(foundText); expected an object"
    case .noNUL: return "\(subject) holds U+0000; expected a text without it"
    case .noLoneSurrogate: return "\(subject) holds half of a surrogate pair; expected whole characters"
    case .atMostBytes(let limit): return "\(subject) is \(count) bytes long; expected at most \(limit)"
    case .atMostNameBytes(let limit):
      return "a name in properties is \(count) bytes long; expected at most \(limit)"
    case .atMostEventBytes(let limit): return "the event is \(count) bytes long; expected at most \(limit)"
    case .atMostNesting(let limit): return "the event is nested \(count) deep; expected at most \(limit)"
    case .atMostProperties(let limit): return "properties has \(count) entries; expected at most \(limit)"
    case .atMostPages(let limit): return "pages has \(count) elements; expected at most \(limit)"
    case .once: return "\(subject) stands twice; expected once"
    case .presence(let type):
      guard let type else { return "\(subject) is missing; every event needs it" }
      return "\(subject) is missing; \(type.name) needs it"
    }
  }

  /// The field, or the sender's own name in quotes.
  private var subject: String {
    if let name { return quoted(name) }
    return field.map { "\($0.name)" } ?? "the event"
  }

  private var foundText: String {
    guard let found else { return "something else" }
    switch found.kind {
    case .string: return quoted(found.buffer)
    case .integer, .number: return shortened(found.buffer)
    case .true: return "true"
    case .false: return "false"
    case .null: return "null"
    case .object: return "an object"
    case .array: return "an array"
    }
  }

  private static let typeNames = EventType.allCases.map(\.name).joined(separator: ", ")
}

/// A sender's text in quotes: shortened, and nothing in it that a terminal would obey.
func quoted(_ bytes: UnsafeRawBufferPointer) -> String { "\"\(shortened(bytes))\"" }

/// The first 48 characters or so, with control characters spelled out.
func shortened(_ bytes: UnsafeRawBufferPointer) -> String {
  let limit = 48
  var result = ""
  var length = 0
  // Four bytes a character at most, and one more to know that it goes on.
  let head = String(decoding: bytes.prefix(limit * 4 + 4), as: UTF8.self)
  for scalar in head.unicodeScalars {
    guard length < limit else { return result + "…" }
    length += 1
    if isUnprintable(scalar) {
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "\\u{\(digits)}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Control characters, line and paragraph separators, and what turns the direction of writing.
func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
  case _: false
  }
}
