/// Times as the contract writes them (contract §1, `at`).
///
/// By hand, because Foundation's parsers are neither strict (they take a second 60, or a day that does not exist) nor exact
/// (they round a fraction through a floating-point number, where the contract cuts it to microseconds), and take about
/// a microsecond each.
enum Timestamp {
  /// The first and the last microsecond of the years 0001–9999, in UTC.
  static let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999

  /// Reads RFC 3339 with an offset; nil for anything else.
  ///
  /// `T` and `Z` in either case; 1–9 fraction digits, cut to microseconds; no second 60. The year must be 0001–9999 as it is
  /// written and in UTC.
  ///
  /// - Returns: microseconds since 1970.
  static func microseconds(rfc3339 text: UnsafeRawBufferPointer) -> Int64? {
    // 2026-11-29T10:00:00Z is the shortest form.
    guard text.count >= 20, text.count <= 35 else { return nil }
    guard let century = twoDigits(text, 0), let yearOfCentury = twoDigits(text, 2), text[4] == UInt8(ascii: "-"),
      let month = twoDigits(text, 5), text[7] == UInt8(ascii: "-"), let day = twoDigits(text, 8),
      text[10] | 0x20 == UInt8(ascii: "t"), let hour = twoDigits(text, 11), text[13] == UInt8(ascii: ":"),
      let minute = twoDigits(text, 14), text[16] == UInt8(ascii: ":"), let second = twoDigits(text, 17)
    else { return nil }
    let year = century * 100 + yearOfCentury
    guard year >= 1, month >= 1, month <= 12, day >= 1, day <= daysInMonth(year, month), hour < 24, minute < 60,
      second < 60
    else { return nil }

    var position = 19
    var fraction: Int64 = 0
    if text[position] == UInt8(ascii: ".") {
      position += 1
      let first = position
      var unit: Int64 = 100_000
      while position < text.count, isDigit(text[position]) {
        fraction += Int64(text[position] &- 0x30) * unit  // the unit is 0 from the seventh digit on: cut, not rounded
        unit /= 10
        position += 1
      }
      guard position > first, position - first <= 9 else { return nil }
    }
    guard let offsetMinutes = offset(text, position) else { return nil }
    let days = daysSince1970(year, month, day)
    let seconds = days * 86_400 + Int64(hour * 3600 + minute * 60 + second) - Int64(offsetMinutes) * 60
    let result = seconds * 1_000_000 + fraction
    return range.contains(result) ? result : nil
  }

  /// Takes milliseconds since 1970; nil outside the years 0001–9999.
  ///
  /// - Returns: microseconds since 1970.
  static func microseconds(milliseconds: Int64) -> Int64? {
    guard milliseconds >= range.lowerBound / 1000, milliseconds <= range.upperBound / 1000 else { return nil }
    return milliseconds * 1000
  }

  /// The offset that ends the text here, in minutes; nil where it is none.
  private static func offset(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int? {
    guard position < text.count else { return nil }
    let sign = text[position]
    if sign | 0x20 == UInt8(ascii: "z") { return text.count == position + 1 ? 0 : nil }
    guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), text.count == position + 6,
      let hours = twoDigits(text, position + 1), text[position + 3] == UInt8(ascii: ":"),
      let minutes = twoDigits(text, position + 4), hours < 24, minutes < 60
    else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
  }

  @inline(__always)
  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  @inline(__always)
  private static func twoDigits(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int? {
    let tens = text[position] &- 0x30
    let ones = text[position + 1] &- 0x30
    guard tens < 10, ones < 10 else { return nil }
    return Int(tens) * 10 + Int(ones)
  }

  private static func daysInMonth(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case _: 31
    }
  }

  /// Days from 1970-01-01 in the proleptic Gregorian calendar: years begin in March, so that the leap day is the last.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int64(era * 146_097 + dayOfEra - 719_468)
  }
}
