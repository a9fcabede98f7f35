import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import Testing

@Suite struct `Groups` {
  private func groups(
    _ sessions: [WorldSession], by field: String, _ zone: String = "UTC", minimumCount: Int = 1
  ) throws -> [(name: String, sessions: Int)] {
    let scope = ReportScope(
      timeZone: try ReportTimeZone(named: zone), groupBy: try SessionField(argument: field), minimumCount: minimumCount)
    let report = try StoredWorld(sessions).report(scope).report
    let groups = try #require(report.groups)
    let sum = groups.map(\.counts).reduce(FunnelCounts(), +)
    #expect(sum.withoutQuantiles == report.total.withoutQuantiles)
    return groups.map { ($0.name, $0.counts.sessions) }
  }

  private func names(_ groups: [(name: String, sessions: Int)]) -> [String] {
    groups.map { "\($0.name): \($0.sessions)" }
  }

  @Test func `of a context field are ordered by size, and what was not said is one of them`() throws {
    let sessions = ["4.2.0", "4.1.0", "4.1.0", nil, nil, nil, ""].map { version in
      WorldSession("start/2 0 1", context: version.map { ["app_version": $0] } ?? [:])
    }
    #expect(names(try groups(sessions, by: "app_version")) == ["(none): 3", "4.1.0: 2", ": 1", "4.2.0: 1"])
  }

  @Test func `of a property take its text`() throws {
    let sessions = [#"{"tier":"gold"}"#, #"{"tier":1}"#, #"{"tier":null}"#, #"{"o'ther \\ \"q\"":true}"#, nil].map {
      WorldSession("start/2 0 1", properties: $0)
    }
    #expect(names(try groups(sessions, by: "property:tier")) == ["(none): 3", "1: 1", "gold: 1"])
    #expect(names(try groups(sessions, by: #"property:o'ther \ "q""#)) == ["(none): 4", "true: 1"])
  }

  @Test func `of apps and stories go by their names`() throws {
    let sessions = [
      WorldSession("start/1 0"), WorldSession("0", app: "news", story: nil), WorldSession("0", app: "news"),
    ]
    #expect(names(try groups(sessions, by: "app")) == ["news: 2", "shop: 1"])
    #expect(names(try groups(sessions, by: "story_id")) == ["spring-sale: 2", "(none): 1"])
  }

  @Test func `are told apart by their bytes, as the database does`() throws {
    // One accent, written in two ways: Swift takes the texts for equal.
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    let sessions = [
      WorldSession("start/1 0", app: composed, story: composed),
      WorldSession("start/1 0", app: decomposed, story: decomposed),
      WorldSession("start/1 0", app: decomposed, story: decomposed),
    ]
    for field in ["app", "story_id"] { #expect(try groups(sessions, by: field).map(\.sessions) == [2, 1], "\(field)") }
    let world = try StoredWorld(sessions)
    for (name, count) in [(composed, 1), (decomposed, 2)] {
      #expect(try world.report(ReportScope(apps: [name])).report.total.sessions == count)
      #expect(try world.report(ReportScope(story: .named(name))).report.total.sessions == count)
    }
  }

  @Test func `of environments are told apart by their bytes, too`() throws {
    let world = try StoredWorld(
      ["caf\u{E9}", "cafe\u{301}", "cafe\u{301}"].map { WorldSession("start/1 0", context: ["environment": $0]) })
    let environments = try world.report(ReportScope()).environments
    #expect(environments.map(\.sessions) == [2, 1])
    #expect(environments.map { Array($0.name.utf8) } == [Array("cafe\u{301}".utf8), Array("caf\u{E9}".utf8)])
  }

  @Test func `of days are local days of 23 to 25 hours`() throws {
    let sessions = [
      "2026-10-24T21:59:59.999Z", "2026-10-24T22:00:00Z", "2026-10-25T22:59:59Z", "2026-10-25T23:00:00Z",
    ].map { WorldSession("start/1 0", startedAt: $0) }
    #expect(
      names(try groups(sessions, by: "day", "Europe/Berlin")) == ["2026-10-24: 1", "2026-10-25: 2", "2026-10-26: 1"])
    #expect(names(try groups(sessions, by: "day")) == ["2026-10-24: 2", "2026-10-25: 2"])
    #expect(names(try groups(sessions, by: "hour", "Europe/Berlin")) == ["00: 2", "23: 2"])
  }

  @Test func `of weeks are ISO weeks, of weekdays begin on Monday`() throws {
    let sessions = ["2026-12-31T12:00Z", "2027-01-03T12:00Z", "2027-01-04T12:00Z", "2026-01-01T12:00Z"]
      .map { WorldSession("start/1 0", startedAt: $0) }
    #expect(names(try groups(sessions, by: "week")) == ["2026-W01: 1", "2026-W53: 2", "2027-W01: 1"])
    #expect(names(try groups(sessions, by: "weekday")) == ["Monday: 1", "Thursday: 2", "Sunday: 1"])
  }

  @Test func `hold fallbacks, and no sessions that showed nothing`() throws {
    let sessions = [
      WorldSession("fallback", context: ["locale": "de"]), WorldSession("media", context: ["locale": "fr"]),
    ]
    #expect(names(try groups(sessions, by: "locale")) == ["de: 0"])
  }

  @Test func `hide rates of few presentations`() throws {
    let world = try StoredWorld(
      [WorldSession("start/1 0 finish"), WorldSession("start/1 0"), WorldSession("start/1 0", story: "autumn")])
    let funnel = try world.report(ReportScope(groupBy: try SessionField(argument: "story_id"), minimumCount: 2))
    let rates = try #require(funnel.report.groups).map { funnel.report.rates(of: $0.counts) }
    #expect(rates.map(\.completion.value) == [0.5, nil])
    #expect(funnel.report.rates.completion.value != nil)
    for format in FunnelFormat.allCases { #expect(!format.render(funnel).contains("nan")) }
  }

  @Test(arguments: ["", "colour", "property:", "properties", "Day", "app_version ", "\u{1B}"])
  func `by what is not there are answered with what is`(_ field: String) throws {
    let error = try #require(throws: ReportError.self) { try SessionField(argument: field) }
    #expect(error.kind == .usage && error.description.contains("campaign_id, device_id"))
  }

  @Test func `beyond what anyone reads are refused`() throws {
    let world = try StoredWorld([WorldSession("start/1 0")])
    try world.execute(
      """
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, device_id)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 1, now(), now(), 0, 0, i::text FROM generate_series(1, 10001) i;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 0, 5, now() FROM generate_series(1, 10001) i;
      """)
    let error = try #require(throws: ReportError.self) {
      try world.report(ReportScope(groupBy: try SessionField(argument: "device_id")))
    }
    #expect(error.kind == .usage && error.description.contains("10000"))
    #expect(try world.report().report.total.fallbacks == 10_001)
  }
}

extension FunnelCounts {
  /// Quantiles do not add up; everything else does.
  var withoutQuantiles: FunnelCounts {
    var counts = self
    for page in counts.pages.indices {
      counts.pages[page].dwell = DwellSummary(count: counts.pages[page].dwell.count)
    }
    return counts
  }
}
