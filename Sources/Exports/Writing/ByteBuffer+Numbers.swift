extension ByteBuffer {
  /// A whole number in decimal.
  @inline(__always)
  mutating func append(decimal value: Int64) {
    append(most: 20) { place in
      var magnitude = value.magnitude
      if magnitude < 10, value >= 0 {
        place.storeDigit(magnitude, at: 0)
        return 1
      }
      let sign = value < 0 ? 1 : 0
      if sign == 1 { place.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self) }
      var length = 0
      var rest = magnitude
      repeat {
        length += 1
        rest /= 10
      } while rest > 0
      var offset = sign + length
      repeat {
        offset -= 1
        place.storeDigit(magnitude % 10, at: offset)
        magnitude /= 10
      } while magnitude > 0
      return sign + length
    }
  }

  /// The shortest decimal form that reads back as the same number; `null` must be written instead of what is not finite.
  mutating func append(shortest value: Double) {
    let thousandths = (value * 1_000).rounded()
    // With at most 15 digits, no two decimals are the same double: so this one reads back, and none is shorter.
    guard thousandths.magnitude < 1e15, thousandths / 1_000 == value, value != 0 || value.sign == .plus else {
      append(Self.withoutNeedlessFraction(value.description))
      return
    }
    let magnitude = Int64(thousandths.magnitude)
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: magnitude / 1_000)
    var fraction = magnitude % 1_000
    guard fraction > 0 else { return }
    append(UInt8(ascii: "."))
    var unit: Int64 = 100
    while fraction > 0 {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: fraction / unit))
      fraction %= unit
      unit /= 10
    }
  }

  /// Swift writes whole numbers below 2⁵⁴ with a `.0` that says nothing.
  private static func withoutNeedlessFraction(_ text: String) -> String {
    text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

extension UnsafeMutableRawPointer {
  /// Stores the digit 0–9 as ASCII.
  @inline(__always)
  func storeDigit<Number: FixedWidthInteger>(_ digit: Number, at offset: Int) {
    storeBytes(of: UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit), toByteOffset: offset, as: UInt8.self)
  }

  /// Stores a number 0–99 as two digits.
  @inline(__always)
  func storeTwoDigits<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    storeDigit(number / 10, at: offset)
    storeDigit(number % 10, at: offset + 1)
  }
}
