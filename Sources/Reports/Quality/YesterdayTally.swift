import LocalTime

/// How much of yesterday and of earlier days had arrived by the same time after their end (docs/quality.md §5).
struct YesterdayTally {
  /// The sessions of a day.
  private struct Day {
    /// A session that was received up to this instant had arrived, in microseconds since 1970.
    var deadlineMicroseconds: Int64
    var arrived = 0
    var sessions = 0
  }

  private let yesterday: Int64
  private let nowMicroseconds: Int64
  private let endMicroseconds: Int64
  /// By how many days it lies before yesterday; yesterday itself is the first.
  private var days: [Day] = []

  /// All days that are looked at, in microseconds since 1970.
  let window: TimeRange

  /// Looks at yesterday as seen from an instant in a zone.
  init(_ zone: ReportTimeZone, nowMicroseconds: Int64) {
    var calendar = LocalDays(zone)
    let today = calendar.date(atMicroseconds: nowMicroseconds).dayNumber
    yesterday = today - 1
    self.nowMicroseconds = nowMicroseconds
    endMicroseconds = calendar.startMicroseconds(of: CivilDate(dayNumber: today))
    let elapsed = nowMicroseconds - endMicroseconds
    for number in 0...YesterdayEstimate.daysLeftOut + YesterdayEstimate.mostDays {
      let end = calendar.startMicroseconds(of: CivilDate(dayNumber: today - Int64(number)))
      days.append(Day(deadlineMicroseconds: end + elapsed))
    }
    let first = CivilDate(dayNumber: today - Int64(days.count))
    window = TimeRange(
      fromMicroseconds: calendar.startMicroseconds(of: first), toMicroseconds: endMicroseconds)
  }

  /// When yesterday began and ended, in microseconds since 1970.
  func range(in zone: ReportTimeZone) -> Range<Int64> {
    var calendar = LocalDays(zone)
    let start = calendar.startMicroseconds(of: CivilDate(dayNumber: yesterday))
    return min(start, endMicroseconds)..<endMicroseconds
  }

  /// Counts a story session; days that are not looked at are passed over.
  mutating func count(dayNumber: Int64, arrivedAtMicroseconds: Int64) {
    let (number, overflows) = yesterday.subtractingReportingOverflow(dayNumber)
    guard !overflows, number >= 0, number < days.count else { return }
    days[Int(number)].sessions += 1
    if arrivedAtMicroseconds <= days[Int(number)].deadlineMicroseconds { days[Int(number)].arrived += 1 }
  }

  /// - Parameter dataThroughMicroseconds: the newest arrival among the apps of the scope; nil for none.
  func estimate(dataThroughMicroseconds: Int64?) -> YesterdayEstimate {
    var earlier: [ArrivedShare] = []
    for number in days.indices.dropFirst(1 + YesterdayEstimate.daysLeftOut) {
      guard days[number].sessions >= YesterdayEstimate.leastSessions else { continue }
      earlier.append(
        ArrivedShare(
          day: CivilDate(dayNumber: yesterday - Int64(number)).text, arrived: days[number].arrived,
          sessions: days[number].sessions))
    }
    var estimate = YesterdayEstimate(
      day: CivilDate(dayNumber: yesterday).text, sessionsSoFar: days[0].sessions,
      secondsSinceItsEnd: Int((nowMicroseconds - endMicroseconds) / 1_000_000), earlierDays: earlier)
    if (dataThroughMicroseconds ?? .min) < endMicroseconds {
      estimate.obstacle = .nothingArrived
    } else if earlier.count < YesterdayEstimate.leastDays {
      estimate.obstacle = .tooFewDays
    } else {
      let shares = earlier.map(\.share).sorted()
      estimate.share = shares[(shares.count + 1) / 2 - 1]
      estimate.lowestShare = shares.first
      estimate.highestShare = shares.last
    }
    return estimate
  }
}
