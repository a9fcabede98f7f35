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
        try GroupField(argument: $0)
      }
    let zones = try ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe"].map {
      try ReportTimeZone(named: $0)
    }
    for number in 0..<50 {
      let sessions = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        session(story: "world-\(number)", &random)
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
    let sessions = (0..<300).map { _ in session(story: "spring-sale", &random) }
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

  /// Anything that a phone, a lossy way and a strange sender can make of a story.
  private func session(story: String, _ random: inout SeededGenerator) -> WorldSession {
    let pageCount = Int.random(in: 1...5, using: &random)
    let losses: [Double] = [0, 0, 0.1, 0.4]
    let loss = losses.randomElement(using: &random) ?? 0
    var session = WorldSession("", app: Bool.random(using: &random) ? "shop" : "news", story: story)
    session.startedAt =
      "2026-\(Int.random(in: 10...11, using: &random))-\(Int.random(in: 10...28, using: &random))T"
      + "\(Int.random(in: 10...23, using: &random)):\(Int.random(in: 10...59, using: &random)):00Z"
    for field in ["app_version", "locale", "environment"] where Bool.random(using: &random) {
      session.context[field] = ["a", "b", "c"].randomElement(using: &random)
    }
    if Bool.random(using: &random) { session.properties = #"{"tier": \#(Int.random(in: 0...2, using: &random))}"# }
    session.hasSuspectClock = Int.random(in: 0..<10, using: &random) == 0
    var page = -1
    var milliseconds = 0.0
    for seq in 0..<Int.random(in: 1...14, using: &random) {
      milliseconds += Double(Int.random(in: -300...6_000, using: &random))
      var event = WorldEvent(seq: seq, type: .start, number: pageCount, milliseconds: milliseconds)
      if seq > 0 || Int.random(in: 0..<8, using: &random) == 0 {
        switch Int.random(in: 0..<24, using: &random) {
        case 0..<10: page += 1
        case 10..<13: page = max(0, page - 1)
        case 13: page = 0
        case 14: page = Int.random(in: 0...6, using: &random)
        case 15..<18: event.type = .actionTap
        case 18, 19: event.type = .finish
        case 20: event.type = .dismiss
        case 21: event.type = .fallback
        case 22: event.type = .richMediaClosed
        case _: event.number = Int.random(in: 1...6, using: &random)
        }
        let isAnotherStart = event.number != pageCount
        if !isAnotherStart && event.type == .start { event.type = .pageShown }
        if event.type == .pageShown || event.type == .actionTap {
          event.number =
            event.type == .actionTap && Bool.random(using: &random)
            ? Int.random(in: 0...5, using: &random) : max(0, page)
        } else if event.type != .start {
          event.number = nil
        }
      }
      if event.type == .pageShown, Bool.random(using: &random) {
        event.durationSeconds = Double(Int.random(in: 1...50, using: &random)) / 10
      }
      if event.type == .start, Bool.random(using: &random) {
        event.pageDurations = (0..<pageCount).map { _ in
          Bool.random(using: &random) ? Double(Int.random(in: 1...50, using: &random)) / 10 : nil
        }
      }
      if Double.random(in: 0..<1, using: &random) >= loss { session.events.append(event) }
    }
    return session
  }
}
