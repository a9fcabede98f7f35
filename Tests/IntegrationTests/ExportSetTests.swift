import Foundation
import FunnelDocument
import TestSupport
import Testing

/// A set of one day, as a stranger finds it.
@Suite struct ExportSetTests {
  /// How files may be written.
  static let ways: [[String]] = [
    [], ["--compress", "none", "--csv-safe"], ["--compress", "zstd", "--what", "stories,events"],
    ["--format", "ndjson"], ["--format", "ndjson", "--compress", "none"],
    ["--format", "ndjson", "--compress", "zstd", "--what", "sessions"],
  ]

  @Test(arguments: ways) func `holds what its manifest says, however it is written`(way: [String]) throws {
    let world = try ExportWorld.shared.get()
    let fixture = try ExportFixture(world.database)
    try fixture.write(["--from", ExportWorld.days[0], "--to", ExportWorld.days[2]] + way)
    #expect(try fixture.days() == ExportWorld.days)
    for day in ExportWorld.days {
      let set = try fixture.set(day)
      let faults = try set.faults()
      #expect(faults == [], "\(way)")
      #expect(set.manifest["day"] == .string(day))
      #expect(set.revision == 1)
      #expect(set.manifest["changes"] == (try JSONValue(text: #"{"since_revision": null, "reasons": []}"#)))
      #expect((set.manifest["events"]?.integerValue ?? 0) > 100)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.sets).sorted().first == ".pagefall-export.lock")
  }

  @Test func `holds every stored event of its day once, and days hold no event twice`() throws {
    let world = try ExportWorld.shared.get()
    let fixture = try ExportFixture(world.database)
    try fixture.write(["--from", ExportWorld.days[0], "--to", ExportWorld.days[2]])
    for day in ExportWorld.days { try fixture.expectComplete(day) }
    let exported = try ExportWorld.days.reduce(0) { try $0 + fixture.set($1).rows("events").count }
    #expect(String(exported) == (try world.database.psql("SELECT count(*) FROM events")))
  }

  @Test func `is as complete as the funnel of the same day says, and has its numbers`() throws {
    let world = try ExportWorld.shared.get()
    let fixture = try ExportFixture(world.database)
    try fixture.write(["--from", ExportWorld.days[0], "--to", ExportWorld.days[2]])
    for day in ExportWorld.days {
      let set = try fixture.set(day)
      let scope = ["--from", day, "--to", day]
      let all = try FunnelComparison.report(world.database.connectionString, scope)
      #expect(set.manifest["completeness"] == all["completeness"], "\(day)")
      #expect(set.manifest["definitions"] == all["definitions"])
      #expect(set.manifest["data_through"] == all["data_through"])
      #expect(set.manifest["from"] == all["scope"]?["from"])
      #expect(set.manifest["to"] == all["scope"]?["to"])
      let funnel = try set.rows("funnel")
      let stories = try set.rows("stories")
      for app in ExportWorld.apps {
        for story in Set(stories.filter { $0["app"] == app }.map { $0["story_id"] }) {
          let report = try FunnelComparison.report(
            world.database.connectionString, scope + ["--app", app, "--story", story ?? "(none)"])
          let lines = funnel.filter { $0["app"] == app && $0["story_id"] == story }
          let differences = FunnelFile.differences(lines, report)
          #expect(differences == [], "\(day), \(app), \(story ?? "no story")")
          let line = try #require(stories.first { $0["app"] == app && $0["story_id"] == story })
          let storyDifferences = FunnelFile.storyDifferences(line, report)
          #expect(storyDifferences == [], "\(day), \(app), \(story ?? "no story")")
        }
      }
    }
  }

  @Test func `completeness counts what was lost, dropped and rejected`() throws {
    let world = try ExportWorld.shared.get()
    let fixture = try ExportFixture(world.database)
    let day = ExportWorld.days[1]
    try fixture.write(["--day", day])
    let completeness = try #require(try fixture.set(day).manifest["completeness"])
    for key in [
      "missing_events", "sessions_without_start", "orphan_taps", "negative_dwells", "suspect_clock_sessions",
      "dropped_by_devices",
    ] { #expect((completeness[key]?.integerValue ?? 0) > 0, "\(key)") }
    #expect(completeness["rejected_events"] == (try JSONValue(text: #"{"invalid_seq": 1}"#)))
  }

  @Test func `of one app holds that app alone`() throws {
    let world = try ExportWorld.shared.get()
    let fixture = try ExportFixture(world.database)
    let day = ExportWorld.days[1]
    try fixture.write(["--day", day, "--app", "other"])
    let set = try fixture.set(day)
    let faults = try set.faults()
    #expect(faults == [])
    #expect(set.manifest["apps"] == .array([.string("other")]))
    #expect(set.manifest["all_apps"] == .bool(false))
    for content in ["events", "sessions", "funnel", "stories"] {
      let rows = try set.rows(content)
      #expect(!rows.isEmpty && rows.allSatisfy { $0["app"] == "other" }, "\(content)")
    }
    let report = try FunnelComparison.report(
      world.database.connectionString, ["--from", day, "--to", day, "--app", "other"])
    #expect(set.manifest["completeness"] == report["completeness"])
    let every = try ExportFixture(world.database)
    try every.write(["--day", day])
    #expect(try every.set(day).manifest["apps"] == .array(ExportWorld.apps.map { .string($0) }))
    #expect(try every.set(day).manifest["all_apps"] == .bool(true))
  }

  @Test func `of a day on which nothing happened is a set with headers alone`() throws {
    let world = try ExportWorld.shared.get()
    let fixture = try ExportFixture(world.database)
    let output = try fixture.write(["--day", "2026-02-28", "--tz", "Asia/Kathmandu"])
    #expect(output.hasPrefix("wrote 2026-02-28 (revision 1) to \(fixture.sets): 0 events of 0 sessions, "))
    let set = try fixture.set("2026-02-28")
    let faults = try set.faults()
    #expect(faults == [])
    #expect(set.manifest["from"] == .string("2026-02-28T00:00:00+05:45"))
    for content in ["events", "sessions", "funnel", "stories"] {
      #expect(try set.file(content)["rows"] == .integer(0))
      #expect(try set.plainBytes(content).suffix(2) == [0x0D, 0x0A])
    }
  }

  /// A day that clocks change on, and its bounds in UTC.
  struct LongOrShortDay: Sendable, CustomTestStringConvertible {
    let day: String
    let zone: String
    let from: String
    let to: String
    /// The bounds as the manifest says them.
    let local: [String]

    var testDescription: String { "\(day) in \(zone)" }
  }

  static let longOrShortDays = [
    LongOrShortDay(
      day: "2026-03-29", zone: "Europe/Berlin", from: "2026-03-28T23:00:00", to: "2026-03-29T22:00:00",
      local: ["2026-03-29T00:00:00+01:00", "2026-03-30T00:00:00+02:00"]),
    LongOrShortDay(
      day: "2026-10-25", zone: "Europe/Berlin", from: "2026-10-24T22:00:00", to: "2026-10-25T23:00:00",
      local: ["2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"]),
    LongOrShortDay(
      day: "2026-11-01", zone: "America/New_York", from: "2026-11-01T04:00:00", to: "2026-11-02T05:00:00",
      local: ["2026-11-01T00:00:00-04:00", "2026-11-02T00:00:00-05:00"]),
    // Clocks go at midnight itself: the day begins at one.
    LongOrShortDay(
      day: "2026-04-24", zone: "Africa/Cairo", from: "2026-04-23T22:00:00", to: "2026-04-24T21:00:00",
      local: ["2026-04-24T01:00:00+03:00", "2026-04-25T00:00:00+03:00"]),
  ]

  @Test(arguments: longOrShortDays)
  func `of a day of 23 or 25 hours holds what starts from its first microsecond to its last`(
    long: LongOrShortDay
  ) throws {
    let fixture = try ExportFixture()
    func before(_ instant: String) throws -> String {
      try fixture.database.psql(
        """
        SELECT to_char(('\(instant)Z'::timestamptz - interval '1 microsecond') AT TIME ZONE 'UTC',
          'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
        """)
    }
    // The last of a session that started in the day lies beyond it, and belongs to it all the same.
    let times = [try before(long.from), "\(long.from)Z", try before(long.to), "\(long.to)Z"]
    try fixture.ingest(
      times.enumerated().map { ExportEvent.line($0 + 1, at: $1) } + [ExportEvent.line(3, seq: 1, at: "\(long.to)Z")])
    try fixture.write(["--day", long.day, "--tz", long.zone])
    let set = try fixture.set(long.day)
    let faults = try set.faults()
    #expect(faults == [])
    #expect([set.manifest["from"], set.manifest["to"]] == long.local.map { .string($0) })
    #expect(set.manifest["timezone"] == .string(long.zone))
    let sessions = try set.rows("sessions").map { $0["session_id"] ?? "" }
    #expect(sessions.sorted() == [2, 3].map(ExportEvent.session))
    let events = try set.rows("events")
    #expect(events.count == 3)
    #expect(events.allSatisfy { $0["started_day"] == long.day })
    #expect(events.filter { $0["at_day"] == long.day }.count == 2)
    #expect(Set(events.map { $0["started_at"] ?? "" }) == ["\(long.from).000000Z", times[2]])
    try fixture.expectComplete(long.day)
  }

  @Test func `of neighbouring days hold each session once, whatever the clocks do`() throws {
    let fixture = try ExportFixture()
    let lines = (0..<96).map { quarter in
      let hour = quarter * 15 / 60
      let time = String(format: "%02d:%02d:00", hour % 24, quarter * 15 % 60)
      return ExportEvent.line(quarter + 1, at: "2026-10-25T\(time)Z")
    }
    try fixture.ingest(lines)
    try fixture.write(["--from", "2026-10-24", "--to", "2026-10-26", "--tz", "Europe/Berlin"])
    let counts = try fixture.days().map { try fixture.set($0).manifest["sessions"]?.integerValue }
    #expect(counts == [0, 92, 4])
  }
}
