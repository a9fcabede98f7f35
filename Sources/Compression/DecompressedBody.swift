/// A request's body after decompression, in memory that is kept for the next one.
public struct DecompressedBody: ~Copyable {
  private var base: UnsafeMutableRawPointer
  private var capacity: Int
  private var count = 0

  /// Makes an empty body.
  ///
  /// - Parameter capacity: bytes to begin with; it grows as needed.
  public init(capacity: Int = 64 * 1024) {
    self.capacity = max(capacity, 1024)
    base = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { base.deallocate() }

  /// The bytes; valid until the next `decompress` or `removeAll`.
  public var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// Forgets the bytes and keeps memory down to `maximumCapacity` bytes: one huge body does not hold it for good.
  public mutating func removeAll(maximumCapacity: Int = 1024 * 1024) {
    count = 0
    if capacity > maximumCapacity {
      base.deallocate()
      capacity = max(maximumCapacity, 1024)
      base = .allocate(byteCount: capacity, alignment: 16)
    }
  }

  /// Replaces the bytes by what a whole stream holds.
  ///
  /// The limit is counted while decompressing: a bomb costs the limit and no more, neither memory nor time.
  ///
  /// - Parameters:
  ///   - input: the whole stream.
  ///   - decompressor: of the stream's format; it is reset first.
  ///   - limitBytes: how long the body may be.
  /// - Throws: `CompressionError`; `bytes` then holds what came before.
  public mutating func decompress(
    _ input: UnsafeRawBufferPointer, with decompressor: inout Decompressor, limitBytes: Int
  ) throws(CompressionError) {
    decompressor.reset()
    count = 0
    var rest = input
    while true {
      // One byte more than allowed shows that it is too long.
      if count == capacity { grow(limitBytes: limitBytes) }
      let room = UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
      let step = try decompressor.step(rest, into: room)
      count += step.produced
      if count > limitBytes {
        count = limitBytes
        throw .tooLarge(limitBytes: limitBytes)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[step.consumed...])
      if step.produced == 0, step.consumed == 0 { break }
    }
    try decompressor.finish()
  }

  private mutating func grow(limitBytes: Int) {
    let larger = max(capacity + 1, min(capacity * 2, limitBytes + 1))
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    moved.copyMemory(from: base, byteCount: count)
    base.deallocate()
    base = moved
    capacity = larger
  }
}
