/// A session's identifier: a UUID of versions 1–8 in the RFC 9562 variant (contract §1, "Common fields").
///
/// Two forms exist. The *sent* form is what the sender wrote. The *stored* form is what the database keys on: a version 7
/// id of the years 2020–2099 as it is (its first digit is 0, and it begins with its time, so partitions are months); every
/// other id with its version digit moved to the front (first digit 1–8), outside all time ranges and free of collisions
/// (architecture §4).
public struct SessionID: Hashable, Sendable {
  /// Bytes 0–7 of the sent form, the first byte most significant.
  public let high: UInt64
  /// Bytes 8–15 of the sent form, the first byte most significant.
  public let low: UInt64

  /// Takes the two halves of a sent id; nil where the variant is not RFC 9562's or the version is not 1–8.
  public init?(high: UInt64, low: UInt64) {
    let version = (high >> 12) & 0xF
    guard version >= 1, version <= 8, low >> 62 == 0b10 else { return nil }
    self.high = high
    self.low = low
  }

  /// Reads the 36-character form, digits in either case; nil for anything else.
  public init?(utf8 text: UnsafeRawBufferPointer) {
    guard text.count == 36 else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    var digits = 0
    for index in 0..<36 {
      let byte = text[index]
      if index == 8 || index == 13 || index == 18 || index == 23 {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = hexadecimalDigit(byte) else { return nil }
      if digits < 16 { high = high << 4 | digit } else { low = low << 4 | digit }
      digits += 1
    }
    self.init(high: high, low: low)
  }

  /// Reads the 36-character form, digits in either case; nil for anything else.
  public init?(_ text: String) {
    var text = text
    guard let id = text.withUTF8({ SessionID(utf8: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = id
  }

  /// Makes a version 7 id (RFC 9562 §5.7) that begins at this time.
  ///
  /// - Parameters:
  ///   - millisecondsSince1970: its time, 0 … 2⁴⁸−1 (cut to 48 bits).
  ///   - randomHigh: 12 random bits (the rest is ignored).
  ///   - randomLow: 62 random bits (the rest is ignored).
  public init(millisecondsSince1970: UInt64, randomHigh: UInt16, randomLow: UInt64) {
    high = millisecondsSince1970 << 16 | 0x7000 | UInt64(randomHigh & 0x0FFF)
    low = 0b10 << 62 | randomLow & 0x3FFF_FFFF_FFFF_FFFF
  }

  /// Its version, 1–8.
  public var version: Int { Int((high >> 12) & 0xF) }

  /// The time that a version 7 id begins with, in milliseconds since 1970; nil for other versions.
  public var timeMilliseconds: Int64? { version == 7 ? Int64(high >> 16) : nil }

  /// Whether the database keeps it as it was sent: version 7, of the years 2020–2099.
  public var isStoredAsSent: Bool {
    guard let time = timeMilliseconds else { return false }
    return Self.storedTimeRange.contains(time)
  }

  /// The stored form's bytes 0–7, the first byte most significant. Bytes 8–15 are `low` in both forms.
  public var storedHigh: UInt64 {
    if isStoredAsSent { return high }
    let version = (high >> 12) & 0xF
    return version << 60 | (high >> 16) << 12 | high & 0xFFF
  }

  /// Undoes the stored form; nil where it is no stored form.
  public init?(storedHigh: UInt64, storedLow: UInt64) {
    let first = storedHigh >> 60
    if first == 0 {
      self.init(high: storedHigh, low: storedLow)
      return
    }
    let digits = (storedHigh >> 12) & 0xFFFF_FFFF_FFFF
    self.init(high: digits << 16 | first << 12 | storedHigh & 0xFFF, low: storedLow)
  }

  /// 2020-01-01 up to, not including, 2100-01-01, in milliseconds since 1970.
  static let storedTimeRange: Range<Int64> = 1_577_836_800_000..<4_102_444_800_000
}

extension SessionID: CustomStringConvertible {
  /// The sent form: 36 characters, digits in lower case.
  public var description: String {
    var text = ""
    text.reserveCapacity(36)
    for digit in 0..<32 {
      if digit == 8 || digit == 12 || digit == 16 || digit == 20 { text.append("-") }
      let half = digit < 16 ? high : low
      let value = UInt8(truncatingIfNeeded: half >> UInt64(60 - digit % 16 * 4)) & 0xF
      text.unicodeScalars.append(Unicode.Scalar(value < 10 ? 0x30 + value : 0x57 + value))
    }
    return text
  }
}

private func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
