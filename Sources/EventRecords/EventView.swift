import StoryEvents

/// An accepted event in a record; its bytes are the record's.
public struct EventView {
  private let bytes: UnsafeRawBufferPointer
  /// What happened.
  public let type: EventType
  /// The bits of the texts that it has (`EventText`).
  public let textMask: UInt16
  private let textsBegin: Int
  private let rawBegin: Int

  /// Checks everything that the accessors rely on.
  init(checking bytes: UnsafeRawBufferPointer, at offset: Int) throws(EventRecordError) {
    guard bytes.count >= EventRecordFormat.eventBytes else { throw .damaged(offset: offset, problem: .badLength) }
    guard let type = EventType(rawValue: bytes.integer(1, UInt8.self)),
      bytes.integer(2, UInt16.self) >> UInt16(EventText.allCases.count) == 0,
      SessionID(storedHigh: bytes.integer(8, UInt64.self), storedLow: bytes.integer(16, UInt64.self)) != nil,
      bytes.integer(24, Int32.self) >= 0,
      EventRecordFormat.timeRange.contains(bytes.integer(32, Int64.self)),
      bytes.integer(40, Int16.self) >= -1, Int(bytes.integer(40, Int16.self)) <= ContractLimits.pageIndex.upperBound,
      bytes.integer(42, Int16.self) >= -1, Int(bytes.integer(42, Int16.self)) <= ContractLimits.pageCount.upperBound,
      bytes.integer(44, UInt8.self) == EventRecordFormat.noByte
        || RichMediaSource(rawValue: bytes.integer(44, UInt8.self)) != nil,
      bytes.integer(45, UInt8.self) == EventRecordFormat.noByte
        || ResponseAction(rawValue: bytes.integer(45, UInt8.self)) != nil
    else { throw .damaged(offset: offset, problem: .badValue) }
    self.type = type
    self.bytes = bytes
    textMask = bytes.integer(2, UInt16.self)
    textsBegin = EventRecordFormat.eventBytes + 8 * Int(bytes.integer(46, UInt16.self))
    guard textsBegin <= bytes.count, let rawBegin = bytes.endOfTexts(mask: textMask, from: textsBegin),
      Int(bytes.integer(60, UInt32.self)) <= bytes.count - rawBegin
    else { throw .damaged(offset: offset, problem: .badLength) }
    self.rawBegin = rawBegin
  }

  /// The session id's stored form, bytes 0–7, the first most significant.
  public var storedHigh: UInt64 { bytes.integer(8, UInt64.self) }
  /// The session id's bytes 8–15, the first most significant.
  public var low: UInt64 { bytes.integer(16, UInt64.self) }
  /// 0 … 2³¹−1.
  public var seq: Int32 { bytes.integer(24, Int32.self) }
  /// For `EventRecordReader.context(at:)`; 0: none. Events with the same offset have the same context.
  public var contextOffset: UInt32 { bytes.integer(28, UInt32.self) }
  /// When it happened by the device's clock, microseconds since 1970, in the years 0001–9999.
  public var atMicroseconds: Int64 { bytes.integer(32, Int64.self) }
  /// 0…999, or nil.
  public var pageIndex: Int16? { nilIfNegative(bytes.integer(40, Int16.self)) }
  /// 1…1000, or nil.
  public var pageCount: Int16? { nilIfNegative(bytes.integer(42, Int16.self)) }
  /// Of rich media: where it came from; nil where the event does not say.
  public var source: RichMediaSource? { RichMediaSource(rawValue: bytes.integer(44, UInt8.self)) }
  /// Of a notification response: how it was answered; nil for other types.
  public var action: ResponseAction? { ResponseAction(rawValue: bytes.integer(45, UInt8.self)) }
  /// How long the page shown is to stay, in seconds; nil: not said.
  public var durationSeconds: Double? {
    let seconds = bytes.double(48)
    return seconds.isNaN ? nil : seconds
  }
  /// The number of `start.pages` durations.
  public var pageDurationCount: Int { Int(bytes.integer(46, UInt16.self)) }
  /// The duration of page `index` in `start.pages`, in seconds; nil: not said.
  ///
  /// - Parameter index: less than `pageDurationCount`.
  public func pageDurationSeconds(_ index: Int) -> Double? {
    precondition(index >= 0 && index < pageDurationCount)
    let seconds = bytes.double(EventRecordFormat.eventBytes + 8 * index)
    return seconds.isNaN ? nil : seconds
  }
  /// The text of this field, UTF-8, without U+0000; nil: absent.
  public func text(_ text: EventText) -> UnsafeRawBufferPointer? {
    bytes.text(bit: text.rawValue, mask: textMask, from: textsBegin)
  }
  /// Its place in the request from 0, or its line in a file from 1.
  public var index: UInt32 { bytes.integer(56, UInt32.self) }
  /// The event as it was sent, byte for byte.
  public var rawJSON: UnsafeRawBufferPointer { bytes.part(rawBegin, Int(bytes.integer(60, UInt32.self))) }
}

@inline(__always)
private func nilIfNegative(_ value: Int16) -> Int16? { value < 0 ? nil : value }
