/// How long to wait before the same is sent again.
struct UploadBackoff: Sendable, Equatable {
  /// Attempts that failed since the last that did not.
  private(set) var failures = 0

  /// The bounds of a wait that nobody asked for, in seconds.
  static let ownSeconds = 0.5...300.0
  /// The longest wait that an answer can ask for, in seconds.
  static let mostAskedSeconds = 3_600.0

  /// An attempt was answered.
  mutating func succeed() { failures = 0 }

  /// An attempt failed.
  ///
  /// The wait doubles from 0.5 s to 200 s and is up to a half longer, so that phones that failed together do not come back together.
  /// Where more was asked for, it is as long as that and up to a tenth longer: whoever asks for no pause, again and again, gets one.
  ///
  /// - Parameters:
  ///   - askedSeconds: what `Retry-After` says; nil: nothing.
  ///   - randomness: 0…1.
  /// - Returns: seconds to wait, and whether they are those that were asked for.
  mutating func fail(askedSeconds: Double?, randomness: Double) -> (seconds: Double, isAsked: Bool) {
    failures += 1
    let bounds = Self.ownSeconds
    var growing = bounds.lowerBound
    for _ in 0..<min(failures - 1, 20) { growing *= 2 }
    let own = min(growing, bounds.upperBound / 1.5) * (1 + randomness / 2)
    guard let asked = askedSeconds else { return (own, false) }
    let wanted = min(max(0, asked) * (1 + randomness / 10), Self.mostAskedSeconds)
    return wanted < own ? (own, false) : (wanted, true)
  }
}

extension UploadAnswer {
  /// What `Retry-After` asks for, in seconds (RFC 9110 §10.2.3): a number, or a date. A date is counted from the answer's own
  /// `Date`, since a phone's clock may be wrong by years; nil where there is none or it is neither.
  ///
  /// - Parameter wallMicroseconds: the phone's clock, where the answer has no date.
  func retryAfterSeconds(wallMicroseconds: Int64) -> Double? {
    guard let retryAfter, let text = Self.trimmed(retryAfter) else { return nil }
    if text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) {
      return Double(text)
    }
    guard let then = HTTPDate.seconds(text) else { return nil }
    let now = date.flatMap(Self.trimmed).flatMap(HTTPDate.seconds) ?? wallMicroseconds / 1_000_000
    return Double(max(0, then - now))
  }

  private static func trimmed(_ text: String) -> String? {
    let words = text.split { $0 == " " || $0 == "\t" }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }
}

/// A date of HTTP in its one form that is not obsolete, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7). The two
/// obsolete forms are taken for no date.
enum HTTPDate {
  /// Seconds since 1970; nil for anything else.
  static func seconds(_ text: String) -> Int64? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[0].count == 4, words[0].hasSuffix(","), words[5] == "GMT",
      let day = number(words[1], digits: 2), (1...31).contains(day),
      let month = months.firstIndex(of: String(words[2])), let year = number(words[3], digits: 4)
    else { return nil }
    let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
    guard time.count == 3, let hour = number(time[0], digits: 2), hour < 24,
      let minute = number(time[1], digits: 2), minute < 60, let second = number(time[2], digits: 2), second <= 60
    else { return nil }
    return days(year: year, month: Int64(month) + 1, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func number(_ text: Substring, digits: Int) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }

  /// Days since 1970 in the Gregorian calendar. Years are counted from March, so that a leap day is a year's last.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let monthFromMarch = month <= 2 ? month + 9 : month - 3
    let leapDays = yearFromMarch / 4 - yearFromMarch / 100 + yearFromMarch / 400
    return yearFromMarch * 365 + leapDays + (153 * monthFromMarch + 2) / 5 + day - 719_469
  }
}
