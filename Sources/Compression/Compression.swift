// Compression: gzip (RFC 1952) and zstd (RFC 8878) for Swift, over zlib and libzstd.
//
// `Decompressor` is the machine: bytes in, bytes out, an error where the stream is cut, damaged or followed by something
// else. `DecompressedBody` is a request's body, unpacked whole with its limit counted on the way; `DecompressingReader` is a file,
// chunk by chunk. `compress` makes such streams, for clients and tests.

/// How bytes are compressed.
public enum CompressionFormat: String, CaseIterable, Sendable {
  /// gzip (RFC 1952), by zlib.
  case gzip
  /// zstd (RFC 8878), by libzstd.
  case zstd

  /// The format of a `Content-Encoding` (`gzip`, its old name `x-gzip`, `zstd`), in any case; nil for another.
  public init?(contentEncoding: String) {
    switch contentEncoding.lowercased() {
    case "gzip", "x-gzip": self = .gzip
    case "zstd": self = .zstd
    case _: return nil
    }
  }

  /// The format that a file's first bytes say; nil: none of these.
  ///
  /// - Parameter head: four bytes or more, where there are as many.
  public init?(head: UnsafeRawBufferPointer) {
    if head.count >= 2, head[0] == 0x1F, head[1] == 0x8B {
      self = .gzip
    } else if head.count >= 4, head[0] == 0x28, head[1] == 0xB5, head[2] == 0x2F, head[3] == 0xFD {
      self = .zstd
    } else {
      return nil
    }
  }
}

/// Why bytes cannot be decompressed, or compressed.
public enum CompressionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The stream breaks off.
  case truncated(CompressionFormat)
  /// The stream is not of its format, or a checksum does not match; with the library's reason.
  case damaged(CompressionFormat, reason: String)
  /// Behind the end of the stream stands something that is no further member or frame.
  case trailingGarbage(CompressionFormat)
  /// Decompressed, it is longer than allowed.
  case tooLarge(limitBytes: Int)
  /// It needs more memory to decompress than is allowed (zstd's window).
  case windowTooLarge(limitBytes: Int)
  /// The library has no memory.
  case outOfMemory

  /// One line.
  public var description: String {
    switch self {
    case .truncated(let format): "the \(format.rawValue) stream breaks off"
    case .damaged(let format, let reason): "the \(format.rawValue) stream is damaged: \(reason)"
    case .trailingGarbage(let format): "something else follows the \(format.rawValue) stream"
    case .tooLarge(let limit): "more than \(limit) bytes after decompression"
    case .windowTooLarge(let limit):
      "the zstd stream needs a window of more than \(limit) bytes; compress it without --long and --ultra"
    case .outOfMemory: "no memory to decompress"
    }
  }
}
