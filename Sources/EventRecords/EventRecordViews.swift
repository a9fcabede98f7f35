import StoryEvents

/// A session's context in a record; its bytes are the record's.
public struct ContextView {
  private let bytes: UnsafeRawBufferPointer
  /// The bits of the fields that have a value (`ContextField.bit`).
  public let mask: UInt16
  /// The item's offset from the record's first byte: what its events carry as `contextOffset`.
  public let offset: UInt32

  init(checking bytes: UnsafeRawBufferPointer, at offset: Int) throws(EventRecordError) {
    mask = bytes.integer(2, UInt16.self)
    guard mask >> UInt16(ContextField.allCases.count) == 0 else { throw .damaged(offset: offset, problem: .badValue) }
    guard bytes.endOfTexts(mask: mask, from: EventRecordFormat.itemHeaderBytes) != nil else {
      throw .damaged(offset: offset, problem: .badLength)
    }
    self.bytes = bytes
    self.offset = UInt32(truncatingIfNeeded: offset)
  }

  /// The field's value, UTF-8 without U+0000 (`properties`: a JSON object); nil: absent.
  public func value(_ field: ContextField) -> UnsafeRawBufferPointer? {
    bytes.text(bit: field.rawValue, mask: mask, from: EventRecordFormat.itemHeaderBytes)
  }
}

/// A rejected event in a record, or a body that could not be read; its bytes are the record's.
public struct RejectedView {
  private let bytes: UnsafeRawBufferPointer
  /// Why it was refused.
  public let code: RejectionCode

  init(checking bytes: UnsafeRawBufferPointer, at offset: Int) throws(EventRecordError) {
    guard bytes.count >= EventRecordFormat.rejectedBytes else { throw .damaged(offset: offset, problem: .badLength) }
    guard let code = RejectionCode(rawValue: bytes.integer(1, UInt8.self)) else {
      throw .damaged(offset: offset, problem: .badValue)
    }
    self.code = code
    self.bytes = bytes
    let texts = Int(bytes.integer(12, UInt16.self)) + Int(bytes.integer(14, UInt16.self))
    let rawBytes = Int(bytes.integer(16, UInt32.self))
    guard EventRecordFormat.rejectedBytes + texts + rawBytes <= bytes.count else {
      throw .damaged(offset: offset, problem: .badLength)
    }
  }

  /// Its place in the request from 0, or its line in a file from 1.
  public var index: UInt32 { bytes.integer(8, UInt32.self) }
  /// The bare name of the field at fault, UTF-8; empty: none.
  public var field: UnsafeRawBufferPointer {
    bytes.part(EventRecordFormat.rejectedBytes, Int(bytes.integer(12, UInt16.self)))
  }
  /// What was found and what is expected, UTF-8, one line.
  public var message: UnsafeRawBufferPointer {
    bytes.part(EventRecordFormat.rejectedBytes + field.count, Int(bytes.integer(14, UInt16.self)))
  }
  /// What was sent, byte for byte; not necessarily UTF-8.
  public var rawJSON: UnsafeRawBufferPointer {
    bytes.part(EventRecordFormat.rejectedBytes + field.count + message.count, Int(bytes.integer(16, UInt32.self)))
  }
}

/// A page's details in a record; its bytes are the record's.
public struct PageView {
  private let bytes: UnsafeRawBufferPointer
  /// The bits of the texts that it has (`PageText`).
  public let textMask: UInt16

  init(checking bytes: UnsafeRawBufferPointer, at offset: Int) throws(EventRecordError) {
    guard bytes.count >= EventRecordFormat.pageBytes else { throw .damaged(offset: offset, problem: .badLength) }
    guard bytes.integer(2, UInt16.self) >> UInt16(PageText.allCases.count) == 0,
      ContractLimits.pageIndex.contains(Int(bytes.integer(12, Int16.self))),
      SessionID(storedHigh: bytes.integer(16, UInt64.self), storedLow: bytes.integer(24, UInt64.self)) != nil,
      bytes.integer(40, Int32.self) >= -1
    else { throw .damaged(offset: offset, problem: .badValue) }
    textMask = bytes.integer(2, UInt16.self)
    guard bytes.endOfTexts(mask: textMask, from: EventRecordFormat.pageBytes) != nil else {
      throw .damaged(offset: offset, problem: .badLength)
    }
    self.bytes = bytes
  }

  /// For `EventRecordReader.context(at:)`, which names the story; 0: none.
  public var contextOffset: UInt32 { bytes.integer(8, UInt32.self) }
  /// 0…999.
  public var pageIndex: Int16 { bytes.integer(12, Int16.self) }
  /// The session id's stored form, bytes 0–7, the first most significant.
  public var storedHigh: UInt64 { bytes.integer(16, UInt64.self) }
  /// The session id's bytes 8–15, the first most significant.
  public var low: UInt64 { bytes.integer(24, UInt64.self) }
  /// Seconds; nil: not said.
  public var durationSeconds: Double? {
    let seconds = bytes.double(32)
    return seconds.isNaN ? nil : seconds
  }
  /// The page's position in the payload; nil: not said.
  public var payloadIndex: Int32? {
    let index = bytes.integer(40, Int32.self)
    return index < 0 ? nil : index
  }
  /// The text of this field, UTF-8, without U+0000; nil: absent.
  public func text(_ text: PageText) -> UnsafeRawBufferPointer? {
    bytes.text(bit: text.rawValue, mask: textMask, from: EventRecordFormat.pageBytes)
  }
}

/// What a device says that it gave up; its bytes are the record's.
public struct DroppedView {
  private let bytes: UnsafeRawBufferPointer

  init(checking bytes: UnsafeRawBufferPointer, at offset: Int) throws(EventRecordError) {
    guard bytes.count >= EventRecordFormat.droppedBytes,
      Int(bytes.integer(12, UInt16.self)) <= bytes.count - EventRecordFormat.droppedBytes
    else { throw .damaged(offset: offset, problem: .badLength) }
    guard bytes.integer(8, Int32.self) >= 0 else { throw .damaged(offset: offset, problem: .badValue) }
    self.bytes = bytes
  }

  /// 0 … 2³¹−1, cumulative per device.
  public var total: Int32 { bytes.integer(8, Int32.self) }
  /// The device; empty: the sender gave none.
  public var deviceID: UnsafeRawBufferPointer {
    bytes.part(EventRecordFormat.droppedBytes, Int(bytes.integer(12, UInt16.self)))
  }
}
