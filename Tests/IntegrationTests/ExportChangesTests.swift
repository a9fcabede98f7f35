import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall report changes`: the history that the manifests' reasons come from.
@Suite struct ExportChangesTests {
  let fixture: ExportFixture
  let day = "2026-11-20"

  /// A day of which something was stored, filled in, replayed and erased.
  init() throws {
    fixture = try ExportFixture()
    try fixture.ingest(ExportEvent.lines(1...3, at: day))
    try fixture.write(["--day", day, "--tz", "Europe/Berlin"])
    try fixture.ingest([ExportEvent.line(1, seq: 1, at: day, context: "\"user_id\":\"u\"")])
    try fixture.ingest([ExportEvent.line(20, at: day)], app: "other")
    _ = try fixture.database.psql("SELECT pagefall.erase_sessions(ARRAY['\(ExportEvent.session(2))']::uuid[])")
    // Another day is no part of it.
    try fixture.ingest([ExportEvent.line(4, at: "2026-11-21")])
  }

  @Test func `shows the same as the manifests' reasons`() throws {
    let first = try totals(changes())
    #expect(first == ["context_filled": [1, 0], "erased": [1, 1], "stored": [4, 5]])
    try fixture.write(["--day", day, "--tz", "Europe/Berlin"])
    let set = try fixture.set(day)
    // The first set had three sessions and three events of `stored`.
    #expect(set.reasons == ["late_events 1 2", "context_filled_in 1 0", "erased 1 1"])
    for (reason, counts) in first {
      let position = try #require(set.manifest["position"]?["counts"]?[reason])
      #expect([position["sessions"], position["events"]] == counts.map { .integer(Int64($0)) }, "\(reason)")
    }
  }

  @Test func `as JSON is one object that adds up`() throws {
    let document = try changes()
    #expect(document["report"] == .string("changes"))
    #expect(document["day"] == .string(day))
    #expect(document["timezone"] == .string("Europe/Berlin"))
    #expect(document["from"] == .string("2026-11-20T00:00:00+01:00"))
    #expect(document["to"] == .string("2026-11-21T00:00:00+01:00"))
    #expect(document["stored_sessions"] == .integer(3))
    #expect(document["stored_events"] == .integer(4))
    let hour = try #require(document["changes"]?.arrayValue?.first?["hour"]?.stringValue)
    #expect(hour.hasSuffix(":00:00+01:00"), "\(hour)")
  }

  @Test func `as CSV is a line an hour and reason`() throws {
    let table = try StrictCSV(Array(try report(["--format", "csv"]).utf8))
    #expect(table.columns == ["hour", "reason", "sessions", "events"])
    var sums: [String: [Int]] = [:]
    for row in try table.rows() {
      let counts = ["sessions", "events"].map { Int(row[$0] ?? "") ?? -1 }
      let reason = try #require(row["reason"])
      sums[reason] = zip(sums[reason] ?? [0, 0], counts).map { $0 + $1 }
    }
    #expect(sums == (try totals(changes())))
  }

  @Test func `as a table says it in words`() throws {
    let lines = try report([]).components(separatedBy: "\n")
    #expect(lines[0] == "Changes of 2026-11-20 (Europe/Berlin), all apps")
    #expect(lines.contains { $0.contains("context filled in") && $0.hasSuffix(" 0") })
    #expect(lines.contains { $0.contains("erased") })
    #expect(lines.suffix(2) == ["Stored now: 3 sessions, 4 events.", ""])
  }

  @Test func `of one app, or of a day of which nothing was ever stored`() throws {
    #expect(try totals(changes(["--app", "other"])) == ["stored": [1, 1]])
    let lines = try report(["--day", "2026-01-01"], day: nil).components(separatedBy: "\n")
    #expect(
      lines == ["Changes of 2026-01-01 (Europe/Berlin), all apps", "", "Nothing was ever stored of this day.", ""])
    #expect(
      try report(["--app", "demo", "--app", "other"]).hasPrefix("Changes of 2026-11-20 (Europe/Berlin), demo, other\n"))
  }

  @Test func `into a file`() throws {
    let path = "\(fixture.directory.path)/changes.json"
    #expect(try report(["--format", "json", "-o", path]) == "")
    #expect(try JSONValue(text: try String(contentsOfFile: path, encoding: .utf8)) == changes())
  }

  @Test(arguments: [
    (["--day", "2026-11-31"], "is not a day"), (["--day", "2026-11-20T00:00:00Z"], "is an instant"),
    (["--tz", "Nowhere/City"], "Nowhere/City"), (["--app", "shop"], "there is no app 'shop'"),
    (["--format", "xml"], "expected table, json or csv"), (["2026-11-20"], "takes no operands"),
  ])
  func `what cannot be asked for is told in one line`(words: [String], says: String) throws {
    expectRefusal(
      try PagefallProcess.run(["report", "changes", "--database", fixture.database.connectionString] + words), 2,
      says: says)
  }

  private func report(_ words: [String], day: String? = "2026-11-20") throws -> String {
    let run = try PagefallProcess.run(
      ["report", "changes", "--tz", "Europe/Berlin", "--database", fixture.database.connectionString]
        + (day.map { ["--day", $0] } ?? []) + words)
    try #require(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardError == "")
    return run.standardOutput
  }

  private func changes(_ words: [String] = []) throws -> JSONValue {
    try JSONValue(text: try report(["--format", "json"] + words))
  }

  /// Sessions and events by reason, whatever the hour.
  private func totals(_ document: JSONValue) throws -> [String: [Int]] {
    var totals: [String: [Int]] = [:]
    for change in try #require(document["changes"]?.arrayValue) {
      let reason = try #require(change["reason"]?.stringValue)
      let counts = ["sessions", "events"].map { change[$0]?.integerValue ?? -1 }
      totals[reason] = zip(totals[reason] ?? [0, 0], counts).map { $0 + $1 }
    }
    return totals
  }
}
