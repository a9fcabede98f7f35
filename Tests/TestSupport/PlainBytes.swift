import Compression

/// Files as they were before compression.
public enum PlainBytes {
  /// Unpacks a file.
  /// - Parameter name: its name, whose last part says how it was compressed: `gz`, `zst`, or else not at all.
  public static func of(_ bytes: [UInt8], named name: String) throws -> [UInt8] {
    let format: CompressionFormat
    switch name.split(separator: ".").last {
    case "gz": format = .gzip
    case "zst": format = .zstd
    case _: return bytes
    }
    var decompressor = try Decompressor(format)
    var body = DecompressedBody()
    try bytes.withUnsafeBytes { try body.decompress($0, with: &decompressor, limitBytes: 1 << 30) }
    return Array(body.bytes)
  }
}
