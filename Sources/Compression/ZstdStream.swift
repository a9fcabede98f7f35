import CZstd

/// libzstd's decompression.
struct ZstdStream: ~Copyable {
  private let context: OpaquePointer
  private let windowBytes: Int
  /// Whether the input so far ends with a frame.
  private var isComplete = false
  private var hadFrame = false

  init(windowBytes: Int) throws(CompressionError) {
    guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
    self.windowBytes = windowBytes
    let windowLog = Int32(clamping: max(windowBytes, 1024).leadingZeroBitCount)
    ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, Int32(Int.bitWidth - 1) - windowLog)
    self.context = context
  }

  deinit { ZSTD_freeDCtx(context) }

  mutating func reset() {
    ZSTD_DCtx_reset(context, ZSTD_reset_session_only)
    isComplete = false
    hadFrame = false
  }

  mutating func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) -> Decompressor.Step {
    // Between frames without input nothing can come; the library would take the call for the start of a frame.
    if isComplete, input.isEmpty { return Decompressor.Step(consumed: 0, produced: 0, isComplete: isComplete) }
    var from = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
    var to = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
    let status = ZSTD_decompressStream(context, &to, &from)
    if ZSTD_isError(status) != 0 {
      switch ZSTD_getErrorCode(status) {
      case ZSTD_error_memory_allocation: throw .outOfMemory
      case ZSTD_error_frameParameter_windowTooLarge: throw .windowTooLarge(limitBytes: windowBytes)
      case ZSTD_error_prefix_unknown where hadFrame: throw .trailingGarbage(.zstd)
      case _: throw .damaged(.zstd, reason: String(cString: ZSTD_getErrorName(status)))
      }
    }
    isComplete = status == 0
    if isComplete { hadFrame = true }
    return Decompressor.Step(consumed: from.pos, produced: to.pos, isComplete: isComplete)
  }
}
