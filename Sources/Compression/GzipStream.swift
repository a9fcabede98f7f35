import CZlib

/// zlib's inflation, for gzip.
struct GzipStream: ~Copyable {
  /// On the heap: zlib keeps a pointer to it.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the input so far ends with a member.
  private var isComplete = false
  /// Whether the next byte begins a member, and one came before.
  private var isBetweenMembers = false

  /// 15 bits of window, plus 16: only gzip's header, no zlib or raw stream.
  private static let windowBits: Int32 = 15 + 16

  init() throws(CompressionError) {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // inflateInit2 is a macro, which Swift cannot call.
    let status = inflateInit2_(stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      stream.deallocate()
      throw .outOfMemory
    }
    self.stream = stream
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  mutating func reset() {
    inflateReset(stream)
    isComplete = false
    isBetweenMembers = false
  }

  mutating func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) -> Decompressor.Step {
    if isBetweenMembers {
      guard let first = input.first else { return Decompressor.Step(consumed: 0, produced: 0, isComplete: isComplete) }
      // The second byte of the magic may come later; zlib looks at it.
      guard first == 0x1F else { throw .trailingGarbage(.gzip) }
      inflateReset(stream)
      isBetweenMembers = false
      isComplete = false
    }
    // zlib counts in 32 bits, and does not change its input although the type lets it.
    let inputCount = min(input.count, Int(UInt32.max))
    let outputCount = min(output.count, Int(UInt32.max))
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(inputCount)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(outputCount)
    let status = inflate(stream, Z_NO_FLUSH)
    var result = Decompressor.Step(
      consumed: inputCount - Int(stream.pointee.avail_in), produced: outputCount - Int(stream.pointee.avail_out),
      isComplete: false)
    switch status {
    case Z_OK, Z_BUF_ERROR: return result  // Z_BUF_ERROR: nothing could move, which is no fault
    case Z_STREAM_END:
      isComplete = true
      isBetweenMembers = true
      result.isComplete = true
      return result
    case Z_MEM_ERROR: throw .outOfMemory
    case Z_NEED_DICT: throw .damaged(.gzip, reason: "it needs a dictionary")
    case _:
      let reason = stream.pointee.msg.map { String(cString: $0) } ?? "error \(status)"
      throw .damaged(.gzip, reason: reason)
    }
  }
}
