internal import CISAL

/// Compresses one gzip stream (RFC 1952) by ISA-L.
struct GzipCompressor: ~Copyable {
  private let stream: UnsafeMutablePointer<isal_zstream>
  private let levelBuffer: UnsafeMutableRawBufferPointer

  /// Of 0 … 3: its smallest files, for less than a third of the time that zlib's level 6 takes
  /// (docs/decisions/0008-how-a-day-is-written.md).
  private static let level: UInt32 = 3

  init() {
    levelBuffer = .allocate(byteCount: Int(pagefall_level_buffer_bytes(Self.level)), alignment: 64)
    // The library wants its tables to begin on a cache line.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: MemoryLayout<isal_zstream>.size, alignment: 64)
    stream = memory.bindMemory(to: isal_zstream.self, capacity: 1)
    isal_deflate_init(stream)
    stream.pointee.gzip_flag = UInt16(IGZIP_GZIP)
    stream.pointee.level = Self.level
    stream.pointee.level_buf = levelBuffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.level_buf_size = UInt32(levelBuffer.count)
  }

  deinit {
    UnsafeMutableRawPointer(stream).deallocate()
    levelBuffer.deallocate()
  }

  /// Compresses some bytes and writes what is ready of them.
  ///
  /// - Parameters:
  ///   - room: memory to compress into.
  ///   - isLast: ends the stream.
  mutating func compress(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, room: UnsafeMutableRawBufferPointer,
    to output: inout OutputDescriptor
  ) throws(ExportError) {
    // The library's pointers lack a const; it only reads.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(bytes.count)
    stream.pointee.end_of_stream = isLast ? 1 : 0
    stream.pointee.flush = UInt16(NO_FLUSH)
    repeat {
      stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(room.count)
      let status = isal_deflate(stream)
      guard status == COMP_OK else { throw ExportError(.file, "ISA-L cannot compress (\(status)); please report this") }
      try output.write(UnsafeRawBufferPointer(rebasing: room[..<(room.count - Int(stream.pointee.avail_out))]))
      // Room that is left over says that nothing more is ready.
    } while stream.pointee.avail_out == 0
  }
}
