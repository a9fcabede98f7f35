import EventScanner

/// Where a text's bytes come from, as often as they are wanted.
protocol DocumentSource {
  /// Begins again.
  mutating func rewind() throws
  /// The next bytes, valid until the next call; nil at the end.
  mutating func next() throws -> UnsafeRawBufferPointer?
}

/// A text that stands in memory.
struct MemorySource: DocumentSource {
  let bytes: UnsafeRawBufferPointer
  private var isRead = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func rewind() { isRead = false }

  mutating func next() -> UnsafeRawBufferPointer? {
    defer { isRead = true }
    return isRead ? nil : bytes
  }
}

/// Reads a text of any size: its batch's own fields first, then, in a second pass, its events one by one.
///
/// The first pass checks the whole text; `context` and `sent_at` may stand behind `events`. Memory: the batch's own fields,
/// and one event.
struct DocumentReader: ~Copyable {
  /// What the text as a whole is, as far as the first pass has come.
  enum Shape {
    case empty
    case array
    case object
    case scalar
  }

  /// What an element is and how much of it was kept.
  struct Element {
    /// Its bytes, up to `maximumKeptBytes`; valid during the call.
    var bytes: UnsafeRawBufferPointer
    /// How long it is.
    var length: Int
  }

  /// Of a batch's own fields, together: more is not read, and the batch is refused.
  static let maximumHeaderBytes = 4 * 1024 * 1024
  /// Of one element.
  static let maximumKeptBytes = 16 * 1024 * 1024
  private static let maximumKeyBytes = 256

  private(set) var shape = Shape.empty
  /// What `events` is; nil: there is none, or it is null.
  private(set) var eventsKind: ScannedKind?
  /// `events` stands there twice.
  private(set) var eventsRepeated = false
  /// The batch's own fields are longer than `maximumHeaderBytes`.
  private(set) var headerTooLarge = false
  /// Elements of `events`, or of the array that the text is.
  private(set) var eventTotal = 0

  private let checker = Checker()
  /// The batch's own fields as a batch without events: `{"context":…,"sent_at":…`.
  private var header: [UInt8] = []
  private var key: [UInt8] = []
  private var isKeyTooLong = false
  private var field: ScannedField?
  private var isInEvents = false
  private var capture = Capture.none
  private var element: [UInt8] = []
  private var elementLength = 0

  private enum Capture {
    case none
    case key
    case headerValue
    case element
  }

  /// Whether the text is a batch.
  var isBatch: Bool { eventsKind != nil }

  // MARK: First pass

  /// Takes the next bytes; false: the text is not JSON.
  mutating func survey(_ chunk: UnsafeRawBufferPointer) -> Bool {
    walk(chunk, isSurvey: true, each: { _ in })
  }

  /// Ends the first pass; nil: the text is well-formed.
  mutating func finishSurvey() -> String? {
    if document_checker_finish(checker.handle) == .none { return nil }
    return DocumentProblems.describe(checker)
  }

  /// A text that is the batch without its events.
  var headerText: [UInt8] { Array("{".utf8) + header + Array("\"events\":[]}".utf8) }

  // MARK: Second pass

  /// Begins the second pass.
  mutating func beginElements() {
    document_checker_reset(checker.handle)
    isInEvents = false
    capture = .none
    field = nil
  }

  /// Takes the next bytes of the second pass.
  ///
  /// - Parameter each: gets every event, or the whole text where it is no batch and no array.
  mutating func elements(_ chunk: UnsafeRawBufferPointer, each: (Element) -> Void) {
    _ = walk(chunk, isSurvey: false, each: each)
  }

  /// Ends the second pass: a number at the very end has no byte behind it that would end it.
  mutating func finishElements(each: (Element) -> Void) {
    if case .element = capture { endElement(each) }
  }

  // MARK: The walk

  private mutating func walk(
    _ chunk: UnsafeRawBufferPointer, isSurvey: Bool, each: (Element) -> Void
  ) -> Bool {
    var rest = chunk
    while true {
      let depth: Int32 = isInEvents ? 2 : !isSurvey && elementDepth == 0 ? 0 : 1
      let step = document_checker_feed(checker.handle, rest.bytePointer, rest.count, depth)
      if capture != .none { keep(rest.part(0..<step.consumed)) }
      let next: UInt8 = step.consumed < rest.count ? rest[step.consumed] : 0
      rest = rest.part(step.consumed..<rest.count)
      switch step.mark {
      case .none: return true
      case .problem: return false
      case .keyBegins:
        key.removeAll(keepingCapacity: true)
        isKeyTooLong = false
        capture = .key
      case .keyEnds:
        capture = .none
        field = isKeyTooLong ? nil : batchField(key)
      case .valueBegins: beginValue(depth: step.depth, first: next, isSurvey: isSurvey)
      case .valueEnds: endValue(depth: step.depth, isSurvey: isSurvey, each: each)
      }
    }
  }

  private mutating func beginValue(depth: Int, first: UInt8, isSurvey: Bool) {
    switch depth {
    case 0:
      if isSurvey {
        shape = first == UInt8(ascii: "[") ? .array : first == UInt8(ascii: "{") ? .object : .scalar
      }
      if !isSurvey, !isBatch, shape != .array { beginElement() }
    case 1:
      if shape == .array {
        if isSurvey { eventTotal += 1 } else { beginElement() }
      } else if shape == .object {
        beginMember(first: first, isSurvey: isSurvey)
      }
    case _:
      if isSurvey { eventTotal += 1 } else { beginElement() }
    }
  }

  private mutating func beginMember(first: UInt8, isSurvey: Bool) {
    guard let field else { return }
    if field == .events {
      if isSurvey, first != UInt8(ascii: "n") {
        if eventsKind != nil { eventsRepeated = true }
        eventsKind = kind(first)
      }
      isInEvents = first == UInt8(ascii: "[") && isBatch
      return
    }
    guard isSurvey else { return }
    if header.count + key.count > Self.maximumHeaderBytes { headerTooLarge = true }
    header.append(contentsOf: key)
    header.append(UInt8(ascii: ":"))
    capture = .headerValue
  }

  private mutating func endValue(depth: Int, isSurvey: Bool, each: (Element) -> Void) {
    switch capture {
    case .none, .key: break
    case .headerValue where depth == 1:
      header.append(UInt8(ascii: ","))
      capture = .none
    case .headerValue: break
    case .element where depth == elementDepth: endElement(each)
    case .element: break
    }
    if depth == 1 { isInEvents = false }
  }

  private var elementDepth: Int { shape == .array ? 1 : isBatch ? 2 : 0 }

  private mutating func beginElement() {
    capture = .element
    element.removeAll(keepingCapacity: element.capacity <= 1024 * 1024)
    elementLength = 0
  }

  private mutating func endElement(_ each: (Element) -> Void) {
    capture = .none
    element.withUnsafeBytes { each(Element(bytes: $0, length: elementLength)) }
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    switch capture {
    case .none: break
    case .key:
      if key.count + bytes.count <= Self.maximumKeyBytes { key.append(contentsOf: bytes) } else { isKeyTooLong = true }
    case .headerValue:
      if header.count + bytes.count <= Self.maximumHeaderBytes {
        header.append(contentsOf: bytes)
      } else {
        headerTooLarge = true
      }
    case .element:
      elementLength += bytes.count
      let room = Self.maximumKeptBytes - element.count
      element.append(contentsOf: bytes.part(0..<min(room, bytes.count)))
    }
  }

  private func batchField(_ key: [UInt8]) -> ScannedField? {
    let number = event_scanner_batch_field(key, key.count)
    return number < 0 ? nil : ScannedField(rawValue: UInt8(number))
  }

  private func kind(_ first: UInt8) -> ScannedKind {
    switch first {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"): .true
    case UInt8(ascii: "f"): .false
    case _: .number
    }
  }
}
