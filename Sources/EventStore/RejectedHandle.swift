/// How people call a rejected event: the beginning of its SHA-256 in hexadecimal digits, either case.
public struct RejectedHandle: Equatable, Sendable {
  /// As it was written.
  public let text: String
  /// The smallest and the largest SHA-256 that begin so, 32 bytes each.
  let lowest: [UInt8]
  let highest: [UInt8]

  /// Reads 1 to 64 hexadecimal digits; nil for anything else.
  public init?(_ text: String) {
    var digits: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digits.append(byte - UInt8(ascii: "a") + 10)
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digits.append(byte - UInt8(ascii: "A") + 10)
      case _: return nil
      }
    }
    guard (1...64).contains(digits.count) else { return nil }
    func bytes(filledWith rest: UInt8) -> [UInt8] {
      let all = digits + Array(repeating: rest, count: 64 - digits.count)
      return stride(from: 0, to: 64, by: 2).map { all[$0] << 4 | all[$0 + 1] }
    }
    self.text = text
    lowest = bytes(filledWith: 0)
    highest = bytes(filledWith: 15)
  }
}
