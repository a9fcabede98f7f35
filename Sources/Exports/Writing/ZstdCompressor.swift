internal import CZstd

/// Compresses one zstd frame (RFC 8878), with a checksum at its end.
struct ZstdCompressor: ~Copyable {
  private let context: OpaquePointer

  private static let level: Int32 = 3

  init() throws(ExportError) {
    guard let context = ZSTD_createCCtx() else { throw ExportError(.file, "there is no memory left to compress with") }
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Self.level)
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1)
    self.context = context
  }

  deinit { ZSTD_freeCCtx(context) }

  /// Compresses some bytes and writes what is ready of them.
  ///
  /// - Parameters:
  ///   - room: memory to compress into.
  ///   - isLast: ends the frame.
  mutating func compress(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, room: UnsafeMutableRawBufferPointer,
    to output: inout OutputDescriptor
  ) throws(ExportError) {
    var input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
    var isDone = false
    while !isDone {
      var compressed = ZSTD_outBuffer(dst: room.baseAddress, size: room.count, pos: 0)
      let status = ZSTD_compressStream2(context, &compressed, &input, isLast ? ZSTD_e_end : ZSTD_e_continue)
      guard ZSTD_isError(status) == 0 else {
        throw ExportError(.file, "zstd cannot compress: \(String(cString: ZSTD_getErrorName(status)))")
      }
      try output.write(UnsafeRawBufferPointer(rebasing: room[..<compressed.pos]))
      isDone = isLast ? status == 0 : input.pos == input.size
    }
  }
}
