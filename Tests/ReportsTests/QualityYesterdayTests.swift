import LocalTime
import TestSupport
import Testing

@testable import Reports

@Suite struct `How complete yesterday is` {
  /// Sessions of a UTC day that started at noon, with delays in hours.
  private static func day(_ day: CivilDate, hours delays: [Double]) -> [QualityWorld.Session] {
    delays.map { hours in
      QualityWorld.Session(
        session: WorldSession("start/1 0", startedAt: "\(day.text)T12:00:00Z"),
        delayMicroseconds: Int64(hours * 3_600_000_000))
    }
  }

  private static let today = CivilDate(year: 2026, month: 11, day: 30) ?? CivilDate(dayNumber: 0)

  private static func before(_ days: Int) -> CivilDate { CivilDate(dayNumber: today.dayNumber - Int64(days)) }

  @Test func `is judged by what had arrived of earlier days at the same time after their end`() throws {
    // It is 03:00: sessions of noon had 15 hours to arrive.
    var sessions = Self.day(Self.before(1), hours: Array(repeating: 1, count: 90))
    for number in 2...12 {
      let late = number < 4 ? 10 : number
      sessions += Self.day(Self.before(number), hours: Array(repeating: 15, count: 100 - late))
      sessions += Self.day(Self.before(number), hours: Array(repeating: 15.001, count: late))
    }
    sessions += Self.day(Self.before(13), hours: Array(repeating: 99, count: 9))
    let world = try QualityWorld(sessions)
    for range in [TimeRange.allTime, try .days("2026-11-29", "2026-11-29"), try .days("2026-11-25", "2026-12-05")] {
      let report = try world.report(ReportScope(range: range))
      let estimate = try #require(report.yesterday)
      #expect(estimate.day == "2026-11-29" && estimate.sessionsSoFar == 90 && estimate.secondsSinceItsEnd == 3 * 3_600)
      // The two days before yesterday are left out, and the one with nine sessions.
      #expect(estimate.earlierDays.map(\.arrived) == [96, 95, 94, 93, 92, 91, 90, 89, 88])
      #expect(estimate.share == 0.92 && estimate.lowestShare == 0.88 && estimate.highestShare == 0.96)
      #expect(estimate.expectedSessions == 8 && estimate.fewestExpectedSessions == 4)
      #expect(estimate.mostExpectedSessions == 12)
      #expect(
        QualityText(report).yesterday(estimate)
          == "Yesterday (2026-11-29) has 90 sessions so far; of 9 earlier days 92.0% (88.0% to 96.0%) had arrived by "
          + "this time, so about 8 more (4 to 12) are to be expected.")
      #expect(report.verdict.contains { $0.code == .yesterdayIncomplete && $0.severity == .notable })
    }
    // At noon all had arrived.
    let noon = try world.report(nowMicroseconds: try instant("2026-11-30T12:00:00Z"))
    #expect(noon.yesterday?.share == 1 && noon.yesterday?.expectedSessions == 0)
    #expect(!noon.verdict.contains { $0.code == .yesterdayIncomplete })
  }

  @Test func `cannot be told from few days, nor where nothing arrives, and is not asked of other ranges`() throws {
    let sessions = (1...8).flatMap { Self.day(Self.before($0), hours: Array(repeating: 1, count: 10)) }
    let world = try QualityWorld(sessions)
    let estimate = try #require(try world.report().yesterday)
    #expect(estimate.obstacle == .tooFewDays && estimate.earlierDays.count == 5 && estimate.share == nil)
    #expect(QualityText(try world.report()).yesterday(estimate).hasSuffix("10 sessions each, and there are 5."))
    #expect(try world.report(ReportScope(range: try .days("2026-11-01", "2026-11-28"))).yesterday == nil)
    #expect(try world.report(ReportScope(range: try .days("2026-11-30", "2026-11-30"))).yesterday == nil)
    let later = try world.report(nowMicroseconds: try instant("2026-12-05T03:00:00Z"))
    #expect(later.yesterday?.obstacle == .nothingArrived && later.yesterday?.sessionsSoFar == 0)
    #expect(later.verdict.first?.code == .nothingArrives)
    let long = try world.report(
      ReportScope(range: try .days("2026-11-01", "2026-11-28")), nowMicroseconds: try instant("2026-12-05T03:00:00Z"))
    #expect(!long.verdict.contains { $0.code == .nothingArrives })
  }

  @Test(arguments: [
    ("Europe/Berlin", "2026-10-26T02:30:00Z"), ("Europe/Berlin", "2026-10-25T22:30:00Z"),
    ("America/Sao_Paulo", "2026-11-01T05:00:00Z"), ("Australia/Lord_Howe", "2026-10-05T00:00:00Z"),
    ("America/New_York", "2026-11-02T05:00:00Z"), ("UTC", "2026-11-01T23:59:59Z"),
  ])
  func `agrees with a plain count, on days of 23 to 25 hours`(_ zone: String, _ now: String) throws {
    let zone = try ReportTimeZone(named: zone)
    let now = try instant(now)
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    let sessions = (0..<2_000).map { _ in
      let start = now - Int64.random(in: 0...(40 * 86_400), using: &random) * 1_000_000
      return QualityWorld.Session(
        session: WorldSession(
          Int.random(in: 0..<20, using: &random) == 0 ? "fallback" : "start/1 0",
          startedAt: TimestampText.rfc3339(start, in: .utc)),
        delayMicroseconds: min(now - start, Int64.random(in: 0...(30 * 3_600), using: &random) * 1_000_000))
    }
    let world = try QualityWorld(sessions)
    try world.world.execute("UPDATE pagefall.apps SET data_through = 'infinity'")
    let estimate = try #require(
      try world.report(
        ReportScope(range: TimeRange(fromMicroseconds: now - 86_400_000_000 * 5, toMicroseconds: nil), timeZone: zone),
        nowMicroseconds: now
      ).yesterday)
    // Each day by itself, by its bounds alone.
    var calendar = LocalDays(zone)
    let yesterday = calendar.date(atMicroseconds: now).dayNumber - 1
    func bounds(_ day: Int64) -> Range<Int64> {
      calendar.startMicroseconds(
        of: CivilDate(dayNumber: day))..<calendar.startMicroseconds(of: CivilDate(dayNumber: day + 1))
    }
    func ofDay(_ day: Int64) -> [QualityWorld.Session] {
      let bounds = bounds(day)
      return sessions.filter { $0.isStorySession && bounds.contains($0.startedAtMicroseconds) }
    }
    let elapsed = now - bounds(yesterday).upperBound
    var shares: [Double] = []
    for day in stride(from: yesterday - 3, through: yesterday - 30, by: -1) {
      let own = ofDay(day)
      let arrived = own.filter { $0.arrivedAtMicroseconds <= bounds(day).upperBound + elapsed }
      if own.count >= 10 { shares.append(Double(arrived.count) / Double(own.count)) }
    }
    #expect(estimate.sessionsSoFar == ofDay(yesterday).count, "seed \(seed)")
    #expect(estimate.earlierDays.map(\.share) == shares, "seed \(seed)")
    #expect(shares.count == 28)
    #expect(estimate.share == shares.sorted()[13], "seed \(seed)")
    #expect(estimate.lowestShare == shares.min() && estimate.highestShare == shares.max(), "seed \(seed)")
  }
}

@Suite struct `A histogram of delays` {
  @Test func `is exact for few lengths, and within a hundredth for many`() throws {
    var histogram = DelayHistogram()
    var values: [Int64] = []
    for number in 1...20_000 {
      let value = Int64(number) * 7_919_119 % 200_000_000_003
      values.append(value)
      histogram.add(value)
      guard number == DelayHistogram.mostExactLengths || number == 20_000 else { continue }
      let sorted = values.sorted()
      for percent in [50, 90, 99] {
        let truth = Double(sorted[(sorted.count * percent + 99) / 100 - 1]) / 1_000_000
        let found = try #require(histogram.seconds(atPercent: percent))
        #expect(abs(found - truth) <= (number == 20_000 ? truth * 0.004 : 0), "\(percent)")
      }
    }
  }

  @Test func `adds up, whichever of two is coarse, and holds any number`() {
    var fine = DelayHistogram()
    var coarse = DelayHistogram()
    var whole = DelayHistogram()
    for value in 0..<Int64(DelayHistogram.mostExactLengths + 10) {
      coarse.add(value * 31)
      whole.add(value * 31)
    }
    for value in [0, 1, -5, Int64.max, Int64.min, 127, 128, 255, 256, 257] {
      fine.add(value)
      whole.add(value)
    }
    var left = fine
    left.add(coarse)
    var right = coarse
    right.add(fine)
    for percent in [1, 50, 99, 100] {
      #expect(left.seconds(atPercent: percent) == whole.seconds(atPercent: percent))
      #expect(right.seconds(atPercent: percent) == whole.seconds(atPercent: percent))
    }
    #expect(left.count == whole.count && right.count == whole.count)
    #expect(DelayHistogram().seconds(atPercent: 50) == nil)
  }
}
