/// A UUID as PostgreSQL stores it: 16 bytes, ordered as unsigned big-endian numbers.
public struct PostgresUUID: Hashable, Comparable, Sendable {
  /// The first eight bytes, as a big-endian number.
  public let high: UInt64
  /// The last eight bytes, as a big-endian number.
  public let low: UInt64

  /// From its two halves.
  @inlinable
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// From 16 bytes; nil for any other number of them.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    var halves = (high: UInt64(0), low: UInt64(0))
    for (index, byte) in bytes.enumerated() {
      if index < 8 {
        halves.high = halves.high << 8 | UInt64(byte)
      } else {
        halves.low = halves.low << 8 | UInt64(byte)
      }
    }
    self.init(high: halves.high, low: halves.low)
  }

  /// From the form of 36 characters (RFC 9562 §4), in either case; nil for anything else.
  public init?(_ text: some StringProtocol) {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    var digits: [UInt8] = []
    for (index, character) in characters.enumerated() {
      if Self.hyphens.contains(index) {
        guard character == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Self.digit(character) else { return nil }
        digits.append(digit)
      }
    }
    self.init(bytes: (0..<16).map { digits[2 * $0] << 4 | digits[2 * $0 + 1] })
  }

  /// The 16 bytes.
  public var bytes: [UInt8] {
    [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }

  /// PostgreSQL's order: byte by byte, unsigned.
  public static func < (left: PostgresUUID, right: PostgresUUID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }

  private static let hyphens = [8, 13, 18, 23]

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension PostgresUUID: CustomStringConvertible {
  /// 36 characters, lower case.
  public var description: String {
    var text: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 48 + digit : 87 + digit) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
