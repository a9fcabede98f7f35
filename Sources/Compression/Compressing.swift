import CZlib
import CZstd

/// Compresses bytes into one whole stream; for clients and tests, not for the hot path.
///
/// - Parameter level: 1 (fast) … 9 (small) for gzip, 1 … 22 for zstd; nil: the library's own choice.
/// - Throws: `CompressionError.outOfMemory`.
public func compress(
  _ bytes: UnsafeRawBufferPointer, _ format: CompressionFormat, level: Int32? = nil
) throws(CompressionError) -> [UInt8] {
  switch format {
  case .gzip: try compressGzip(bytes, level: level ?? Z_DEFAULT_COMPRESSION)
  case .zstd: try compressZstd(bytes, level: level ?? ZSTD_CLEVEL_DEFAULT)
  }
}

private func compressGzip(_ bytes: UnsafeRawBufferPointer, level: Int32) throws(CompressionError) -> [UInt8] {
  var stream = z_stream()
  // deflateInit2 is a macro, which Swift cannot call. 15 + 16: gzip's header.
  let status = deflateInit2_(
    &stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  guard status == Z_OK else { throw .outOfMemory }
  defer { deflateEnd(&stream) }
  var result: [UInt8] = []
  var rest = bytes
  let room = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 64 * 1024)
  defer { room.deallocate() }
  while true {
    // zlib counts in 32 bits, and does not change its input although the type lets it.
    let count = min(rest.count, 1 << 30)
    stream.next_in = UnsafeMutablePointer(mutating: rest.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.avail_in = UInt32(count)
    stream.next_out = room.baseAddress
    stream.avail_out = UInt32(room.count)
    let step = deflate(&stream, count == rest.count ? Z_FINISH : Z_NO_FLUSH)
    rest = UnsafeRawBufferPointer(rebasing: rest[(count - Int(stream.avail_in))...])
    result.append(contentsOf: room[..<(room.count - Int(stream.avail_out))])
    if step == Z_STREAM_END { return result }
    guard step == Z_OK || step == Z_BUF_ERROR else { throw .outOfMemory }
  }
}

private func compressZstd(_ bytes: UnsafeRawBufferPointer, level: Int32) throws(CompressionError) -> [UInt8] {
  var failure = false
  let result = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(bytes.count)) { room, written in
    let size = ZSTD_compress(room.baseAddress, room.count, bytes.baseAddress, bytes.count, level)
    failure = ZSTD_isError(size) != 0
    written = failure ? 0 : size
  }
  if failure { throw .outOfMemory }
  return result
}
