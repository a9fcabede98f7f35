import Foundation

/// What a payload says of its message (playback §4); all of it may be missing.
struct MessageIdentity: Sendable, Equatable {
  /// `p`: the message's hash, as it came.
  var messageHash: String?
  /// The message's code, such as `0000-00000000-00000000`.
  var messageCode: String?
  /// The message's id: decimal digits of a number of 64 bits, or what the app says.
  var messageID: String?
  /// The campaign's id: decimal digits of a number of 64 bits, or what the app says.
  var campaignID: String?

  /// Reads a payload. Only `p` names the message there; what it holds beside a hash is read as the SDK reads it: from the fourth
  /// part on, with `_` between them, it has the campaign's id, the message's id and the message's code, in digits of base 62.
  init(userInfo: [AnyHashable: Any]) {
    guard let hash = Self.text(userInfo["p"]) else { return }
    messageHash = hash
    // A plain hash of up to 64 characters may hold `_` too; one with parts has a `-` in its code.
    guard hash.contains("-") || hash.utf16.count > 64 else { return }
    let parts = hash.split(separator: "_", omittingEmptySubsequences: false)
    guard parts.count > 3 else { return }
    campaignID = Self.number(parts[1]).map { String($0) }
    messageID = Self.number(parts[2]).map { String($0) }
    messageCode = Self.code(parts[3])
  }

  /// Takes over what somebody else knows; it wins.
  mutating func complete(messageID: String?, campaignID: String?) {
    if let messageID, !messageID.isEmpty { self.messageID = messageID }
    if let campaignID, !campaignID.isEmpty { self.campaignID = campaignID }
  }

  /// A text that is not empty, or a number's digits.
  private static func text(_ value: Any?) -> String? {
    if let text = value as? String { return text.isEmpty ? nil : text }
    guard let number = value as? NSNumber else { return nil }
    return number.stringValue
  }

  /// Digits 0–9, a–z, A–Z; nil for none, for zero, for anything else and beyond 64 bits.
  private static func number(_ text: Substring) -> UInt64? {
    guard let value = digits(text), value > 0 else { return nil }
    return value
  }

  private static func digits(_ text: Substring) -> UInt64? {
    guard !text.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in text.utf8 {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A") + 36
      default: return nil
      }
      let (product, overflows) = value.multipliedReportingOverflow(by: 62)
      let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(digit))
      guard !overflows, !overflowsToo else { return nil }
      value = sum
    }
    return value
  }

  /// Its parts as hexadecimal numbers, the first of at least four digits, the others of at least eight.
  private static func code(_ text: Substring) -> String? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 1 { return text.isEmpty ? nil : String(text) }
    var decoded: [String] = []
    for (index, part) in parts.enumerated() {
      guard let value = digits(part) else { return nil }
      let hexadecimal = String(value, radix: 16, uppercase: true)
      decoded.append(String(repeating: "0", count: max(0, (index == 0 ? 4 : 8) - hexadecimal.count)) + hexadecimal)
    }
    return decoded.joined(separator: "-")
  }
}
