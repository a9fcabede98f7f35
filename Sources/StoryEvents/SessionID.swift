/// A session's identifier: a UUID of versions 1–8 in the RFC 9562 variant (contract §1, "Common fields").
///
/// Two forms exist. The *sent* form is what the sender wrote. The *stored* form is what the database keys on: a version 7
/// id of the years 2020–2099 as it is (its first digit is 0, and it begins with its time, so partitions are months); every
/// other id with its version digit moved to the front (first digit 1–8), outside all time ranges and free of collisions
/// (storage §1).
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
    let dash = UInt8(ascii: "-")
    guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash else { return nil }
    func four(_ offset: Int) -> UInt64 {
      UInt64(text.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
    }
    func eight(_ offset: Int) -> UInt64 { text.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian }
    guard let first = hexadecimalValue(eight(0)), let second = hexadecimalValue(four(9) | four(14) << 32),
      let third = hexadecimalValue(four(19) | four(24) << 32), let fourth = hexadecimalValue(eight(28))
    else { return nil }
    self.init(high: first << 32 | second, low: third << 32 | fourth)
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

/// The value of eight hexadecimal digits, the first in the lowest byte; nil where one is none.
///
/// All eight at once, in one word: every event has an id, and digit by digit this was a tenth of judging it.
private func hexadecimalValue(_ digits: UInt64) -> UInt64? {
  let ones: UInt64 = 0x0101_0101_0101_0101
  let tops = ones * 0x80
  guard digits & tops == 0 else { return nil }
  // A byte's top bit says whether it is at least the bound; bytes below 0x80 cannot carry into the next.
  func isAtLeast(_ bound: UInt64, _ bytes: UInt64) -> UInt64 { (bytes &+ ones &* (0x80 - bound)) & tops }
  let lowered = digits | ones * 0x20
  let isDecimal = isAtLeast(0x30, digits) & ~isAtLeast(0x3A, digits)
  let isLetter = isAtLeast(0x61, lowered) & ~isAtLeast(0x67, lowered)
  guard isDecimal | isLetter == tops else { return nil }
  // '0'…'9' end in their value, 'A'…'F' and 'a'…'f' in their value less nine.
  var value = ((digits & (ones * 0x0F)) + ((digits >> 6) & ones) * 9).byteSwapped
  value = (value | value >> 4) & 0x00FF_00FF_00FF_00FF
  value = (value | value >> 8) & 0x0000_FFFF_0000_FFFF
  return (value | value >> 16) & 0xFFFF_FFFF
}
