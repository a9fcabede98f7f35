import LocalTime

extension SessionField {
  /// A value of the field in the form in which it is compared and shown.
  ///
  /// - Throws: `.usage` with what there is, for a value that the field cannot have.
  func canonicalValue(_ value: String) throws(ReportError) -> String {
    switch self {
    case .app, .context, .property, .fallbackReason:
      guard !value.utf8.contains(0) else {
        throw .usage("a value of \(QuotedText.of(name)) cannot hold a zero byte")
      }
      return value
    case .time(let period):
      if let number = period.number(ofValue: value) { return period.name(of: number) }
      throw .usage("\(QuotedText.of(value)) is no \(name); write \(period.example)")
    case .fact:
      switch value.lowercased() {
      case "yes", "true", "1": return Self.yes
      case "no", "false", "0": return Self.no
      default: throw .usage("\(name) is yes or no, not \(QuotedText.of(value))")
      }
    }
  }

  /// The number by which a value is compared and stands among others, for fields that have one: periods and facts; nil for
  /// texts.
  ///
  /// - Parameter value: in its canonical form.
  func number(ofValue value: String) -> Int64? {
    switch self {
    case .app, .context, .property, .fallbackReason: nil
    case .time(let period): period.number(ofValue: value)
    case .fact: Self.number(ofFact: value == Self.yes)
    }
  }

  /// What is so stands first.
  static func number(ofFact isSo: Bool) -> Int64 { isSo ? 0 : 1 }

  /// The value of a fact that is so.
  static let yes = "yes"
  /// The value of a fact that is not.
  static let no = "no"
  /// The value of `fallback_reason` where a session did not fall back. (One that fell back without a reason has `(none)`.)
  static let noFallback = "(no fallback)"
}

extension TimePeriod {
  /// The names of weekdays, from Monday.
  static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]

  /// The period that an instant lies in, as a number that grows with time within each kind of period.
  func number(ofMicroseconds microseconds: Int64, in days: inout LocalDays) -> Int64 {
    switch self {
    case .day: days.date(atMicroseconds: microseconds).dayNumber
    case .week: days.date(atMicroseconds: microseconds).monday.dayNumber
    case .weekday: Int64(days.date(atMicroseconds: microseconds).weekdayFromMonday)
    case .hour: Int64(days.hour(atMicroseconds: microseconds))
    }
  }

  /// The name of the period with this number.
  func name(of number: Int64) -> String {
    switch self {
    case .day: CivilDate(dayNumber: number).text
    case .week: CivilDate(dayNumber: number).weekText
    case .weekday: Self.weekdays[Int(number)]
    case .hour: number.padded(to: 2)
    }
  }

  /// The period that a text names; nil where it names none.
  fileprivate func number(ofValue value: String) -> Int64? {
    switch self {
    case .day: return CivilDate(text: value)?.dayNumber
    case .week:
      let parts = value.uppercased().split(separator: "-W", omittingEmptySubsequences: false)
      guard parts.count == 2, let year = Self.number(parts[0], digits: 4...4),
        let week = Self.number(parts[1], digits: 1...2),
        let january4th = CivilDate(year: year, month: 1, day: 4), (1...53).contains(week)
      else { return nil }
      // The week with 4 January is the first (ISO 8601).
      let monday = CivilDate(dayNumber: january4th.monday.dayNumber + Int64(week - 1) * 7)
      return monday.weekText.hasPrefix(parts[0]) ? monday.dayNumber : nil
    case .weekday: return Self.weekdays.firstIndex { $0.lowercased() == value.lowercased() }.map(Int64.init)
    case .hour: return Self.number(value[...], digits: 1...2).flatMap { (0...23).contains($0) ? Int64($0) : nil }
    }
  }

  /// A number of digits alone: `+1` is none.
  private static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(text)
  }

  fileprivate var example: String {
    switch self {
    case .day: "a date, such as 2026-11-01"
    case .week: "an ISO week, such as 2026-W44"
    case .weekday: "a weekday, \(Self.weekdays.joined(separator: ", "))"
    case .hour: "an hour, 00 to 23"
    }
  }
}
