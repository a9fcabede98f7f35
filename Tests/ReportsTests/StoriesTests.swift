import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import TestSupport
import Testing

extension StoredWorld {
  /// The stories of a scope, seen from 2026-11-30T03:00:00Z.
  func stories(
    _ scope: ReportScope = ReportScope(), order: StoriesOrder = StoriesOrder(), limit: Int? = nil
  ) throws -> StoriesReport {
    var connection = try connect()
    return try StoriesReporter.run(
      scope, order: order, limit: limit, on: &connection, nowMicroseconds: reportTimeMicroseconds)
  }
}

/// The devices of sessions, once more.
func naiveDevices(_ sessions: [WorldSession]) -> DeviceCounts {
  let devices = NaiveFunnel(sessions).sessions.compactMap { $0.context["device_id"] }
  return DeviceCounts(distinct: Set(devices).count, presentationsWithDevice: devices.count)
}

@Suite struct `Stories` {
  @Test func `of random worlds have the numbers of the naive definitions`() throws {
    let seed = UInt64.random(in: .min ... .max)
    print("stories: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let sessions = (0..<200).map { _ in RandomSession.draw(story: nil, &random) }
    let world = try StoredWorld(sessions)
    for zone in ["UTC", "America/Sao_Paulo"] {
      let naive = NaiveCondition(zone: zone)
      let report = try world.stories(ReportScope(timeZone: try ReportTimeZone(named: zone), countsDevices: true))
      func key(_ session: WorldSession) -> String { session.app + " " + (session.story ?? "(none)") }
      let byStory = Dictionary(grouping: NaiveFunnel(sessions).sessions, by: key)
      #expect(report.stories.count == byStory.count)
      for line in report.stories {
        let own = try #require(byStory[(line.app ?? "?") + " " + (line.story ?? "(none)")])
        try check(line, own, report.days, naive, "\(seed)")
      }
      try check(report.total, sessions, report.days, naive, "\(seed)")
      #expect(report.stories.map(\.counts.sessions) == report.stories.map(\.counts.sessions).sorted(by: >))
      let counted = try NaiveFunnel(sessions).sessions.filter { $0.isStorySession }.map {
        try #require(try naive.value(of: "day", $0))
      }
      #expect(report.days.first == counted.min() && report.days.last == counted.max())
      #expect(report.days == report.days.sorted() && Set(report.days).isSuperset(of: counted))
    }
  }

  private func check(
    _ line: StoryLine, _ sessions: [WorldSession], _ days: [String], _ naive: NaiveCondition, _ seed: String
  ) throws {
    var expected = NaiveFunnel(sessions).counts
    #expect(line.pageCount == expected.pages.count)
    expected.pages = []
    #expect(line.counts == expected, "seed \(seed)")
    #expect(line.devices == naiveDevices(sessions), "seed \(seed)")
    let shown = try NaiveFunnel(sessions).sessions.filter { $0.isStorySession }.map { try naive.value(of: "day", $0) }
    #expect(line.sessionsByDay == days.map { day in shown.filter { $0 == day }.count }, "seed \(seed)")
    let starts = try NaiveFunnel(sessions).sessions.map { try naive.value(of: "day", $0) ?? "" }
    #expect(line.firstSeen.hasPrefix(starts.min() ?? "?") && line.lastSeen.hasPrefix(starts.max() ?? "?"))
  }

  @Test func `are told apart by app and by their bytes, and those without a name are one`() throws {
    let world = try StoredWorld(
      [
        ("shop", "caf\u{E9}"), ("shop", "cafe\u{301}"), ("news", "caf\u{E9}"), ("shop", nil), ("shop", "(none)"),
        ("shop", ""),
      ]
      .map { WorldSession("start/1 0", app: $0.0, story: $0.1) })
    let report = try world.stories()
    #expect(
      report.stories.map { "\($0.app ?? "?") \($0.story ?? "–") \($0.counts.sessions)" }
        == ["shop – 2", "news caf\u{E9} 1", "shop  1", "shop cafe\u{301} 1", "shop caf\u{E9} 1"])
    #expect(report.total.counts.sessions == 6)
  }

  @Test func `count the same by filters and ranges as funnels do`() throws {
    var random = SeededGenerator(seed: 3)
    let world = try StoredWorld((0..<150).map { _ in RandomSession.draw(story: nil, &random) })
    var scope = ReportScope(
      apps: ["shop"],
      range: try TimeRange(
        from: "2026-10-15", to: "2026-11-20", timeZone: .utc, nowMicroseconds: reportTimeMicroseconds),
      countsDevices: true)
    scope.add(try SessionFilter(argument: "locale!=a,tapped=yes").conditions)
    let report = try world.stories(scope)
    let funnel = try world.report(scope)
    var expected = funnel.report.total
    expected.pages = []
    #expect(report.total.counts == expected && expected.sessions > 0)
    #expect(report.total.devices == funnel.report.devices)
    #expect(report.scope == funnel.report.scope)
    #expect(report.scope.filters == ["locale!=a", "tapped=yes"])
  }

  @Test(arguments: StoriesOrder.Column.allCases, [false, true])
  func `are sorted by any column, either way, what is not there last`(column: StoriesOrder.Column, isReversed: Bool)
    throws
  {
    let world = try Self.sorting
    let argument = (isReversed ? "-" : "") + column.rawValue
    let report = try world.stories(ReportScope(countsDevices: true), order: StoriesOrder(argument: argument))
    func number(_ line: StoryLine) -> Double? {
      let rates = report.rates(of: line)
      switch column {
      case .app, .story: return nil
      case .presentations: return Double(line.counts.presentations)
      case .sessions: return Double(line.counts.sessions)
      case .fallbackRate: return rates.fallback.value
      case .completionRate: return rates.completion.value
      case .reachedLastRate: return rates.reachedLast.value
      case .tapRate: return rates.tap.value
      case .pages: return Double(line.pageCount)
      case .firstSeen: return Double(line.firstSeen.filter(\.isNumber))
      case .lastSeen: return Double(line.lastSeen.filter(\.isNumber))
      case .devices: return line.devices.map { Double($0.distinct) }
      case .deviceShare: return line.devices?.share(ofPresentations: line.counts.presentations).value
      }
    }
    let numbers = report.stories.map(number)
    let present = numbers.compactMap { $0 }
    #expect(present == present.sorted(by: isReversed ? { $0 < $1 } : { $0 > $1 }))
    #expect(numbers.prefix(present.count).allSatisfy { $0 != nil })
    if column == .app || column == .story {
      let names = report.stories.map { (column == .app ? $0.app : $0.story) ?? "(none)" }
      #expect(names == names.sorted(by: isReversed ? { $0 > $1 } : { $0 < $1 }))
    }
  }

  private static var sorting: StoredWorld {
    get throws {
      var random = SeededGenerator(seed: 5)
      return try StoredWorld(
        (0..<60).map { _ in RandomSession.draw(story: nil, &random) } + [
          WorldSession("fallback", story: "only-fallback")
        ])
    }
  }

  @Test func `beyond the limit are in the total`() throws {
    let world = try Self.sorting
    let all = try world.stories()
    let some = try world.stories(limit: 2)
    #expect(some.stories == Array(all.stories.prefix(2)))
    #expect(some.hiddenStories == all.stories.count - 2 && some.total == all.total)
    #expect(try world.stories(limit: 1_000).hiddenStories == 0)
    for format in [FunnelFormat.table, .markdown] { #expect(format.render(some).contains("not shown (--limit)")) }
    let hidden = try JSONValue(text: FunnelFormat.json.render(some).utf8)["hidden_stories"]
    #expect(hidden == .integer(Int64(some.hiddenStories)))
  }

  @Test func `of a very long time show its latest days, and count the others all the same`() throws {
    let world = try StoredWorld(
      [
        "0001-06-01T10:00:00Z", "1999-01-01T10:00:00Z", "2024-03-06T10:00:00Z", "2024-03-07T10:00:00Z",
        "2026-12-01T10:00:00Z",
      ]
      .map { WorldSession("start/1 0", startedAt: $0) } + [
        WorldSession("start/1 0", story: "old", startedAt: "1970-01-01T00:00:00Z")
      ])
    let report = try world.stories()
    #expect(report.days.count == 1_000 && report.days.first == "2024-03-07" && report.days.last == "2026-12-01")
    #expect(report.total.sessionsByDay.reduce(0, +) == 2 && report.total.counts.sessions == 6)
    #expect(report.total.firstSeen == "0001-06-01T10:00:00Z")
    #expect(report.stories.map(\.counts.sessions) == [5, 1])
    for columns in [80, 200] {
      let table = FunnelFormat.table.render(report, style: TextStyle(columns: columns))
      #expect(table.contains("days a column"), "\(table)")
    }
  }

  @Test func `of nothing are empty and say so`() throws {
    let world = try StoredWorld()
    #expect(try world.stories().explanation == "No app has sent anything yet.")
    try world.store([WorldSession("start/1 0"), WorldSession("media", story: "only-media")])
    let scope = ReportScope(conditions: try SessionFilter(argument: "locale=fr").conditions, countsDevices: true)
    let empty = try world.stories(scope)
    #expect(empty.isEmpty && empty.stories == [] && empty.days == [] && empty.explanation?.contains("widen") == true)
    for format in FunnelFormat.allCases { #expect(!format.render(empty).isEmpty) }
    #expect(try world.stories().stories.map(\.story) == ["spring-sale"])
    for (scope, words) in [
      (ReportScope(story: .named("autumn")), "there is no story 'autumn'; there is 'spring-sale', 'only-media'"),
      (ReportScope(apps: ["nwes"]), "there is no app 'nwes'"),
    ] {
      let error = try #require(throws: ReportError.self) { try world.stories(scope) }
      #expect(error.kind == .usage && error.description.contains(words.prefix(20)))
    }
    for column in ["", "-", "colour", "--sessions", "Sessions"] {
      let error = try #require(throws: ReportError.self) { try StoriesOrder(argument: column) }
      #expect(error.description.contains("completion_rate, reached_last_rate"))
    }
    let error = try #require(throws: ReportError.self) { try world.stories(order: StoriesOrder(.devices)) }
    #expect(error.description.contains("--devices"))
  }

  @Test func `beyond ten thousand are refused with what to do`() throws {
    let world = try StoredWorld([WorldSession("start/1 0")])
    try world.execute(
      """
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, story_id)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 1, now(), now(), 0, 0, i::text FROM generate_series(1, 9999) i;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 0, 5, now() FROM generate_series(1, 10000) i;
      """)
    #expect(try world.stories().stories.count == 10_000)
    try world.execute(
      """
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, story_id)
        VALUES ('10000000-0000-0000-0000-000000010000', 1, now(), now(), 0, 0, 'one more');
      """)
    let error = try #require(throws: ReportError.self) { try world.stories() }
    #expect(error.kind == .usage && error.description.contains("--from"))
  }
}

extension WorldSession {
  var isStorySession: Bool { has(.start) || has(.pageShown) || has(.actionTap) || has(.finish) }
}
