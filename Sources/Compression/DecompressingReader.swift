/// Reads a compressed file as if it were not: chunk by chunk, any size, a fixed amount of memory.
public struct DecompressingReader: ~Copyable {
  private var decompressor: Decompressor
  private let input: UnsafeMutableRawBufferPointer
  private var unread = 0..<0
  private var inputEnded = false
  private let source: (UnsafeMutableRawBufferPointer) throws -> Int

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - format: how the source is compressed.
  ///   - windowBytes: memory that a zstd stream may ask for.
  ///   - source: fills the front of a buffer with the next bytes and returns how many; 0 at the end.
  /// - Throws: `CompressionError.outOfMemory`.
  public init(
    _ format: CompressionFormat, windowBytes: Int = Decompressor.defaultWindowBytes,
    source: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws(CompressionError) {
    decompressor = try Decompressor(format, windowBytes: windowBytes)
    input = .allocate(byteCount: 128 * 1024, alignment: 16)
    self.source = source
  }

  deinit { input.deallocate() }

  /// Fills the front of a buffer with the next decompressed bytes.
  ///
  /// - Parameter output: not empty.
  /// - Returns: how many; 0 at the end of a complete stream.
  /// - Throws: `CompressionError`, or what the source threw.
  public mutating func read(into output: UnsafeMutableRawBufferPointer) throws -> Int {
    while true {
      if unread.isEmpty, !inputEnded {
        let count = try source(input)
        unread = 0..<count
        inputEnded = count == 0
      }
      let step = try decompressor.step(UnsafeRawBufferPointer(rebasing: input[unread]), into: output)
      unread = (unread.lowerBound + step.consumed)..<unread.upperBound
      if step.produced > 0 { return step.produced }
      if step.consumed == 0, unread.isEmpty, inputEnded {
        try decompressor.finish()
        return 0
      }
    }
  }
}
