/// The days of a time zone as ranges of time: 23, 24 or 25 hours each, without gap or overlap (metrics §1).
///
/// A day begins at the first instant whose local date is that day, or a later one. So a day whose midnight does not exist
/// begins when the clocks have gone forward, a minute that comes twice around midnight changes no bounds, and a day that a
/// country skipped is empty.
package struct LocalDays {
  private let zone: ReportTimeZone
  /// The starts that were worked out so far, in seconds since 1970, by day number.
  private var starts: [Int64: Int64] = [:]
  /// The day that was found last: sessions come nearly in the order of time.
  private var latest: (date: CivilDate, from: Int64, to: Int64)?

  /// Begins with no day worked out.
  package init(_ zone: ReportTimeZone) {
    self.zone = zone
  }

  /// When a day begins, in microseconds since 1970.
  package mutating func startMicroseconds(of date: CivilDate) -> Int64 { startSeconds(of: date) * 1_000_000 }

  /// The day that holds an instant.
  package mutating func date(atMicroseconds microseconds: Int64) -> CivilDate {
    let seconds = microseconds.quotientRoundedDown(by: 1_000_000).quotient
    if let latest, seconds >= latest.from, seconds < latest.to { return latest.date }
    var date = CivilDate(dayNumber: localSeconds(at: seconds).quotientRoundedDown(by: 86_400).quotient)
    while startSeconds(of: date) > seconds { date.dayNumber -= 1 }
    while startSeconds(of: CivilDate(dayNumber: date.dayNumber + 1)) <= seconds { date.dayNumber += 1 }
    latest = (date, startSeconds(of: date), startSeconds(of: CivilDate(dayNumber: date.dayNumber + 1)))
    return date
  }

  /// The hour that the local clock shows at an instant, 0–23.
  package func hour(atMicroseconds microseconds: Int64) -> Int {
    let seconds = microseconds.quotientRoundedDown(by: 1_000_000).quotient
    return Int(localSeconds(at: seconds).quotientRoundedDown(by: 86_400).remainder / 3_600)
  }

  private func localSeconds(at seconds: Int64) -> Int64 { seconds + zone.offsetSeconds(atSecondsSince1970: seconds) }

  private mutating func startSeconds(of date: CivilDate) -> Int64 {
    if let known = starts[date.dayNumber] { return known }
    let start = findStartSeconds(of: date)
    starts[date.dayNumber] = start
    return start
  }

  private func findStartSeconds(of date: CivilDate) -> Int64 {
    let midnight = date.dayNumber * 86_400
    // Zones are at most 15 hours off UTC, and have been at most 16.
    var earliest = midnight - 17 * 3_600
    let latest = midnight + 17 * 3_600
    let offset = zone.offsetSeconds(atSecondsSince1970: earliest)
    if offset == zone.offsetSeconds(atSecondsSince1970: latest),
      offset == zone.offsetSeconds(atSecondsSince1970: midnight - offset)
    {
      return midnight - offset
    }
    // The clocks change nearby. In steps of a quarter of an hour to the first that is within the day, then by halves:
    // clocks are changed at most once in a quarter.
    while earliest < latest, localSeconds(at: earliest + 900) < midnight { earliest += 900 }
    var before = earliest
    var within = earliest + 900
    while within - before > 1 {
      let middle = before + (within - before) / 2
      if localSeconds(at: middle) < midnight { before = middle } else { within = middle }
    }
    return within
  }
}
