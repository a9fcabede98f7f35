import StoryEvents

/// Reads a record, item by item, without copying.
///
/// Everything is checked before it is handed out: a damaged record throws and never traps. What it hands out are views of the
/// record's own bytes, valid as long as those are.
public struct EventRecordReader {
  /// What holds for the whole record.
  public let header: EventRecordHeader
  /// Accepted events in the record.
  public let acceptedCount: Int
  /// Rejected events in the record.
  public let rejectedCount: Int

  private let bytes: UnsafeRawBufferPointer
  private let firstItem: Int
  private var offset: Int
  private var itemsLeft: UInt32

  /// Reads the header.
  ///
  /// - Parameter bytes: the whole record; it must stay valid as long as the reader and its views are used.
  /// - Throws: `EventRecordError.damaged`.
  public init(_ bytes: UnsafeRawBufferPointer) throws(EventRecordError) {
    guard bytes.count >= EventRecordFormat.headerBytes else { throw .damaged(offset: 0, problem: .tooShort) }
    guard bytes.integer(0, UInt8.self) == EventRecordFormat.version else {
      throw .damaged(offset: 0, problem: .unknownVersion)
    }
    guard let origin = EventOrigin(rawValue: bytes.integer(1, UInt8.self)) else {
      throw .damaged(offset: 1, problem: .badValue)
    }
    let nameBytes = Int(bytes.integer(2, UInt16.self))
    let itemsBegin = (EventRecordFormat.headerBytes + nameBytes + 7) & ~7
    guard itemsBegin <= bytes.count else { throw .damaged(offset: 2, problem: .tooShort) }
    let received = bytes.integer(8, Int64.self)
    let sent = bytes.integer(16, Int64.self)
    header = EventRecordHeader(
      origin: origin, app: String(decoding: bytes.part(EventRecordFormat.headerBytes, nameBytes), as: UTF8.self),
      receivedAtMicroseconds: received == EventRecordFormat.noTime ? nil : received,
      sentAtMicroseconds: sent == EventRecordFormat.noTime ? nil : sent)
    acceptedCount = Int(bytes.integer(24, UInt32.self))
    rejectedCount = Int(bytes.integer(28, UInt32.self))
    itemsLeft = bytes.integer(4, UInt32.self)
    firstItem = itemsBegin
    offset = itemsBegin
    self.bytes = bytes
  }

  /// The next item, or nil after the last.
  ///
  /// - Throws: `EventRecordError.damaged`; nothing of the record beyond this item can be read then.
  public mutating func next() throws(EventRecordError) -> EventRecordItem? {
    guard itemsLeft > 0 else {
      guard offset == bytes.count else { throw .damaged(offset: offset, problem: .badCount) }
      return nil
    }
    let start = offset
    let (kind, item) = try itemBytes(at: start)
    let result: EventRecordItem
    switch kind {
    case .context: result = .context(try ContextView(checking: item, at: start))
    case .event: result = .event(try EventView(checking: item, at: start))
    case .rejected: result = .rejected(try RejectedView(checking: item, at: start))
    case .page: result = .page(try PageView(checking: item, at: start))
    case .dropped: result = .dropped(try DroppedView(checking: item, at: start))
    }
    offset = start + item.count
    itemsLeft -= 1
    return result
  }

  /// The context that an event or a page names; nil for 0.
  ///
  /// - Throws: `EventRecordError.damaged` where no context begins at this offset.
  public func context(at contextOffset: UInt32) throws(EventRecordError) -> ContextView? {
    if contextOffset == 0 { return nil }
    let start = Int(contextOffset)
    guard start >= firstItem, start < bytes.count, start & 7 == 0 else {
      throw .damaged(offset: start, problem: .badContext)
    }
    let (kind, item) = try itemBytes(at: start)
    guard case .context = kind else { throw .damaged(offset: start, problem: .badContext) }
    return try ContextView(checking: item, at: start)
  }

  /// The whole item that begins at this offset, its length checked.
  @inline(__always)
  private func itemBytes(
    at start: Int
  ) throws(EventRecordError) -> (kind: EventRecordItemKind, bytes: UnsafeRawBufferPointer) {
    let left = bytes.count - start
    guard left >= EventRecordFormat.itemHeaderBytes else { throw .damaged(offset: start, problem: .tooShort) }
    guard let kind = EventRecordItemKind(rawValue: bytes.integer(start, UInt8.self)) else {
      throw .damaged(offset: start, problem: .unknownKind)
    }
    let length = Int(bytes.integer(start + 4, UInt32.self))
    guard length >= EventRecordFormat.itemHeaderBytes, length <= left, length & 7 == 0 else {
      throw .damaged(offset: start + 4, problem: .badLength)
    }
    return (kind, bytes.part(start, length))
  }
}

/// One item of a record.
public enum EventRecordItem {
  case context(ContextView)
  case event(EventView)
  case rejected(RejectedView)
  case page(PageView)
  case dropped(DroppedView)
}

extension UnsafeRawBufferPointer {
  /// A little-endian integer; the caller has checked that it is inside.
  @inline(__always)
  func integer<Value: FixedWidthInteger>(_ offset: Int, _ type: Value.Type) -> Value {
    Value(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// A double; the caller has checked that it is inside.
  @inline(__always)
  func double(_ offset: Int) -> Double { Double(bitPattern: integer(offset, UInt64.self)) }

  /// A part as a buffer of its own; the caller has checked that it is inside.
  @inline(__always)
  func part(_ offset: Int, _ length: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[offset..<(offset + length)])
  }

  /// Where the texts that the mask announces end when they begin at `offset`; nil where they do not fit.
  @inline(__always)
  func endOfTexts(mask: UInt16, from offset: Int) -> Int? {
    var position = offset
    var bits = mask
    while bits != 0 {
      guard count - position >= 2 else { return nil }
      position += 2 + Int(integer(position, UInt16.self))
      guard position <= count else { return nil }
      bits &= bits &- 1
    }
    return position
  }

  /// The text of this bit, where the texts begin at `offset` and were checked.
  @inline(__always)
  func text(bit: UInt8, mask: UInt16, from offset: Int) -> UnsafeRawBufferPointer? {
    let own: UInt16 = 1 << UInt16(bit)
    guard mask & own != 0 else { return nil }
    var position = offset
    var before = mask & (own &- 1)
    while before != 0 {
      position += 2 + Int(integer(position, UInt16.self))
      before &= before &- 1
    }
    return part(position + 2, Int(integer(position, UInt16.self)))
  }
}
