import EventScanner

/// Numbers as they are written in JSON; the scanner has checked their form.
enum NumberText {
  /// The value of an integer, or nil where it does not fit in 64 bits.
  static func integer(_ value: ScannedValue) -> Int64? {
    var position = 0
    let isNegative = value.bytes[0] == UInt8(ascii: "-")
    if isNegative { position = 1 }
    // Eighteen digits always fit.
    let count = Int(value.length)
    if count - position <= 18 {
      var result: Int64 = 0
      while position < count {
        result = result &* 10 &+ Int64(value.bytes[position] &- 0x30)
        position += 1
      }
      return isNegative ? -result : result
    }
    var result: Int64 = 0
    while position < count {
      let digit = Int64(value.bytes[position] &- 0x30)
      let (times, overflow) = result.multipliedReportingOverflow(by: 10)
      let (next, overflowToo) = times.addingReportingOverflow(isNegative ? -digit : digit)
      if overflow || overflowToo { return nil }
      result = next
      position += 1
    }
    return result
  }

  /// Whether an integer is 0 … 2⁶⁴−1, written without a sign.
  static func isUnsigned64(_ value: ScannedValue) -> Bool {
    let count = Int(value.length)
    guard value.bytes[0] != UInt8(ascii: "-"), count <= 20 else { return false }
    var result: UInt64 = 0
    for position in 0..<count {
      let (times, overflow) = result.multipliedReportingOverflow(by: 10)
      let (next, overflowToo) = times.addingReportingOverflow(UInt64(value.bytes[position] &- 0x30))
      if overflow || overflowToo { return false }
      result = next
    }
    return true
  }

  /// The value of any number, or nil where it is larger than a 64-bit float can hold.
  static func double(_ value: ScannedValue) -> Double? {
    let count = Int(value.length)
    // A mantissa below 2⁵³ divided by a power of ten up to 10²² is exact but for one rounding.
    if count <= 15 {
      var mantissa: Int64 = 0
      var fractionDigits = 0
      var isFraction = false
      var position = value.bytes[0] == UInt8(ascii: "-") ? 1 : 0
      while position < count {
        let byte = value.bytes[position]
        if byte == UInt8(ascii: ".") {
          isFraction = true
        } else if byte &- 0x30 < 10 {
          mantissa = mantissa &* 10 &+ Int64(byte &- 0x30)
          if isFraction { fractionDigits += 1 }
        } else {
          break
        }
        position += 1
      }
      if position == count {
        let magnitude = Double(mantissa) / powersOfTen[fractionDigits]
        return value.bytes[0] == UInt8(ascii: "-") ? -magnitude : magnitude
      }
    }
    let text = String(decoding: UnsafeBufferPointer(start: value.bytes, count: count), as: UTF8.self)
    guard let result = Double(text), result.isFinite else { return nil }
    return result
  }

  /// Whether a number's exponent, if it has one, is −400…400: what `jsonb` can hold, whatever the digits before it.
  static func hasModestExponent(_ value: ScannedValue) -> Bool {
    let bytes = UnsafeBufferPointer(start: value.bytes, count: Int(value.length))
    guard let marker = bytes.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return true }
    var exponent = 0
    for byte in bytes[(marker + 1)...] where byte &- 0x30 < 10 {
      exponent = exponent * 10 + Int(byte &- 0x30)
      if exponent > 400 { return false }
    }
    return true
  }

  private static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
  ]
}
