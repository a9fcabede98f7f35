import StoryEvents

/// The longest text that its u16 length can state. The contract's limits lie far below; `properties` comes nearest.
private let maximumTextBytes = Int(UInt16.max)

extension EventRecordWriter {
  /// Appends a context; the result is what its events carry as `contextOffset`.
  ///
  /// - Precondition: a record is open.
  public mutating func appendContext(_ values: borrowing ContextValues) -> UInt32 {
    var length = EventRecordFormat.itemHeaderBytes
    var bits = values.mask
    while bits != 0 {
      length += textBytes(values.value(bit: bits.trailingZeroBitCount))
      bits &= bits &- 1
    }
    let start = beginItem(.context, detail: 0, mask: values.mask, length: length)
    count = start + EventRecordFormat.itemHeaderBytes
    bits = values.mask
    while bits != 0 {
      appendText(values.value(bit: bits.trailingZeroBitCount))
      bits &= bits &- 1
    }
    pad(to: start + roundedUp(length))
    return UInt32(truncatingIfNeeded: start - (recordStart ?? 0))
  }

  /// Appends an accepted event.
  ///
  /// - Precondition: a record is open, and `contextOffset` came from it.
  public mutating func append(_ event: borrowing AcceptedEvent) {
    let durations = UnsafeRawBufferPointer(event.pageDurationsSeconds).prefixBytes(Int(UInt16.max) * 8)
    var mask: UInt16 = 0
    var length = EventRecordFormat.eventBytes + durations.count + event.rawJSON.count
    measure(event.texts.reason, bit: EventText.reason.rawValue, &mask, &length)
    measure(event.texts.contentCode, bit: EventText.contentCode.rawValue, &mask, &length)
    measure(event.texts.error, bit: EventText.error.rawValue, &mask, &length)
    measure(event.texts.categoryID, bit: EventText.categoryID.rawValue, &mask, &length)
    measure(event.texts.buttonID, bit: EventText.buttonID.rawValue, &mask, &length)

    let start = beginItem(.event, detail: event.type.rawValue, mask: mask, length: length)
    store(event.sessionID.storedHigh, at: start + 8)
    store(event.sessionID.low, at: start + 16)
    store(event.seq, at: start + 24)
    store(event.contextOffset, at: start + 28)
    store(event.atMicroseconds, at: start + 32)
    store(event.pageIndex ?? -1, at: start + 40)
    store(event.pageCount ?? -1, at: start + 42)
    store(event.source?.rawValue ?? EventRecordFormat.noByte, at: start + 44)
    store(event.action?.rawValue ?? EventRecordFormat.noByte, at: start + 45)
    store(UInt16(durations.count / 8), at: start + 46)
    store((event.durationSeconds ?? .nan).bitPattern, at: start + 48)
    store(event.index, at: start + 56)
    store(UInt32(truncatingIfNeeded: event.rawJSON.count), at: start + 60)
    count = start + EventRecordFormat.eventBytes
    appendDurations(event.pageDurationsSeconds)
    if mask != 0 {
      appendText(event.texts.reason)
      appendText(event.texts.contentCode)
      appendText(event.texts.error)
      appendText(event.texts.categoryID)
      appendText(event.texts.buttonID)
    }
    copy(event.rawJSON)
    pad(to: start + roundedUp(length))
    acceptedCount &+= 1
  }

  /// Appends a rejected event, or a body that could not be read.
  ///
  /// - Precondition: a record is open.
  public mutating func append(_ event: borrowing RejectedEvent) {
    let field = event.field.prefixBytes(maximumTextBytes)
    let message = event.message.prefixBytes(maximumTextBytes)
    let length = EventRecordFormat.rejectedBytes + field.count + message.count + event.rawJSON.count
    let start = beginItem(.rejected, detail: event.code.rawValue, mask: 0, length: length)
    store(event.index, at: start + 8)
    store(UInt16(field.count), at: start + 12)
    store(UInt16(message.count), at: start + 14)
    store(UInt32(truncatingIfNeeded: event.rawJSON.count), at: start + 16)
    store(UInt32(0), at: start + 20)
    count = start + EventRecordFormat.rejectedBytes
    copy(field)
    copy(message)
    copy(event.rawJSON)
    pad(to: start + roundedUp(length))
    rejectedCount &+= 1
  }

  /// Appends the details of a page.
  ///
  /// - Precondition: a record is open, and `contextOffset` came from it.
  public mutating func append(_ page: borrowing PageDetails) {
    var mask: UInt16 = 0
    var length = EventRecordFormat.pageBytes
    for text in PageText.allCases { measure(page[text], bit: text.rawValue, &mask, &length) }
    let start = beginItem(.page, detail: 0, mask: mask, length: length)
    store(page.contextOffset, at: start + 8)
    store(page.pageIndex, at: start + 12)
    store(UInt16(0), at: start + 14)
    store(page.sessionID.storedHigh, at: start + 16)
    store(page.sessionID.low, at: start + 24)
    store((page.durationSeconds ?? .nan).bitPattern, at: start + 32)
    store(page.payloadIndex ?? -1, at: start + 40)
    store(UInt32(0), at: start + 44)
    count = start + EventRecordFormat.pageBytes
    for text in PageText.allCases { appendText(page[text]) }
    pad(to: start + roundedUp(length))
  }

  /// Appends what a device says that it gave up.
  ///
  /// - Precondition: a record is open.
  public mutating func append(_ dropped: borrowing DroppedEvents) {
    let deviceID = dropped.deviceID.prefixBytes(maximumTextBytes)
    let length = EventRecordFormat.droppedBytes + deviceID.count
    let start = beginItem(.dropped, detail: 0, mask: 0, length: length)
    store(dropped.total, at: start + 8)
    count = start + 12
    appendText(deviceID)
    pad(to: start + roundedUp(length))
  }
}

extension EventRecordWriter {
  /// Reserves an item and writes its first eight bytes; the result is where it begins.
  @inline(__always)
  private mutating func beginItem(_ kind: EventRecordItemKind, detail: UInt8, mask: UInt16, length: Int) -> Int {
    precondition(recordStart != nil, "an item outside a record")
    let padded = roundedUp(length)
    reserve(padded)
    let start = count
    store(kind.rawValue, at: start)
    store(detail, at: start + 1)
    store(mask, at: start + 2)
    store(UInt32(truncatingIfNeeded: padded), at: start + 4)
    itemCount &+= 1
    return start
  }

  @inline(__always)
  private func textBytes(_ text: UnsafeRawBufferPointer) -> Int { 2 + min(text.count, maximumTextBytes) }

  @inline(__always)
  private func measure(_ text: UnsafeRawBufferPointer?, bit: UInt8, _ mask: inout UInt16, _ length: inout Int) {
    guard let text else { return }
    mask |= 1 << UInt16(bit)
    length += textBytes(text)
  }

  @inline(__always)
  private mutating func appendText(_ text: UnsafeRawBufferPointer?) {
    guard let text else { return }
    let bytes = text.prefixBytes(maximumTextBytes)
    store(UInt16(bytes.count), at: count)
    count += 2
    copy(bytes)
  }

  @inline(__always)
  private mutating func appendDurations(_ durations: UnsafeBufferPointer<Double>) {
    for seconds in durations.prefix(Int(UInt16.max)) {
      store(seconds.bitPattern, at: count)
      count += 8
    }
  }
}
