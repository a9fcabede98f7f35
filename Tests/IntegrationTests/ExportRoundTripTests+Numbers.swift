import Foundation
import FunnelDocument
import TestSupport
import Testing

extension ExportRoundTripTests {
  @Test func `events files alone have every number of a report, and days add up`() throws {
    let worlds = try CountedWorld.all.get()
    let directory = try TemporaryDirectory()
    let path = directory.path
    _ = try inParallel(worlds.count) { number in
      for app in CountedWorld.apps { try Self.export(worlds[number], app: app, to: "\(path)/\(number)-\(app)") }
    }
    let places = worlds.indices.flatMap { number in CountedWorld.apps.map { "\(path)/\(number)-\($0)" } }
    let names = worlds.map(\.name).joined(separator: ", ")

    // Counted by DuckDB from every event; one process for all of them.
    let events = places.flatMap { ["\($0)/day=*/events.csv.gz", "\($0).json"] }
    let counted = try PagefallProcess.run(
      [Self.fixture("duckdb/compare.py")] + events, timeout: .seconds(120), binary: PythonPackages.python())
    #expect(counted.exitCode == 0, "\(names)\n\(counted.standardOutput)\(counted.standardError)")
    #expect(counted.standardOutput == "")

    // Added up from the lines of each day.
    let days = places.flatMap { [$0, "\($0).json"] }
    let added = try PagefallProcess.run(
      [Self.fixture("exports/month.py")] + days, timeout: .seconds(120), binary: PythonPackages.python())
    #expect(added.exitCode == 0, "\(names)\n\(added.standardOutput)\(added.standardError)")
    #expect(added.standardOutput == "")

    // And both find out a report that says something else.
    let report = try String(contentsOfFile: "\(places[1]).json", encoding: .utf8)
    let keys = ["tapped_out", "next_auto", "negative_dwells", "strict_sessions", "presentations"]
    var operands: [(events: [String], days: [String])] = []
    for key in keys {
      let spoiled = report.replacingOccurrences(
        of: "\"\(key)\": ([0-9])", with: "\"\(key)\": 1$1", options: .regularExpression)
      try #require(spoiled != report)
      try Data(spoiled.utf8).write(to: URL(fileURLWithPath: "\(path)/spoiled-\(key).json"))
      operands.append(([events[2], "\(path)/spoiled-\(key).json"], [days[2], "\(path)/spoiled-\(key).json"]))
    }
    for (script, pairs) in [
      ("duckdb/compare.py", operands.flatMap(\.events)), ("exports/month.py", operands.flatMap(\.days)),
    ] {
      let run = try PagefallProcess.run([Self.fixture(script)] + pairs, binary: PythonPackages.python())
      #expect(run.exitCode == 1)
      for key in keys {
        let said = run.standardOutput.split(separator: "\n").filter { $0.contains("spoiled-\(key).json: ") }
        let isFound = said.contains { line in
          line.split(separator: "spoiled-\(key).json: ").last?.contains(key.split(separator: "_")[0]) == true
        }
        #expect(isFound, "\(script), \(key)\n\(run.standardOutput)\(run.standardError)")
      }
    }
  }

  /// More than a month, with the day of 25 hours in it; all odd histories lie in two weeks.
  private static func days(_ app: String) -> [String] {
    (app == "odd" ? ["--from", "2026-11-01", "--to", "2026-11-14"] : ["--from", "2026-10-24", "--to", "2026-11-29"])
      + ["--tz", "Europe/Berlin"]
  }

  /// A set a day, and beside them the report over all of the days.
  private static func export(_ world: CountedWorld, app: String, to path: String) throws {
    let run = try PagefallProcess.run(
      ["export", "--out", path, "--what", "events,funnel,stories", "--app", app] + days(app)
        + ["--database", world.database.connectionString], timeout: .seconds(120))
    try #require(run.exitCode == 0, "\(world.name): \(run.standardError)")
    try write(try world.report(app: app, ["--by", "story_id"] + days(app)), to: "\(path).json")
  }

  private static func write(_ report: JSONValue, to path: String) throws {
    try Data(report.text().utf8).write(to: URL(fileURLWithPath: path))
  }
}
