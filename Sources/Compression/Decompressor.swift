/// Decompresses one stream of either format, step by step.
///
/// A stream may be several gzip members or zstd frames, one behind the other.
public struct Decompressor: ~Copyable {
  /// The largest window that a zstd stream may ask for: what RFC 8878 §3.1.1.1.2 recommends every decoder to support.
  public static let defaultWindowBytes = 8 * 1024 * 1024

  /// Which format.
  public let format: CompressionFormat
  private var gzip: GzipStream?
  private var zstd: ZstdStream?
  private var isComplete = false

  /// What a step did.
  public struct Step: Equatable, Sendable {
    /// Bytes of the input used up.
    public var consumed: Int
    /// Bytes of the output written.
    public var produced: Int
    /// Whether the input so far ends with a whole member or frame.
    public var isComplete: Bool
  }

  /// Makes the machine.
  ///
  /// - Parameters:
  ///   - format: which.
  ///   - windowBytes: memory that a zstd stream may ask for, a power of two from 1 KiB; gzip always needs 32 KiB.
  /// - Throws: `CompressionError.outOfMemory`.
  public init(_ format: CompressionFormat, windowBytes: Int = defaultWindowBytes) throws(CompressionError) {
    self.format = format
    switch format {
    case .gzip: gzip = try GzipStream()
    case .zstd: zstd = try ZstdStream(windowBytes: windowBytes)
    }
  }

  /// Begins another stream with the same memory.
  public mutating func reset() {
    isComplete = false
    switch format {
    case .gzip: gzip?.reset()
    case .zstd: zstd?.reset()
    }
  }

  /// Takes some input and writes some output; call again with what is left until neither moves.
  ///
  /// - Parameters:
  ///   - input: may be empty, to get output that is still held.
  ///   - output: not empty.
  /// - Throws: `CompressionError`; the stream is unusable then until `reset`.
  public mutating func step(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(CompressionError) -> Step {
    let nothing = Step(consumed: 0, produced: 0, isComplete: false)
    let step =
      switch format {
      case .gzip: try gzip?.step(input, into: output) ?? nothing
      case .zstd: try zstd?.step(input, into: output) ?? nothing
      }
    isComplete = step.isComplete
    return step
  }

  /// Says that the input ends here.
  ///
  /// - Throws: `CompressionError.truncated` where the stream is not complete.
  public func finish() throws(CompressionError) {
    if !isComplete { throw .truncated(format) }
  }
}
