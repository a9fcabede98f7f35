import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import TestSupport
import Testing

@Suite struct `Random worlds` {
  @Test func `have the numbers of the naive definitions, and add up`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("random worlds: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let world = try StoredWorld()
    var everything: [WorldSession] = []
    let fields = try ["app_version", "locale", "day", "week", "hour", "weekday", "environment", "property:tier", "app"]
      .map {
        try SessionField(argument: $0)
      }
    let zones = try ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe"].map {
      try ReportTimeZone(named: $0)
    }
    for number in 0..<50 {
      let sessions = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        RandomSession.draw(story: "world-\(number)", &random)
      }
      try world.store(sessions)
      everything += sessions
      let scope = ReportScope(
        story: .named("world-\(number)"), timeZone: zones[number % zones.count],
        order: number.isMultiple(of: 2) ? .reached : .strict, groupBy: fields[number % fields.count])
      let report = try world.report(scope).report
      let expected = NaiveFunnel(sessions).counts
      #expect(report.total == expected, "world \(number) of seed \(seed)")
      let sum = (report.groups ?? []).map(\.counts).reduce(FunnelCounts(), +)
      #expect(sum.withoutQuantiles == report.total.withoutQuantiles, "groups of world \(number) of seed \(seed)")
    }
    // Everything at once, which is read by the other way through the tables.
    let total = try world.report().report.total
    #expect(total == NaiveFunnel(everything).counts, "all worlds of seed \(seed)")
  }

  @Test func `have days that add up to the month`() throws {
    var random = SeededGenerator(seed: 7)
    let sessions = (0..<300).map { _ in RandomSession.draw(story: "spring-sale", &random) }
    let world = try StoredWorld(sessions)
    for zone in ["UTC", "Europe/Berlin", "America/Sao_Paulo"] {
      let zone = try ReportTimeZone(named: zone)
      func counts(_ from: String, _ to: String) throws -> FunnelCounts {
        let range = try TimeRange(from: from, to: to, timeZone: zone, nowMicroseconds: reportTimeMicroseconds)
        return try world.report(ReportScope(range: range, timeZone: zone)).report.total
      }
      let month = try counts("2026-10-01", "2026-10-31")
      let days = try (1...31).map { day in
        let day = "2026-10-\(day < 10 ? "0" : "")\(day)"
        return try counts(day, day)
      }
      #expect(month.sessions > 50)
      #expect(days.reduce(FunnelCounts(), +).withoutQuantiles == month.withoutQuantiles)
    }
  }
}
