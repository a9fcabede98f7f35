/// Sixteen random bytes that tell one spool directory from every other, made once with the directory.
///
/// A position means something only together with the identity of the spool that gave it (architecture §2). It also
/// seeds the checksum of every record header, so that bytes which a sender chose cannot pass for a header when
/// reading resynchronises after damage; keep it out of what senders can see.
public struct SpoolIdentity: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// The number of bytes of an identity.
  public static let byteCount = 16

  /// An identity from its bytes; nil unless there are exactly sixteen.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// The sixteen bytes.
  public var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(56 - 8 * $0)) } }
  }

  /// 32 hexadecimal digits.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
