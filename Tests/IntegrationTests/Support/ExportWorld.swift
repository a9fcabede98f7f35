import Foundation
import TestSupport
import Testing

/// A database that tests of exports share and none of them changes: three days, two apps, several stories, and events
/// that were lost, dropped, rejected or come from a wrong clock.
final class ExportWorld: Sendable {
  /// The days that have anything, in UTC.
  static let days = ["2026-11-10", "2026-11-11", "2026-11-12"]
  /// The names of the apps, sorted.
  static let apps = ["demo", "other"]

  /// Made at first use.
  static let shared = Result { try ExportWorld() }

  let database: TestDatabase

  private init() throws {
    let fixture = try ExportFixture()
    database = fixture.database
    for (app, seed) in [("demo", "11"), ("other", "12")] {
      for (story, name) in [("spring", "a"), ("\"quoted\", = and 🏁", "b")] {
        let path = "\(fixture.directory.path)/\(name)"
        let run = try PagefallProcess.run([
          "simulate", "--seed", seed + (name == "a" ? "1" : "2"), "--sessions", "150", "--over", "3d", "--ending",
          "2026-11-13T00:00:00Z", "--story", story, "--looping", "--out", path,
        ])
        try #require(run.exitCode == 0, "\(run.standardError)")
        let lines = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        try fixture.ingest(lines.split(separator: "\n").map(String.init), app: app)
      }
    }
    try fixture.ingest(Self.faultySessions, app: "demo")
    // One event of it is rejected, which the exit code says.
    let rejected = ExportEvent.line(9, at: Self.days[1]).replacing("\"seq\":0", with: "\"seq\":-1")
    let batch = "{\"received_at\":\"2026-11-11T08:00:00Z\",\"events\":[\(rejected)]}"
    let run = try PagefallProcess.run(
      ["ingest", "-", "--app", "demo", "--database", database.connectionString], input: Array(batch.utf8))
    try #require(run.exitCode == 1)
  }

  /// Sessions of the second day with everything that completeness counts, one of them without a story.
  private static var faultySessions: [String] {
    let day = days[1]
    let tap = "\"page_index\":3"
    return [
      // Without a start, and with a hole.
      ExportEvent.line(1, seq: 0, at: "\(day)T10:00:00Z"), ExportEvent.line(1, seq: 4, at: "\(day)T10:00:09Z"),
      // A tap on what was never shown; time that runs backwards.
      ExportEvent.line(2, seq: 0, at: "\(day)T10:00:00Z", type: "start", "\"page_count\":3"),
      ExportEvent.line(2, seq: 1, at: "\(day)T10:00:05Z"),
      ExportEvent.line(2, seq: 2, at: "\(day)T10:00:01Z", "\"page_index\":1"),
      ExportEvent.line(2, seq: 3, at: "\(day)T10:00:02Z", type: "action_tap", tap),
      // No story named; nothing of a story at all.
      ExportEvent.line(3, at: day, context: ""),
      ExportEvent.line(4, at: day, type: "rich_media_presented", "\"content_code\":\"r-1\"", context: ""),
      // A clock that is years behind, and a device that gave up events.
      """
      {"received_at":"\(day)T09:00:00Z","context":{"device_id":"d"},"dropped_events_total":7,"events":[\
      \(ExportEvent.line(5, at: "2019-01-01"))]}
      """,
    ]
  }
}
