/// A file of a set: compressed and hashed on its way to the disk.
struct ExportFile: ~Copyable {
  private var output: OutputDescriptor
  private var gzip: GzipCompressor?
  private var zstd: ZstdCompressor?
  /// What is compressed goes here first.
  private let room: UnsafeMutableRawBufferPointer
  private var uncompressedBytes: Int64 = 0

  /// What a finished file holds.
  struct Contents: Equatable {
    /// On the disk.
    var bytes: Int64
    /// Before compression.
    var uncompressedBytes: Int64
    /// Of the bytes on the disk, as 64 hexadecimal digits.
    var sha256: String
  }

  /// Begins a file.
  ///
  /// - Throws: `.file` where there is no memory for the compression.
  init(_ output: consuming OutputDescriptor, _ compression: ExportCompression) throws(ExportError) {
    var zstd: ZstdCompressor?
    var gzip: GzipCompressor?
    switch compression {
    case .gzip: gzip = GzipCompressor()
    case .zstd: zstd = try ZstdCompressor()
    case .none: break
    }
    self.output = output
    self.gzip = gzip
    self.zstd = zstd
    room = .allocate(byteCount: 128 * 1_024, alignment: 64)
  }

  deinit { room.deallocate() }

  /// Adds bytes, fewer than 2³² at once.
  ///
  /// - Throws: `.file`; the file is of no use then.
  mutating func write(_ bytes: UnsafeRawBufferPointer) throws(ExportError) {
    uncompressedBytes += Int64(bytes.count)
    try compress(bytes, isLast: false)
  }

  /// Ends the file, and returns when it is on stable storage. Nothing may be written to it any more.
  ///
  /// - Throws: `.file`.
  mutating func finish() throws(ExportError) -> Contents {
    try compress(UnsafeRawBufferPointer(start: nil, count: 0), isLast: true)
    try output.synchronize()
    return Contents(bytes: output.byteCount, uncompressedBytes: uncompressedBytes, sha256: output.sha256)
  }

  private mutating func compress(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(ExportError) {
    if gzip != nil {
      try gzip?.compress(bytes, isLast: isLast, room: room, to: &output)
    } else if zstd != nil {
      try zstd?.compress(bytes, isLast: isLast, room: room, to: &output)
    } else {
      try output.write(bytes)
    }
  }
}
