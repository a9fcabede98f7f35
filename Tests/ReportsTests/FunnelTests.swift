import Foundation
import FunnelDocument
import LocalTime
import Reports
import StoryEvents
import Testing

@Suite struct `A funnel` {
  @Test func `has the numbers of the shared cases`() throws {
    for funnelCase in try FunnelCase.all() {
      let world = try StoredWorld([funnelCase.session])
      let json = try JSONValue(text: FunnelFormat.json.render(try world.report()).utf8)
      for fault in funnelCase.expectation.differences(from: json, at: "") {
        Issue.record("\(funnelCase.name): \(fault)")
      }
    }
  }

  @Test func `has the numbers that the simulator knows`() throws {
    let batches = String(decoding: try Data(contentsOf: Fixtures.url("playback/small-world.ndjson")), as: UTF8.self)
    let world = try StoredWorld(try WorldSession.read(batches: batches))
    let truth = try FunnelReport(text: try Data(contentsOf: Fixtures.url("playback/small-world-truth.json")))
    let report = try world.report(ReportScope(story: .named("seed-message"))).report
    var known = truth.total
    for page in known.pages.indices {
      known.pages[page].title = nil
      known.pages[page].link = nil
    }
    #expect(report.total == known)
  }

  @Test func `reads durations from impressions and from the first start's pages`() throws {
    let world = try StoredWorld([
      WorldSession("start/3[5,?,2] 0@0 1@5000 2@6000"),
      WorldSession("start/3 start/3[9,9,9] 0~1@0 1~9@1000 2@6000"),
      WorldSession("start/3 0@0 1@9000"),
    ])
    let pages = try world.report().report.total.pages
    #expect(pages[0].departures.next == 3)
    #expect(pages[0].departures.nextAuto == 2 && pages[0].departures.nextTap == 0)
    #expect(pages[1].departures.next == 2)
    #expect(pages[1].departures.nextAuto == 0 && pages[1].departures.nextTap == 1)
    #expect(pages[2].departures.nextAuto == nil && pages[2].departures.nextTap == nil)
  }

  @Test func `takes quantiles by nearest rank`() throws {
    let world = try StoredWorld(
      [100, 200.5, 300, 400, 500, 600, 700, 800, 900, 1000, 1100].map { WorldSession("start/2 0@0 1@\($0)") })
    let dwell = try world.report().report.total.pages[0].dwell
    #expect(dwell == DwellSummary(count: 11, medianMilliseconds: 600, ninetiethPercentileMilliseconds: 1_000))
    let even = try StoredWorld([100, 200.5, 300, 400].map { WorldSession("start/2 0@0 1@\($0)") })
    #expect(try even.report().report.total.pages[0].dwell.medianMilliseconds == 200.5)
  }

  @Test func `counts what is incomplete`() throws {
    let world = try StoredWorld([
      WorldSession("start/3 0 - 2"), WorldSession("- 0 tap/2 tap/2"), WorldSession("start/2 0@5000 1@10"),
      WorldSession("start/2 0", hasSuspectClock: true), WorldSession("- - fallback", hasSuspectClock: true),
    ])
    try world.execute(
      """
      INSERT INTO pagefall.apps (name) VALUES ('other');
      INSERT INTO pagefall.device_drops SELECT app_id, d, n, now() FROM pagefall.apps,
        (VALUES ('a', 5), ('b', 7)) v (d, n);
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, body, first_received_at, last_received_at, count)
        SELECT app_id, sha256(v.code::bytea || v.at::bytea), v.code, '', '', v.at::timestamptz, v.at::timestamptz, 9
        FROM pagefall.apps, (VALUES ('invalid_text', '2026-11-29T10:00Z'), ('invalid_text', '2026-11-29T10:01Z'),
          ('invalid_seq', '2026-11-29T10:02Z'), ('invalid_seq', '2026-10-29T10:02Z')) v (code, at);
      """)
    var scope = ReportScope(apps: ["shop"], range: try november())
    let completeness = try world.report(scope).report.total.completeness
    #expect(completeness.expectedEvents == 13 && completeness.missingEvents == 2)
    #expect(completeness.sessionsWithoutStart == 1 && completeness.orphanTaps == 2)
    #expect(completeness.negativeDwells == 1 && completeness.suspectClockSessions == 1)
    #expect(completeness.droppedByDevices == 12)
    #expect(completeness.rejectedEvents == ["invalid_text": 2, "invalid_seq": 1])
    scope.apps = []
    scope.groupBy = .app
    let both = try world.report(scope).report
    #expect(both.total.completeness.droppedByDevices == 24)
    #expect(both.groups?.map(\.counts.completeness.droppedByDevices) == [12])
  }

  @Test func `shows the newest titles of its story`() throws {
    let world = try StoredWorld([WorldSession("start/2 0 1"), WorldSession("start/2 0", story: "autumn")])
    try world.execute(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, updated_at) VALUES
        (1, 'spring-sale', 0, 'Welcome', now()), (1, 'spring-sale', 7, 'Gone', now()), (1, 'autumn', 0, 'Leaves', now());
      """)
    let one = try world.report(ReportScope(story: .named("spring-sale")))
    #expect(one.report.total.pages.map(\.title) == ["Welcome", nil])
    #expect(one.stories.map(\.sessions) == [1])
    let all = try world.report()
    #expect(all.report.total.pages.map(\.title) == [nil, nil])
    #expect(all.stories.compactMap(\.story) == ["autumn", "spring-sale"])
    #expect(FunnelFormat.table.render(all).contains("look at one with --story"))
  }

  @Test func `takes sessions of a half-open range, by their corrected start`() throws {
    let world = try StoredWorld(
      ["2026-10-31T23:00:00Z", "2026-11-01T00:00:00Z", "2026-11-30T23:59:59.999999Z", "2026-12-01T00:00:00Z"]
        .map { WorldSession("start/1 0", startedAt: $0) })
    #expect(try world.report(ReportScope(range: try november())).report.total.sessions == 2)
    #expect(try world.report(ReportScope(range: try november("Europe/Berlin"))).report.total.sessions == 2)
    #expect(try world.report().report.total.sessions == 4)
  }

  @Test func `tells stories and apps apart`() throws {
    let world = try StoredWorld([
      WorldSession("start/1 0", story: nil), WorldSession("start/1 0"), WorldSession("start/1 0", app: "news"),
      WorldSession("start/1 0", story: "it's \\ \"odd\" 春"),
    ])
    func sessions(_ story: StorySelection, _ apps: [String] = []) throws -> Int {
      try world.report(ReportScope(apps: apps, story: story)).report.total.sessions
    }
    #expect(try sessions(.all) == 4)
    #expect(try sessions(.withoutStory) == 1)
    #expect(try sessions(StorySelection(argument: "(none)")) == 1)
    #expect(try sessions(.named("spring-sale")) == 2)
    #expect(try sessions(.named("spring-sale"), ["news"]) == 1)
    #expect(try sessions(.all, ["news", "shop"]) == 4)
    #expect(try sessions(.named("it's \\ \"odd\" 春")) == 1)
  }

  @Test func `says what there is where an app or a story is not there`() throws {
    let world = try StoredWorld([WorldSession("start/1 0"), WorldSession("start/1 0", app: "news", story: "extra")])
    let app = try #require(throws: ReportError.self) { try world.report(ReportScope(apps: ["shop", "nwes"])) }
    #expect(app.kind == .usage)
    #expect(app.description == "there is no app 'nwes'; there is 'news', 'shop'")
    let story = try #require(throws: ReportError.self) {
      try world.report(ReportScope(apps: ["news"], story: .named("spring-sale")))
    }
    #expect(story.kind == .usage)
    #expect(story.description == "there is no story 'spring-sale'; there is 'extra'")
  }

  @Test func `of nothing is empty and says so`() throws {
    let world = try StoredWorld()
    let empty = try world.report()
    #expect(empty.isEmpty && empty.explanation == "No app has sent anything yet.")
    try world.store([WorldSession("start/1 0"), WorldSession("media", story: "only-media")])
    let narrow = try world.report(
      ReportScope(story: .named("spring-sale"), range: try range("2020-01-01", "2020-01-02")))
    #expect(narrow.isEmpty && narrow.explanation?.contains("widen") == true)
    for format in FunnelFormat.allCases { #expect(!format.render(narrow).isEmpty) }
    #expect(try world.report(ReportScope(story: .named("only-media"))).isEmpty)
  }

  @Test func `sees one state of the database, read only`() throws {
    let world = try StoredWorld([WorldSession("start/1 0")])
    try world.execute(
      "CREATE ROLE analyst_\(world.database.name) LOGIN; SELECT pagefall.grant_report('analyst_\(world.database.name)')"
    )
    var connection = try world.connect()
    try connection.execute("SET ROLE analyst_\(world.database.name)")
    for scope in [ReportScope(), ReportScope(story: .named("spring-sale"))] {
      let funnel = try FunnelReporter.run(scope, on: &connection, nowMicroseconds: reportTimeMicroseconds)
      #expect(funnel.report.total.sessions == 1)
    }
    #expect(connection.transactionStatus == .idle)
  }
}

private func range(_ from: String, _ to: String, _ zone: String = "UTC") throws -> TimeRange {
  try TimeRange(
    from: from, to: to, timeZone: ReportTimeZone(named: zone), nowMicroseconds: reportTimeMicroseconds)
}

func november(_ zone: String = "UTC") throws -> TimeRange { try range("2026-11-01", "2026-11-30", zone) }
