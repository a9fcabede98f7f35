/// What the holder of a key may do.
public enum KeyRight: String, Sendable, CaseIterable {
  /// Send events.
  case ingest
  /// Read reports.
  case read
}

/// A write key as it is stored: who holds it, and what tells it from others; never the key itself.
public struct WriteKey: Sendable, Equatable {
  /// Its number, for `key revoke`.
  public let id: Int32
  /// SHA-256 of the whole key as it is sent, 32 bytes.
  public let hash: [UInt8]
  /// The first characters of the key, to tell keys apart.
  public let prefix: String
  /// The app that its events belong to.
  public let app: String
  /// What its holder may do.
  public let right: KeyRight
  /// Microseconds since 1970.
  public let createdAtMicroseconds: Int64
  /// Microseconds since 1970; nil: valid.
  public let revokedAtMicroseconds: Int64?

  /// Whether it was revoked.
  public var isRevoked: Bool { revokedAtMicroseconds != nil }
}
