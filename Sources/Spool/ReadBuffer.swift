#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A window on a file, moved forward in large reads through one reused allocation.
///
/// Holds one chunk, or one record where that is larger; it shrinks back to a chunk after a large record.
///
/// `@unchecked Sendable`: the memory belongs to this value alone, which cannot be copied.
struct ReadBuffer: ~Copyable, @unchecked Sendable {
  private var memory: UnsafeMutableRawBufferPointer
  private let chunkBytes: Int
  private var windowStart: Int64 = 0
  private var windowBytes = 0

  init(chunkBytes: Int) {
    self.chunkBytes = chunkBytes
    memory = .allocate(byteCount: chunkBytes, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  /// Forgets the bytes, before another file is read.
  mutating func reset() {
    windowBytes = 0
  }

  /// The bytes from `offset` on: at least `count` of them, and no byte at or behind `limit`.
  ///
  /// - Returns: nil when the file ends before. Valid until the next call.
  mutating func bytes(
    of file: borrowing SpoolFile, at offset: Int64, atLeast count: Int, limit: Int64
  ) throws(SpoolError) -> UnsafeRawBufferPointer? {
    let windowEnd = windowStart + Int64(windowBytes)
    if offset < windowStart || offset + Int64(count) > windowEnd {
      try move(to: offset, atLeast: count, limit: limit, in: file)
    }
    let skipped = Int(offset - windowStart)
    let available = Int(min(windowStart + Int64(windowBytes), limit) - offset)
    guard available >= count else { return nil }
    return UnsafeRawBufferPointer(rebasing: memory[skipped..<(skipped + available)])
  }

  private mutating func move(
    to offset: Int64, atLeast count: Int, limit: Int64, in file: borrowing SpoolFile
  ) throws(SpoolError) {
    let windowEnd = windowStart + Int64(windowBytes)
    let kept = offset >= windowStart && offset < windowEnd ? Int(windowEnd - offset) : 0
    let source = kept > 0 ? memory.baseAddress?.advanced(by: Int(offset - windowStart)) : nil
    let capacity = max(chunkBytes, count)
    if capacity > memory.count || (memory.count > chunkBytes && capacity == chunkBytes && kept <= chunkBytes) {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
      if let source { larger.baseAddress?.copyMemory(from: source, byteCount: kept) }
      memory.deallocate()
      memory = larger
    } else if let source {
      memory.baseAddress.map { _ = memmove($0, source, kept) }
    }
    windowStart = offset
    windowBytes = kept
    let wanted = Int(min(Int64(memory.count), limit - offset))
    guard wanted > kept else { return }
    let rest = UnsafeMutableRawBufferPointer(rebasing: memory[kept..<wanted])
    windowBytes += try file.read(into: rest, at: offset + Int64(kept))
  }
}
