import EmbeddedSQL

/// One step of the schema: a file of sql/, as it was when the program was built.
public struct Migration: Sendable, Equatable {
  /// The number that its name begins with; applied in this order, without gaps from 1.
  public let version: Int
  /// The file's name without ".sql", such as `0001_tables`.
  public let name: String
  /// The statements.
  public let sql: String
  /// SHA-256 of the file.
  public let checksum: [UInt8]

  /// All that the program carries, in order.
  static let all: [Migration] = (0..<pagefall_embedded_sql_count()).map { index in
    let file = pagefall_embedded_sql(index)
    let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.length)
    return Migration(
      version: index + 1, name: String(cString: file.name), sql: String(decoding: bytes, as: UTF8.self),
      checksum: SHA256.hash(bytes))
  }
}
