/// A day of the Gregorian calendar, counted without a time zone.
package struct CivilDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01.
  package var dayNumber: Int64

  /// Makes a day.
  ///
  /// - Parameter dayNumber: days since 1970-01-01.
  package init(dayNumber: Int64) {
    self.dayNumber = dayNumber
  }

  /// Nil where there is no such day, or its year is not 1–9999.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    // The year is taken to begin in March, so that a leap day is its last (algorithm: Howard Hinnant, "days_from_civil").
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    dayNumber = Int64(era * 146_097 + dayOfEra - 719_468)
    let (readYear, readMonth, readDay) = components
    guard readYear == year, readMonth == month, readDay == day else { return nil }
  }

  /// Year, month 1–12, day 1–31.
  package var components: (year: Int, month: Int, day: Int) {
    let shifted = Int(dayNumber) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  /// 0 is Monday, 6 is Sunday.
  package var weekdayFromMonday: Int { Int((dayNumber + 3).quotientRoundedDown(by: 7).remainder) }

  /// The Monday of its week.
  package var monday: CivilDate { CivilDate(dayNumber: dayNumber - Int64(weekdayFromMonday)) }

  /// `2026-11-01`.
  package var text: String {
    let (year, month, day) = components
    return "\(year.padded(to: 4))-\(month.padded(to: 2))-\(day.padded(to: 2))"
  }

  /// `2026-W44`: the year is that of the week's Thursday (ISO 8601).
  package var weekText: String {
    let thursday = CivilDate(dayNumber: monday.dayNumber + 3)
    let year = thursday.components.year
    // The last day before year 1 is one where clocks are behind UTC. The calendar is the same again after 400 years.
    let cycles = year < 1 ? 1 : 0
    let newYear = CivilDate(year: year + cycles * 400, month: 1, day: 1) ?? thursday
    let dayOfYear = Int(thursday.dayNumber - newYear.dayNumber) + cycles * 146_097
    return "\(year.padded(to: 4))-W\((dayOfYear / 7 + 1).padded(to: 2))"
  }

  /// Whether the left one is the earlier.
  package static func < (left: CivilDate, right: CivilDate) -> Bool { left.dayNumber < right.dayNumber }
}

extension Int64 {
  /// Quotient towards negative infinity, and the remainder that goes with it, 0 ..< divisor.
  package func quotientRoundedDown(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension BinaryInteger {
  /// Decimal digits with zeros in front.
  package func padded(to width: Int) -> String {
    let digits = String(self)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}
