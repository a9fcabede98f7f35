/// Writes `key=value` pairs as bytes.
///
/// A value stands bare when it is made of printable characters without space, `=`, `"` and `\`; else in quotes, with
/// control characters (C0, DEL, C1), line separators and direction marks as `\n`, `\r`, `\t` or `\uXXXX`,
/// so that no value can end a line, start another field, or steer a terminal.
enum Logfmt {
  /// Longer text is cut here, at a character, and ends in `…`: a line stays one that a person can read.
  static let maximumTextBytes = 1_024

  /// Appends ` key=value`, without the space at the start of a line.
  static func append(key: String, value: ServiceLog.Value, to line: inout [UInt8]) {
    append(key: key, to: &line)
    switch value {
    case .string(let text): append(text: text, to: &line)
    case .int(let number): line.append(contentsOf: String(number).utf8)
    case .double(let number): line.append(contentsOf: number.description.utf8)
    case .bool(let flag): line.append(contentsOf: (flag ? "true" : "false").utf8)
    case .duration(let duration): append(duration: duration, to: &line)
    }
  }

  /// Appends a time as RFC 3339 in UTC with milliseconds.
  static func append(key: String, timeMicroseconds: Int64, to line: inout [UInt8]) {
    append(key: key, to: &line)
    let (seconds, microseconds) = floorDivide(timeMicroseconds, by: 1_000_000)
    let (days, secondOfDay) = floorDivide(seconds, by: 86_400)
    let date = civilDate(daysSince1970: days)
    append(date.year, digits: 4, to: &line)
    line.append(UInt8(ascii: "-"))
    append(date.month, digits: 2, to: &line)
    line.append(UInt8(ascii: "-"))
    append(date.day, digits: 2, to: &line)
    line.append(UInt8(ascii: "T"))
    append(secondOfDay / 3_600, digits: 2, to: &line)
    line.append(UInt8(ascii: ":"))
    append(secondOfDay / 60 % 60, digits: 2, to: &line)
    line.append(UInt8(ascii: ":"))
    append(secondOfDay % 60, digits: 2, to: &line)
    line.append(UInt8(ascii: "."))
    append(microseconds / 1_000, digits: 3, to: &line)
    line.append(UInt8(ascii: "Z"))
  }

  private static func append(key: String, to line: inout [UInt8]) {
    if let last = line.last, last != UInt8(ascii: " ") { line.append(UInt8(ascii: " ")) }
    for byte in key.utf8 { line.append(isKeyByte(byte) ? byte : UInt8(ascii: "_")) }
    line.append(UInt8(ascii: "="))
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func append(text: String, to line: inout [UInt8]) {
    var cut = false
    var byteCount = 0
    var needsQuotes = text.isEmpty
    var end = text.unicodeScalars.startIndex
    for scalar in text.unicodeScalars {
      byteCount += UTF8.width(scalar)
      if byteCount > maximumTextBytes {
        cut = true
        break
      }
      if needsEscape(scalar) || scalar == " " || scalar == "=" || scalar == "\"" || scalar == "\\" {
        needsQuotes = true
      }
      end = text.unicodeScalars.index(after: end)
    }
    if needsQuotes { line.append(UInt8(ascii: "\"")) }
    for scalar in text.unicodeScalars[..<end] { append(scalar: scalar, to: &line) }
    if cut { line.append(contentsOf: "…".utf8) }
    if needsQuotes { line.append(UInt8(ascii: "\"")) }
  }

  private static func append(scalar: Unicode.Scalar, to line: inout [UInt8]) {
    switch scalar {
    case "\"": line.append(contentsOf: #"\""#.utf8)
    case "\\": line.append(contentsOf: #"\\"#.utf8)
    case "\n": line.append(contentsOf: #"\n"#.utf8)
    case "\r": line.append(contentsOf: #"\r"#.utf8)
    case "\t": line.append(contentsOf: #"\t"#.utf8)
    case _ where needsEscape(scalar):
      let digits = String(scalar.value, radix: 16)
      line.append(contentsOf: #"\u"#.utf8)
      for _ in digits.utf8.count..<4 { line.append(UInt8(ascii: "0")) }
      line.append(contentsOf: digits.utf8)
    default: line.append(contentsOf: String(scalar).utf8)
    }
  }

  /// C0, DEL and C1 controls, line and paragraph separators, and the marks that turn the direction of text.
  private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }

  private static func append(duration: Duration, to line: inout [UInt8]) {
    let (seconds, attoseconds) = duration.components
    let negative = seconds < 0 || attoseconds < 0
    if negative { line.append(UInt8(ascii: "-")) }
    line.append(contentsOf: String(seconds.magnitude).utf8)
    let microseconds = Int64(attoseconds.magnitude / 1_000_000_000_000)
    if microseconds > 0 {
      line.append(UInt8(ascii: "."))
      append(microseconds, digits: 6, to: &line)
      while line.last == UInt8(ascii: "0") { line.removeLast() }
    }
    line.append(UInt8(ascii: "s"))
  }

  private static func append(_ number: Int64, digits: Int, to line: inout [UInt8]) {
    let text = String(number)
    for _ in stride(from: text.utf8.count, to: digits, by: 1) { line.append(UInt8(ascii: "0")) }
    line.append(contentsOf: text.utf8)
  }

  private static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  /// The proleptic Gregorian date of a day, by shifting the year's start to March so that the leap day comes last.
  private static func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floorDivide(daysSince1970 + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}
