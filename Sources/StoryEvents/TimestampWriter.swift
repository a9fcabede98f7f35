/// Writes moments as RFC 3339 in UTC with microseconds: always 27 characters, such as `2026-11-29T10:00:00.004000Z`.
///
/// It remembers the day it wrote last, since events come mostly day by day. Years 1970–9999.
package struct TimestampWriter: Sendable {
  /// How long each moment is, in bytes.
  package static let byteCount = 27

  private var scratch: [UInt8] = []
  private var day: Int64 = -1
  private var dayText: [UInt8] = []

  /// A writer that has written nothing.
  package init() {}

  /// Appends a moment, given in microseconds since 1970.
  package mutating func append(_ microseconds: Int64, to bytes: inout [UInt8]) {
    let moment = max(0, microseconds)
    let (newDay, inDay) = moment.quotientAndRemainder(dividingBy: 86_400_000_000)
    if newDay != day {
      day = newDay
      dayText.removeAll(keepingCapacity: true)
      Self.appendDate(newDay, to: &dayText)
    }
    bytes.append(contentsOf: dayText)
    bytes.append(inDay / 3_600_000_000, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(inDay / 60_000_000 % 60, digits: 2)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(inDay / 1_000_000 % 60, digits: 2)
    bytes.append(UInt8(ascii: "."))
    bytes.append(inDay % 1_000_000, digits: 6)
    bytes.append(UInt8(ascii: "Z"))
  }

  /// Lends a moment's characters to a closure.
  package mutating func write(_ microseconds: Int64, to take: ([UInt8]) -> Void) {
    var text = scratch
    scratch = []
    text.removeAll(keepingCapacity: true)
    append(microseconds, to: &text)
    take(text)
    scratch = text
  }

  /// A moment as text.
  package static func text(_ microseconds: Int64) -> String {
    var writer = TimestampWriter()
    var bytes: [UInt8] = []
    writer.append(microseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The Gregorian date of a day since 1970, and the `T`. Years are counted from March, so that a leap day is a year's
  /// last, in eras of 400 years (146,097 days).
  private static func appendDate(_ daysSince1970: Int64, to bytes: inout [UInt8]) {
    let days = daysSince1970 + 719_468
    let era = days / 146_097
    let dayOfEra = days % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    bytes.append(year, digits: 4)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(month, digits: 2)
    bytes.append(UInt8(ascii: "-"))
    bytes.append(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1, digits: 2)
    bytes.append(UInt8(ascii: "T"))
  }
}
