#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Goes through one segment's records in order, and past damage; recovery and readers share it.
final class SegmentScanner: Sendable {
  let number: Int64
  let file: SpoolFile
  private let seed: UInt32

  /// What stands at an offset.
  enum Step {
    /// A whole record; the bytes are valid until the buffer is used again.
    case record(UnsafeRawBufferPointer, end: Int64)
    /// No record up to `end`, where the next one begins, or the limit.
    case damage(end: Int64)
    /// The limit is reached.
    case end
  }

  init(number: Int64, file: consuming SpoolFile, seed: UInt32) {
    self.number = number
    self.file = file
    self.seed = seed
  }

  /// What stands at `offset`; nothing at or behind `limit` is looked at.
  func step(at offset: Int64, limit: Int64, buffer: inout ReadBuffer) throws(SpoolError) -> Step {
    guard offset < limit else { return .end }
    let headerBytes = RecordHeader.byteCount
    guard let start = try buffer.bytes(of: file, at: offset, atLeast: headerBytes, limit: limit)?.baseAddress else {
      return .damage(end: limit)
    }
    guard let header = RecordHeader(at: start, seed: seed, offset: offset),
      Int64(header.payloadBytes) <= limit - offset - Int64(headerBytes)
    else {
      return .damage(end: try nextHeader(after: offset, limit: limit, buffer: &buffer))
    }
    let recordBytes = headerBytes + Int(header.payloadBytes)
    guard let record = try buffer.bytes(of: file, at: offset, atLeast: recordBytes, limit: limit) else {
      return .damage(end: limit)
    }
    let end = offset + Int64(recordBytes)
    let payload = UnsafeRawBufferPointer(rebasing: record[headerBytes..<recordBytes])
    return CRC32C.checksum(payload) == header.payloadChecksum ? .record(payload, end: end) : .damage(end: end)
  }

  /// Where the next valid header stands behind a damaged one, or the limit.
  private func nextHeader(after offset: Int64, limit: Int64, buffer: inout ReadBuffer) throws(SpoolError) -> Int64 {
    let headerBytes = RecordHeader.byteCount
    let firstByte = Int32(RecordHeader.marker & 0xFF)
    var offset = offset + 1
    while let window = try buffer.bytes(of: file, at: offset, atLeast: headerBytes, limit: limit),
      let base = window.baseAddress
    {
      var at = 0
      while at + headerBytes <= window.count {
        guard let hit = memchr(base + at, firstByte, window.count - headerBytes - at + 1) else {
          at = window.count - headerBytes + 1
          break
        }
        at = UnsafeRawPointer(hit) - base
        let found = offset + Int64(at)
        if let header = RecordHeader(at: base + at, seed: seed, offset: found),
          Int64(header.payloadBytes) <= limit - found - Int64(headerBytes)
        {
          return found
        }
        at += 1
      }
      offset += Int64(at)
    }
    return limit
  }
}
