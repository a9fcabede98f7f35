import FunnelDocument
import TestSupport
import Testing

extension ViewTests {
  @Test(arguments: 0..<8) func `the funnel view counts what a report counts`(world number: Int) throws {
    let world = try CountedWorld.all.get()[number]
    let rows = try world.rows("SELECT * FROM pagefall_funnel_daily_v1")
    let stories = Dictionary(grouping: rows) {
      Story(app: $0["app"]?.stringValue ?? "", id: $0["story_id"]?.stringValue)
    }
    try #require(stories.keys.contains { $0.app == "odd" && $0.id == nil }, "\(world.name)")
    for (story, rows) in stories {
      let report = try world.report(app: story.app, ["--by", "day", "--story", story.id ?? "(none)"])
      let days = Dictionary(grouping: rows) { $0["day"]?.stringValue ?? "" }
      let groups = (report["groups"]?.arrayValue ?? []).filter { $0["pages"]?.arrayValue?.isEmpty == false }
      #expect(Set(days.keys) == Set(groups.compactMap { $0["group"]?.stringValue }), "\(world.name), \(story)")
      for group in groups {
        let day = group["group"]?.stringValue ?? ""
        #expect(Self.differences(days[day] ?? [], group) == [], "\(world.name), \(story), \(day)")
      }
      #expect(Self.sumFaults(rows, report) == [], "\(world.name), \(story)")
    }
  }

  @Test(arguments: 0..<8) func `the sessions view has the totals of a report`(world number: Int) throws {
    let world = try CountedWorld.all.get()[number]
    for app in CountedWorld.apps {
      let row = try #require(
        try world.rows(
          """
          SELECT
            count(*) FILTER (WHERE is_presentation) AS presentations,
            count(*) FILTER (WHERE is_fallback) AS fallbacks,
            count(*) FILTER (WHERE is_story_session) AS sessions,
            count(*) FILTER (WHERE is_finished) AS finished_sessions,
            count(*) FILTER (WHERE has_reached_last) AS reached_last_sessions,
            count(*) FILTER (WHERE is_tapped) AS tapped_sessions,
            json_build_object(
              'expected_events', sum(expected_events) FILTER (WHERE is_story_session),
              'missing_events', sum(missing_events) FILTER (WHERE is_story_session),
              'sessions_without_start', count(*) FILTER (WHERE is_story_session AND NOT has_start),
              'suspect_clock_sessions', count(*) FILTER (WHERE is_story_session AND suspect_clock)) AS completeness,
            sum(impressions) AS impressions, sum(pages_reached) AS pages_reached, sum(taps) AS taps, sum(events) AS events
          FROM pagefall_sessions_v1 WHERE app = '\(app)'
          """
        ).first)
      let report = try world.report(app: app, [])
      let pages = report["pages"]?.arrayValue ?? []
      func sum(_ key: String) -> Int64 { pages.reduce(0) { $0 + Self.integer($1[key]) } }
      #expect(Self.integer(row["impressions"]) == sum("impressions"))
      #expect(Self.integer(row["pages_reached"]) == sum("sessions"))
      #expect(Self.integer(row["taps"]) == sum("taps"))
      let events = try world.database.psql("SELECT count(*) FROM pagefall_events_v1 WHERE app = '\(app)'")
      #expect(String(Self.integer(row["events"])) == events)
      for member in row.objectValue ?? [] where report[member.key] != nil {
        #expect(
          FunnelComparison.differences(report, .object([member])) == [], "\(world.name), \(app), \(member.key)")
      }
    }
  }

  private struct Story: Hashable {
    var app: String
    var id: String?
  }

  /// The view's columns of a story, and where a report has the same.
  private static let storyColumns = [
    ("presentations", "presentations"), ("fallbacks", "fallbacks"), ("sessions", "sessions"),
    ("finished_sessions", "finished_sessions"), ("reached_last_sessions", "reached_last_sessions"),
    ("sessions_with_tap", "tapped_sessions"),
  ]

  /// The view's columns of a page, and where a report has the same.
  private static let pageColumns =
    [
      ("impressions", "impressions"), ("reached_sessions", "sessions"), ("strict_reached_sessions", "strict_sessions"),
      ("replays", "replays"), ("completed_sessions", "completed_sessions"), ("taps", "taps"),
      ("tapped_sessions", "tapped_sessions"), ("dwells", "dwell_ms.count"),
    ]
    + [
      "next", "next_auto", "next_tap", "back", "looped", "finished", "tapped_out", "exited", "unknown",
    ].map { ("departures_\($0)", "departures.\($0)") }

  /// What does not add up.
  private static let quantileColumns = [("dwell_median_ms", "dwell_ms.median"), ("dwell_p90_ms", "dwell_ms.p90")]

  /// Where the view's lines of a story and day differ from a report's group.
  private static func differences(_ rows: [JSONValue], _ group: JSONValue) -> [String] {
    let pages = group["pages"]?.arrayValue ?? []
    let rows = rows.sorted { integer($0["page_index"]) < integer($1["page_index"]) }
    guard rows.map({ integer($0["page_index"]) }) == pages.map({ integer($0["index"]) }) else {
      return ["pages \(rows.map { integer($0["page_index"]) }) instead of 0..<\(pages.count)"]
    }
    var faults: [String] = []
    for (place, (row, page)) in zip(rows, pages).enumerated() {
      func compare(_ column: String, _ expected: JSONValue?) {
        if !isEqual(row[column], expected) { faults.append("page \(place), \(column): \(row), not \(page)") }
      }
      for (column, key) in storyColumns { compare(column, group[key]) }
      for (column, path) in pageColumns + quantileColumns { compare(column, value(page, path)) }
      compare("previous_reached_sessions", place > 0 ? pages[place - 1]["sessions"] : .null)
      compare("previous_strict_reached_sessions", place > 0 ? pages[place - 1]["strict_sessions"] : .null)
    }
    return faults
  }

  /// Where the days of a story do not add up to the whole time.
  private static func sumFaults(_ rows: [JSONValue], _ report: JSONValue) -> [String] {
    var faults: [String] = []
    let pages = Dictionary(grouping: rows) { integer($0["page_index"]) }
    for (place, page) in (report["pages"]?.arrayValue ?? []).enumerated() {
      for (column, path) in pageColumns {
        let sum = (pages[Int64(place)] ?? []).reduce(0) { $0 + integer($1[column]) }
        if sum != integer(value(page, path)) { faults.append("page \(place), \(column): \(sum), not \(page)") }
      }
    }
    // A day on which the story only fell back has no page, so no line.
    let isComplete = report["groups"]?.arrayValue?.allSatisfy { $0["pages"]?.arrayValue?.isEmpty == false } ?? false
    for (column, key) in storyColumns where isComplete {
      let sum = (pages[0] ?? []).reduce(0) { $0 + integer($1[column]) }
      if sum != integer(report[key]) { faults.append("\(column): \(sum), not \(integer(report[key]))") }
    }
    return faults
  }

  private static func value(_ page: JSONValue, _ path: String) -> JSONValue? {
    path.split(separator: ".").reduce(page as JSONValue?) { $0?[String($1)] }
  }

  private static func isEqual(_ found: JSONValue?, _ expected: JSONValue?) -> Bool {
    if found == expected { return true }
    guard let found = found?.doubleValue, let expected = expected?.doubleValue else { return false }
    return found == expected
  }

  private static func integer(_ value: JSONValue?) -> Int64 { Int64(value?.doubleValue ?? 0) }
}
