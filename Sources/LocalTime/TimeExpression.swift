import PrintedText

/// A time as people write it on a command line.
///
/// `2026-11-01`, `today` and `yesterday` are days; `7d` is the start of the local day seven days ago; RFC 3339 is an
/// instant. A range that starts with a day starts when the day does; one that ends with a day includes it; one that ends
/// with an instant does not include that instant.
public struct TimeExpression: Sendable, Equatable {
  /// What a text says, before it is known in which zone and when.
  package enum Meaning: Sendable, Equatable {
    /// A day of the calendar.
    case day(CivilDate)
    /// So many local days before today. As the end of a range, a whole day (`yesterday`) is included, and `7d` is its start.
    case daysAgo(Int64, isWholeDay: Bool)
    /// An instant, in microseconds since 1970.
    case instant(microseconds: Int64)
  }

  /// What the text says.
  package let meaning: Meaning

  /// Reads a time.
  ///
  /// - Throws: `LocalTimeError` with the forms that there are.
  public init(_ text: String) throws(LocalTimeError) {
    switch text {
    case "today": meaning = .daysAgo(0, isWholeDay: true)
    case "yesterday": meaning = .daysAgo(1, isWholeDay: true)
    case _:
      guard let meaning = Self.daysAgo(text) ?? Self.day(text) ?? Self.instant(text) else {
        throw LocalTimeError(
          "'\(DisplayText.escaped(text))' is not a time; write a day (2026-11-01), today, yesterday, a number of days "
            + "ago (7d), or an instant with its offset (2026-11-01T09:00:00+01:00)")
      }
      self.meaning = meaning
    }
  }

  /// The instant that a range begins with, in microseconds since 1970.
  package func startMicroseconds(in zone: ReportTimeZone, nowMicroseconds: Int64) -> Int64 {
    var days = LocalDays(zone)
    switch meaning {
    case .day(let date): return days.startMicroseconds(of: date)
    case .daysAgo(let count, _): return days.startMicroseconds(of: days.date(count, before: nowMicroseconds))
    case .instant(let microseconds): return microseconds
    }
  }

  /// The first instant that no longer belongs to a range, in microseconds since 1970.
  package func endMicroseconds(in zone: ReportTimeZone, nowMicroseconds: Int64) -> Int64 {
    var days = LocalDays(zone)
    switch meaning {
    case .day(let date): return days.startMicroseconds(of: CivilDate(dayNumber: date.dayNumber + 1))
    case .daysAgo(let count, let isWholeDay):
      let date = days.date(isWholeDay ? count - 1 : count, before: nowMicroseconds)
      return days.startMicroseconds(of: date)
    case .instant(let microseconds): return microseconds
    }
  }

  /// The local day that a range begins in.
  package func firstDay(in zone: ReportTimeZone, nowMicroseconds: Int64) -> CivilDate {
    var days = LocalDays(zone)
    switch meaning {
    case .day(let date): return date
    case .daysAgo(let count, _): return days.date(count, before: nowMicroseconds)
    case .instant(let microseconds): return days.date(atMicroseconds: microseconds)
    }
  }

  /// The last day of a range that includes a whole day at its end; nil: it ends with an instant.
  package func lastDay(in zone: ReportTimeZone, nowMicroseconds: Int64) -> CivilDate? {
    var days = LocalDays(zone)
    switch meaning {
    case .day(let date): return date
    case .daysAgo(let count, isWholeDay: true): return days.date(count, before: nowMicroseconds)
    case .daysAgo(_, isWholeDay: false), .instant: return nil
    }
  }

  private static func daysAgo(_ text: String) -> Meaning? {
    guard text.hasSuffix("d"), text.utf8.count <= 6, let count = digits(text.dropLast()) else { return nil }
    return .daysAgo(Int64(count), isWholeDay: false)
  }

  private static func day(_ text: String) -> Meaning? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2], let year = digits(parts[0]),
      let month = digits(parts[1]), let day = digits(parts[2])
    else { return nil }
    return CivilDate(year: year, month: month, day: day).map { .day($0) }
  }

  /// RFC 3339, with a space for the `T` as well; 1–9 digits of a fraction, cut to microseconds.
  private static func instant(_ text: String) -> Meaning? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
      case .day(let date) = day(String(decoding: bytes[..<10], as: UTF8.self)),
      let secondOfDay = secondOfDay(bytes[11..<19])
    else { return nil }
    var rest = bytes[19...]
    var microseconds: Int64 = 0
    if rest.first == UInt8(ascii: ".") {
      let fraction = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard (1...9).contains(fraction.count) else { return nil }
      rest = rest[fraction.endIndex...]
      for place in 0..<6 {
        let digit = place < fraction.count ? fraction[fraction.startIndex + place] - UInt8(ascii: "0") : 0
        microseconds = microseconds * 10 + Int64(digit)
      }
    }
    guard let offset = offsetSeconds(rest) else { return nil }
    let seconds = date.dayNumber * 86_400 + secondOfDay - offset
    return .instant(microseconds: seconds * 1_000_000 + microseconds)
  }

  /// `10:00:00`; there is no second 60, as in the contract.
  private static func secondOfDay(_ bytes: ArraySlice<UInt8>) -> Int64? {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = digits(parts[0]),
      let minute = digits(parts[1]), let second = digits(parts[2]), hour < 24, minute < 60, second < 60
    else { return nil }
    return Int64(hour * 3_600 + minute * 60 + second)
  }

  private static func offsetSeconds(_ bytes: ArraySlice<UInt8>) -> Int64? {
    if bytes.count == 1, let letter = bytes.first, letter | 0x20 == UInt8(ascii: "z") { return 0 }
    guard bytes.count == 6, let sign = bytes.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
      return nil
    }
    let parts = String(decoding: bytes.dropFirst(), as: UTF8.self)
      .split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hours = digits(parts[0]),
      let minutes = digits(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return Int64((hours * 60 + minutes) * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// ASCII digits alone: `Int` would take a sign.
  private static func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return nil
    }
    return Int(text)
  }
}

extension LocalDays {
  /// The local day a number of days before an instant's.
  fileprivate mutating func date(_ count: Int64, before microseconds: Int64) -> CivilDate {
    CivilDate(dayNumber: date(atMicroseconds: microseconds).dayNumber - count)
  }
}
