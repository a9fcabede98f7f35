/// Records that were appended and not yet written, in one allocation that is reused.
///
/// `@unchecked Sendable`: the memory belongs to this value alone, which cannot be copied.
struct WriteBuffer: ~Copyable, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer
  private var used = 0

  init(capacity: Int) {
    memory = .allocate(byteCount: capacity, alignment: 16)
  }

  deinit {
    memory.deallocate()
  }

  var free: Int { memory.count - used }

  /// What has gathered; valid until the next change.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<used]) }

  mutating func clear() {
    used = 0
  }

  /// Appends a header alone. There must be room.
  mutating func appendHeader(_ header: RecordHeader, seed: UInt32, offset: Int64) {
    let room = UnsafeMutableRawBufferPointer(rebasing: memory[used..<(used + RecordHeader.byteCount)])
    room.baseAddress.map { header.write(to: $0, seed: seed, offset: offset) }
    used += RecordHeader.byteCount
  }

  /// Appends a header and the pieces. There must be room.
  ///
  /// The checksum is taken of the copy: it stays right even if the caller's memory changes afterwards.
  mutating func appendRecord(
    _ pieces: UnsafeBufferPointer<UnsafeRawBufferPointer>, payloadBytes: Int, seed: UInt32, offset: Int64
  ) {
    let begin = used + RecordHeader.byteCount
    let payload = UnsafeMutableRawBufferPointer(rebasing: memory[begin..<(begin + payloadBytes)])
    var filled = 0
    for piece in pieces where !piece.isEmpty {
      UnsafeMutableRawBufferPointer(rebasing: payload[filled...]).copyMemory(from: piece)
      filled += piece.count
    }
    let checksum = CRC32C.checksum(UnsafeRawBufferPointer(payload))
    appendHeader(RecordHeader(payloadBytes: payloadBytes, payloadChecksum: checksum), seed: seed, offset: offset)
    used += payloadBytes
  }
}

/// Zeros to write ahead of a segment's end.
///
/// `@unchecked Sendable`: the memory belongs to this value alone and does not change.
struct ZeroBytes: ~Copyable, @unchecked Sendable {
  private let memory: UnsafeMutableRawBufferPointer

  init(count: Int) {
    memory = .allocate(byteCount: count, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0)
  }

  deinit {
    memory.deallocate()
  }

  func prefix(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: memory[..<min(count, memory.count)])
  }
}
