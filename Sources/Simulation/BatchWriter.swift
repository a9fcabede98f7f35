import StoryEvents

/// Writes events as batches (contract §1) into a buffer that is used again: no text is made on the way.
struct BatchWriter: Sendable {
  /// The batch being written.
  private(set) var batch = SentBatch()
  private let details: [StoryDetails]
  private let sharedContext: [UInt8]
  private let storyContexts: [[UInt8]]
  private let contentDetails: [RichMediaDetails]
  /// Whether a packed batch says once of which story its events are: all are of one.
  private let sharesStory: Bool
  private let isPacked: Bool
  private var timestamps = TimestampWriter()
  private var sessionText: [UInt8] = []
  /// The number of the selected session's first event that is delivered.
  private var describingSeq = 0

  init(configuration: WorldConfiguration) {
    details = configuration.stories.map { StoryDetails(story: $0) }
    let environment = "\"environment\":\(jsonText(configuration.environment))"
    sharedContext = configuration.environments.isEmpty ? Array(environment.utf8) : []
    storyContexts = configuration.stories.map { story in
      story.storyID.map { Array("\"story_id\":\(jsonText($0)),".utf8) } ?? []
    }
    contentDetails = configuration.richMedia?.contents.map { RichMediaDetails($0.content) } ?? []
    sharesStory = storyContexts.count == 1 && configuration.richMedia == nil && configuration.responses == nil
    isPacked = configuration.batching != .session
    sessionText.reserveCapacity(64)
  }

  var eventCount: Int { batch.eventRanges.count }

  /// Begins a batch with the context that its events have in common. Its times are filled in by `end`.
  mutating func begin(with session: SimulatedSession) {
    batch.bytes += "{\"received_at\":\"".utf8
    batch.receivedAtOffset = batch.bytes.count
    timestamps.append(session.receivedAtMicroseconds, to: &batch.bytes)
    batch.bytes += "\",\"sent_at\":\"".utf8
    batch.sentAtOffset = batch.bytes.count
    timestamps.append(session.sentAtMicroseconds, to: &batch.bytes)
    batch.bytes += "\",\"context\":{".utf8
    if !isPacked {
      batch.bytes += storyContext(of: session)
      append(device: session.device, windowProperties: windowProperties(of: session))
      batch.bytes.append(UInt8(ascii: ","))
    } else if sharesStory {
      batch.bytes += storyContexts[0]
    }
    batch.bytes += sharedContext
    batch.endMembers()
    batch.bytes += ",\"events\":[".utf8
    batch.headEnd = batch.bytes.count
    batch.clockErrorMicroseconds = session.clockErrorMicroseconds
  }

  /// Takes over the id of the session whose events follow.
  mutating func select(_ session: SimulatedSession) {
    describingSeq = session.events.first?.seq ?? 0
    sessionText.removeAll(keepingCapacity: true)
    sessionText += "\",\"session_id\":\"".utf8
    sessionText.append(id: session.id)
    sessionText += "\",\"seq\":".utf8
  }

  /// Appends an event of the selected session.
  mutating func append(_ event: SimulatedEvent, of session: SimulatedSession) {
    if !batch.eventRanges.isEmpty { batch.bytes.append(UInt8(ascii: ",")) }
    let start = batch.bytes.count
    batch.bytes += "{\"type\":\"".utf8
    batch.bytes += event.type.name.utf8
    batch.bytes += sessionText
    batch.bytes.append(decimal: event.seq)
    batch.bytes += ",\"at\":\"".utf8
    timestamps.append(event.atMicroseconds, to: &batch.bytes)
    batch.bytes.append(UInt8(ascii: "\""))
    switch session.surface {
    case .story(let index): append(fieldsOf: event, details: details[index])
    case .richMedia(let index): append(fieldsOf: event, details: contentDetails[index])
    case .response: append(fieldsOf: event)
    }
    if isPacked { append(contextOf: session, for: event) }
    batch.bytes.append(UInt8(ascii: "}"))
    batch.eventRanges.append(start..<batch.bytes.count)
  }

  /// Ends the batch and writes its times.
  mutating func end(sentAtMicroseconds: Int64, receivedAtMicroseconds: Int64) {
    batch.bytes += "]}".utf8
    batch.stamp(receivedAtMicroseconds, at: batch.receivedAtOffset, &timestamps)
    batch.stamp(sentAtMicroseconds, at: batch.sentAtOffset, &timestamps)
  }

  /// Forgets the batch.
  mutating func clear() {
    batch.bytes.removeAll(keepingCapacity: true)
    batch.eventRanges.removeAll(keepingCapacity: true)
  }

  private mutating func append(fieldsOf event: SimulatedEvent, details: StoryDetails) {
    if let page = event.pageIndex {
      batch.bytes += ",\"page_index\":".utf8
      batch.bytes.append(decimal: page)
      if event.durationMicroseconds != nil { batch.bytes += details.pageJSON[page] }
    }
    if let pageCount = event.pageCount {
      batch.bytes += ",\"page_count\":".utf8
      batch.bytes.append(decimal: pageCount)
    }
    if event.pageDurationsMicroseconds != nil { batch.bytes += details.startJSON }
    if let reason = event.reason {
      batch.bytes += ",\"reason\":".utf8
      batch.bytes.append(jsonText: reason)
    }
  }

  private mutating func append(fieldsOf event: SimulatedEvent, details: RichMediaDetails) {
    batch.bytes += details.eventJSON
    append("error", event.error)
  }

  /// The fields of an answer to a notification.
  private mutating func append(fieldsOf event: SimulatedEvent) {
    append("action", event.action?.name)
    append("category_id", event.categoryID)
    append("button_id", event.buttonID)
  }

  private func storyContext(of session: SimulatedSession) -> [UInt8] {
    switch session.surface {
    case .story(let index): storyContexts[index]
    case .richMedia, .response: []
    }
  }

  private func windowProperties(of session: SimulatedSession) -> [UInt8] {
    switch session.surface {
    case .richMedia(let index): contentDetails[index].propertiesJSON
    case .story, .response: []
    }
  }

  /// In a packed batch a session's first event describes its device, whenever it arrives; each names its story, where there
  /// are several.
  private mutating func append(contextOf session: SimulatedSession, for event: SimulatedEvent) {
    let story = sharesStory ? [] : storyContext(of: session)
    guard event.seq == describingSeq || !story.isEmpty else { return }
    batch.bytes += ",\"context\":{".utf8
    batch.bytes += story
    if event.seq == describingSeq {
      append(device: session.device, windowProperties: windowProperties(of: session))
    }
    batch.endMembers()
  }

  private mutating func append(device: SimulatedDevice, windowProperties: [UInt8]) {
    batch.bytes += "\"device_id\":\"".utf8
    batch.bytes.append(id: device.deviceID)
    batch.bytes.append(UInt8(ascii: "\""))
    append("app_version", device.appVersion)
    append("os_version", device.osVersion)
    append("device_model", device.deviceModel)
    append("locale", device.locale)
    append("sdk_version", device.sdkVersion)
    append("environment", device.environment)
    guard !device.properties.isEmpty || !windowProperties.isEmpty else { return }
    batch.bytes += ",\"properties\":{".utf8
    for property in device.properties {
      batch.bytes.append(jsonText: property.name)
      batch.bytes.append(UInt8(ascii: ":"))
      batch.bytes.append(jsonText: property.value)
      batch.bytes.append(UInt8(ascii: ","))
    }
    batch.bytes += windowProperties
    batch.endMembers()
  }

  private mutating func append(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    batch.bytes += ",\"".utf8
    name.withUTF8Buffer { batch.bytes += $0 }
    batch.bytes += "\":".utf8
    batch.bytes.append(jsonText: text)
  }
}

extension SentBatch {
  /// Ends an object in the place of the comma behind its last member, if there is one.
  fileprivate mutating func endMembers() {
    if bytes.last == UInt8(ascii: ",") { bytes.removeLast() }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension [UInt8] {
  /// Appends the 36 characters of an id.
  fileprivate mutating func append(id: SessionID) {
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 { append(UInt8(ascii: "-")) }
      let half = digit < 16 ? id.high : id.low
      append(hexadecimal: UInt8(truncatingIfNeeded: half >> UInt64(60 - digit % 16 * 4)) & 0xF)
    }
  }
}
