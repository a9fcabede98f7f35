import FunnelDocument
import LocalTime
import TestSupport
import Testing

@testable import Reports

@Suite struct `The quality of random worlds` {
  @Test func `is that of the naive definitions, and of funnels`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("the quality of random worlds: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let world = try QualityWorld()
    let zones = try ["UTC", "Europe/Berlin", "America/Sao_Paulo"].map { try ReportTimeZone(named: $0) }
    for number in 0..<25 {
      let sessions = (0..<Int.random(in: 1...40, using: &random)).map { _ in
        Self.session(story: "world-\(number)", &random)
      }
      try world.store(sessions)
      let zone = zones[number % zones.count]
      var scope = ReportScope(story: .named("world-\(number)"), timeZone: zone)
      if number.isMultiple(of: 3) { scope.range = try .days("2026-10-20", "2026-11-20", zone) }
      if number.isMultiple(of: 4) { scope.add(try SessionFilter(argument: "app_version!=b").conditions) }
      if number.isMultiple(of: 5) { scope.add(try SessionFilter(argument: "missing_events=yes").conditions) }
      let chosen = sessions.filter { session in
        let start = session.startedAtMicroseconds
        return start >= scope.range.fromMicroseconds ?? .min && start < scope.range.toMicroseconds ?? .max
          && !(number.isMultiple(of: 4) && session.session.context["app_version"] == "b")
          && !(number.isMultiple(of: 5) && !session.isLossy)
      }
      try expect(try world.report(scope), of: chosen, try world.world.report(scope), zone, "world \(number) of \(seed)")
    }
    try expect(try world.report(), of: world.sessions, try world.world.report(), .utc, "all worlds of \(seed)")
  }

  private func expect(
    _ report: QualityReport, of sessions: [QualityWorld.Session], _ funnel: Funnel, _ zone: ReportTimeZone,
    _ comment: Comment
  ) throws {
    let naive = NaiveFunnel(sessions.map(\.session)).counts
    #expect(report.presentations == naive.presentations && report.total.sessions == naive.sessions, comment)
    #expect(report.total.completeness == naive.completeness, comment)
    #expect(report.total.completeness == funnel.report.total.completeness, comment)
    for version in report.versions {
      let own = sessions.map(\.session).filter {
        $0.app == version.name?.app && $0.context["app_version"] == version.name?.version
      }
      #expect(version.faults.completeness == NaiveFunnel(own).counts.completeness, comment)
    }
    var calendar = LocalDays(zone)
    for day in report.days {
      let own = sessions.filter { calendar.date(atMicroseconds: $0.startedAtMicroseconds).text == day.day }
      #expect(day.faults.completeness == NaiveFunnel(own.map(\.session)).counts.completeness, comment)
      #expect(day.delay == Self.delay(own), comment)
    }
    #expect(report.delay == Self.delay(sessions), comment)
    let fallbacks = sessions.filter { $0.session.events.contains { $0.type == .fallback } }.count
    #expect(report.fallbacks.map(\.presentations).reduce(0, +) == fallbacks, comment)
    let offsets = sessions.filter { $0.isStorySession && $0.clockOffsetMicroseconds != 0 }
    #expect(report.clocks.sessions == offsets.count, comment)
  }

  private static func delay(_ sessions: [QualityWorld.Session]) -> ArrivalDelay {
    let delays = sessions.filter { $0.isStorySession && !$0.session.hasSuspectClock }.map(\.delayMicroseconds)
    let sorted = delays.map { max(0, $0) }.sorted()
    func quantile(_ share: Double) -> Double? {
      sorted.isEmpty ? nil : Double(sorted[Int((share * Double(sorted.count)).rounded(.up)) - 1]) / 1_000_000
    }
    var delay = ArrivalDelay()
    delay.sessions = sorted.count
    delay.startsAfterArrival = delays.filter { $0 < 0 }.count
    delay.medianSeconds = quantile(0.5)
    delay.ninetiethPercentileSeconds = quantile(0.9)
    delay.ninetyNinthPercentileSeconds = quantile(0.99)
    return delay
  }

  private static func session(story: String, _ random: inout SeededGenerator) -> QualityWorld.Session {
    let words = ["0", "1", "2", "tap/0", "tap/2", "finish", "dismiss", "-", "-", "1@0"]
    var text = [["start/3", "start/3", "start/3", "-", "fallback", "media"].randomElement(using: &random) ?? "start/3"]
    for _ in 0..<Int.random(in: 0...6, using: &random) { text.append(words.randomElement(using: &random) ?? "0") }
    let day = Int.random(in: 10...28, using: &random)
    var session = WorldSession(
      text.joined(separator: " "), app: Bool.random(using: &random) ? "shop" : "news", story: story,
      startedAt: "2026-\(Int.random(in: 10...11, using: &random))-\(day)T"
        + "\(Int.random(in: 10...23, using: &random)):\(Int.random(in: 10...59, using: &random)):00Z")
    if Bool.random(using: &random) { session.context["app_version"] = ["a", "b"].randomElement(using: &random) }
    session.hasSuspectClock = Int.random(in: 0..<10, using: &random) == 0
    return QualityWorld.Session(
      session: session, delayMicroseconds: Int64.random(in: -3_000_000...200_000_000_000, using: &random),
      clockOffsetMicroseconds: Int.random(in: 0..<4, using: &random) == 0
        ? Int64.random(in: -9_000_000_000...9_000_000_000, using: &random) : 0)
  }
}

extension QualityWorld.Session {
  var isStorySession: Bool {
    session.events.contains { [.start, .pageShown, .actionTap, .finish].contains($0.type) }
  }

  /// Lacks an event below its last.
  var isLossy: Bool { (session.events.last?.seq ?? -1) + 1 > session.events.count }
}

extension SessionFaults {
  /// The same numbers as funnels have them.
  var completeness: Completeness {
    Completeness(
      expectedEvents: expectedEvents, missingEvents: missingEvents, sessionsWithoutStart: sessionsWithoutStart,
      orphanTaps: orphanTaps, negativeDwells: negativeDwells, suspectClockSessions: suspectClockSessions)
  }
}
