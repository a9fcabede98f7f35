import FunnelDocument
import LocalTime
import Reports
import TestSupport
import Testing

@testable import Exports

@Suite struct `The funnel of a written day` {
  @Test func `has the numbers of the report, for every app and story of random worlds`() throws {
    print("written funnels: PAGEFALL_WORLDS_SEED=\(SeededGenerator.worldsSeed)")
    var random = SeededGenerator(seed: SeededGenerator.worldsSeed, stream: 700)
    let world = try WritingWorld()
    for _ in 0..<5 { try world.store((0..<60).map { _ in RandomSession.make(&random) }) }
    try world.execute(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, updated_at)
        SELECT app_id, 'spring-sale', 0, 'Welcome to ' || name, now() FROM pagefall.apps;
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, updated_at)
        SELECT app_id, '', 1, 'Nobody''s', now() FROM pagefall.apps;
      INSERT INTO pagefall.device_drops (app_id, device_id, dropped_events_total, updated_at)
        SELECT app_id, 'd', 7, now() FROM pagefall.apps;
      INSERT INTO pagefall.rejected (app_id, sha256, code, message, body, first_received_at, last_received_at)
        SELECT app_id, sha256(name::bytea), 'invalid_text', '', '', '2026-11-29T11:00:00Z', now() FROM pagefall.apps
      """)
    let day = try world.write()
    let funnel = try day.rows(.funnel)
    let stories = try day.rows(.stories)
    var lines = 0
    for story in stories {
      let app = try #require(story["app"])
      let name = story["story_id"]
      let counts = try report(world, app, name.map { .named($0) } ?? .withoutStory).total
      try expectSums(story, counts)
      #expect(story.number("pages") == counts.pages.count)
      #expect(story.number("expected_events") == counts.completeness.expectedEvents)
      #expect(story.number("missing_events") == counts.completeness.missingEvents)
      #expect(story.number("sessions_without_start") == counts.completeness.sessionsWithoutStart)
      #expect(story.number("orphan_taps") == counts.completeness.orphanTaps)
      #expect(story.number("negative_dwells") == counts.completeness.negativeDwells)
      #expect(story.number("suspect_clock_sessions") == counts.completeness.suspectClockSessions)
      let own = funnel.filter { $0["app"] == app && $0["story_id"] == name }
      #expect(own.count == counts.pages.count)
      for (line, page) in zip(own, counts.pages) {
        try expectSums(line, counts)
        expectPage(line, page, before: page.index > 0 ? counts.pages[page.index - 1] : nil)
      }
      lines += own.count
    }
    #expect(lines == funnel.count && stories.count == 8)
    #expect(day.written.completeness == (try report(world, nil, .all).total.completeness))
    #expect(stories.map { $0["app"] ?? "" } == stories.map { $0["app"] ?? "" }.sorted())
    #expect(stories.prefix(4).map { $0["story_id"] } == ["=x", "autumn, \"leaves\"", "spring-sale", nil])
  }

  @Test func `tells a bounded number of stories apart, and counts the others together by app`() throws {
    var random = SeededGenerator(seed: 11)
    let world = try WritingWorld()
    try world.store((0..<200).map { _ in RandomSession.make(&random) })
    let all = try world.write()
    let few = try world.write(limits: DayLimits(stories: 3))
    #expect(few.written.counts == all.written.counts)
    let stories = try few.rows(.stories)
    #expect(stories.count { $0["story_id"] == "(other)" } == 2)
    #expect(stories.count == 5)
    for column in ["presentations", "sessions", "finished_sessions", "expected_events", "orphan_taps"] {
      let sum = stories.reduce(0) { $0 + ($1.number(column) ?? 0) }
      #expect(sum == (try all.rows(.stories).reduce(0) { $0 + ($1.number(column) ?? 0) }), "\(column)")
    }
  }

  @Test func `has one line for (other), also where a sender calls a story so`() throws {
    let world = try WritingWorld()
    try world.store(
      ["(other)", "a", "b", "c"].map { story in
        StoredSession(
          story: story, events: [StoredRow(seq: 0, type: .pageShown, columns: ["page_index": "0"])])
      })
    try world.execute(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, updated_at)
        SELECT app_id, '(other)', 0, 'Its own', now() FROM pagefall.apps
      """)
    for limit in 1...3 {
      let day = try world.write(limits: DayLimits(stories: limit))
      let lines = try day.rows(.stories)
      #expect(lines.count { $0["story_id"] == "(other)" } == 1)
      #expect(Set(lines.map { $0["story_id"] }).count == lines.count)
      #expect(lines.reduce(0) { $0 + ($1.number("presentations") ?? 0) } == 4)
      #expect(try day.rows(.funnel).filter { $0["story_id"] == "(other)" }.map { $0["title"] } == [nil])
    }
    let apart = try world.write(limits: DayLimits(stories: 4)).rows(.funnel)
    #expect(apart.count == 4)
    #expect(apart.filter { $0["story_id"] == "(other)" }.map { $0["title"] } == ["Its own"])
  }

  private func report(_ world: WritingWorld, _ app: String?, _ story: StorySelection) throws -> FunnelReport {
    var connection = try world.connect()
    let range = try TimeRange(from: "2026-11-29", to: "2026-11-29", timeZone: .utc, nowMicroseconds: 0)
    let scope = ReportScope(apps: app.map { [$0] } ?? [], story: story, range: range)
    return try FunnelReporter.run(scope, on: &connection, nowMicroseconds: 0).report
  }

  private func expectSums(_ row: FileRow, _ counts: FunnelCounts) throws {
    #expect(row.number("presentations") == counts.presentations && row.number("fallbacks") == counts.fallbacks)
    #expect(row.number("sessions") == counts.sessions && row.number("sessions_with_tap") == counts.tappedSessions)
    #expect(row.number("finished_sessions") == counts.finishedSessions)
    #expect(row.number("reached_last_sessions") == counts.reachedLastSessions)
  }

  private func expectPage(_ row: FileRow, _ page: PageCounts, before: PageCounts?) {
    let found = [
      "page_index", "impressions", "reached_sessions", "previous_reached_sessions", "strict_reached_sessions",
      "previous_strict_reached_sessions", "replays", "completed_sessions", "taps", "tapped_sessions", "departures_next",
      "departures_next_auto", "departures_next_tap", "departures_back", "departures_looped", "departures_finished",
      "departures_tapped_out", "departures_exited", "departures_unknown", "dwells",
    ].map { row.number($0) }
    let left = page.departures
    let expected: [Int?] = [
      page.index, page.impressions, page.sessions, before?.sessions, page.strictSessions, before?.strictSessions,
      page.replays, page.completedSessions, page.taps, page.tappedSessions, left.next, left.nextAuto, left.nextTap,
      left.back, left.looped, left.finished, left.tappedOut, left.exited, left.unknown, page.dwell.count,
    ]
    #expect(found == expected)
    #expect(row["title"] == page.title)
    #expect(row["dwell_median_ms"].flatMap { Double($0) } == page.dwell.medianMilliseconds)
    #expect(row["dwell_p90_ms"].flatMap { Double($0) } == page.dwell.ninetiethPercentileMilliseconds)
  }
}
