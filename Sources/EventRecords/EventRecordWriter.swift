import StoryEvents

/// Writes records into one reusable buffer, which may hold several.
///
/// `begin`, items, `end`; then the next `begin`. Once the buffer has grown to a request's size, writing allocates nothing.
public struct EventRecordWriter: ~Copyable {
  var base: UnsafeMutableRawPointer
  var capacity: Int
  /// Bytes written, of all records.
  var count = 0
  /// Where each ended record begins and ends.
  private var bounds: [Range<Int>] = []
  /// Where the record that is being written begins; nil between records.
  var recordStart: Int?
  var itemCount: UInt32 = 0
  var acceptedCount: UInt32 = 0
  var rejectedCount: UInt32 = 0

  /// Makes an empty writer.
  ///
  /// - Parameter capacity: bytes to begin with; it grows as needed.
  public init(capacity: Int = 64 * 1024) {
    self.capacity = max(capacity, 1024)
    base = .allocate(byteCount: self.capacity, alignment: EventRecordFormat.alignment)
  }

  deinit { base.deallocate() }

  /// Forgets all records and keeps the memory, down to `maximumCapacity` bytes: one huge request does not hold it for good.
  public mutating func removeAll(maximumCapacity: Int = 4 * 1024 * 1024) {
    count = 0
    bounds.removeAll(keepingCapacity: true)
    recordStart = nil
    if capacity > maximumCapacity {
      base.deallocate()
      capacity = max(maximumCapacity, 1024)
      base = .allocate(byteCount: capacity, alignment: EventRecordFormat.alignment)
    }
  }

  /// Begins a record.
  ///
  /// - Precondition: no record is open.
  public mutating func begin(_ header: EventRecordHeader) {
    precondition(recordStart == nil, "begin() inside a record")
    var app = header.app
    app.withUTF8 { name in
      let name = UnsafeRawBufferPointer(name).prefixBytes(Int(UInt16.max))
      let start = count
      let padded = roundedUp(EventRecordFormat.headerBytes + name.count)
      reserve(padded)
      store(EventRecordFormat.version, at: start)
      store(header.origin.rawValue, at: start + 1)
      store(UInt16(name.count), at: start + 2)
      store(header.receivedAtMicroseconds ?? EventRecordFormat.noTime, at: start + 8)
      store(header.sentAtMicroseconds ?? EventRecordFormat.noTime, at: start + 16)
      count = start + EventRecordFormat.headerBytes
      copy(name)
      pad(to: start + padded)
      recordStart = start
    }
    itemCount = 0
    acceptedCount = 0
    rejectedCount = 0
  }

  /// Ends the record that was begun; a record without items leaves nothing behind.
  ///
  /// - Precondition: a record is open.
  public mutating func end() {
    guard let start = recordStart else { preconditionFailure("end() without begin()") }
    recordStart = nil
    guard itemCount > 0 else {
      count = start
      return
    }
    store(itemCount, at: start + 4)
    store(acceptedCount, at: start + 24)
    store(rejectedCount, at: start + 28)
    bounds.append(start..<count)
  }

  /// Forgets the records that were begun after `recordCount` was this number, the open one included.
  public mutating func removeRecords(from recordCount: Int) {
    precondition(recordCount <= bounds.count)
    if let start = recordStart { count = start }
    if recordCount < bounds.count {
      count = bounds[recordCount].lowerBound
      bounds.removeSubrange(recordCount...)
    }
    recordStart = nil
  }

  /// The number of records that were ended.
  public var recordCount: Int { bounds.count }

  /// Bytes of all records.
  public var byteCount: Int { count }

  /// Bytes of the record that is open; 0 between records.
  public var openRecordByteCount: Int {
    guard let recordStart else { return 0 }
    return count - recordStart
  }

  /// Lends the bytes of an ended record.
  ///
  /// - Parameter index: less than `recordCount`.
  public func withRecord<Failure: Error, Result>(
    _ index: Int, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let range = bounds[index]
    return try body(UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count))
  }
}

// MARK: - Bytes

extension EventRecordWriter {
  /// Makes room for so many more bytes.
  @inline(__always)
  mutating func reserve(_ bytes: Int) {
    if capacity - count < bytes { grow(bytes) }
  }

  private mutating func grow(_ bytes: Int) {
    let larger = max(capacity * 2, count + bytes)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: EventRecordFormat.alignment)
    moved.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = moved
    capacity = larger
  }

  /// Stores an integer at a place that was reserved.
  @inline(__always)
  func store<Value: FixedWidthInteger>(_ value: Value, at offset: Int) {
    base.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Value.self)
  }

  /// Appends bytes where room was reserved.
  @inline(__always)
  mutating func copy(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress, bytes.count > 0 else { return }
    (base + count).copyMemory(from: source, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends zeros up to this offset, at most seven.
  @inline(__always)
  mutating func pad(to end: Int) {
    while count < end {
      store(UInt8(0), at: count)
      count += 1
    }
  }

  @inline(__always)
  func roundedUp(_ bytes: Int) -> Int {
    (bytes + EventRecordFormat.alignment - 1) & ~(EventRecordFormat.alignment - 1)
  }
}

extension UnsafeRawBufferPointer {
  /// The first bytes, at most so many, as a buffer of their own.
  @inline(__always)
  func prefixBytes(_ maximum: Int) -> UnsafeRawBufferPointer {
    count <= maximum ? self : UnsafeRawBufferPointer(rebasing: self[..<maximum])
  }
}
