/// Bytes that grow at their end, in memory that is used again and again.
struct ByteBuffer: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  /// How many bytes it holds.
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    base = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  /// The bytes; valid until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Forgets the bytes. Memory beyond `maximumCapacity` is given back, so that one huge value does not hold it for good.
  mutating func removeAll(maximumCapacity: Int = .max) {
    count = 0
    if capacity > maximumCapacity {
      base.deallocate()
      capacity = maximumCapacity
      base = .allocate(byteCount: capacity, alignment: 16)
    }
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    if count == capacity { grow(by: 1) }
    base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  @inline(__always)
  mutating func append(_ more: UnsafeRawBufferPointer) {
    guard let start = more.baseAddress else { return }
    if capacity - count < more.count { grow(by: more.count) }
    (base + count).copyMemory(from: start, byteCount: more.count)
    count += more.count
  }

  @inline(__always)
  mutating func append(_ text: StaticString) {
    append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Lets `write` fill the next bytes.
  ///
  /// - Parameters:
  ///   - most: how many there is room for.
  ///   - write: returns how many it wrote.
  @inline(__always)
  mutating func append(most: Int, _ write: (UnsafeMutableRawPointer) -> Int) {
    if capacity - count < most { grow(by: most) }
    count += write(base + count)
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    moved.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}
