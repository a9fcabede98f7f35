import Foundation
import FunnelDocument
import TestSupport
import Testing

/// What an export says, and to whom.
@Suite struct ExportOutputTests {
  let fixture: ExportFixture
  let days = ["2026-11-20", "2026-11-21"]

  init() throws {
    fixture = try ExportFixture()
    try fixture.ingest(ExportEvent.lines(1...3, at: days[0]) + ExportEvent.lines(4...5, at: days[1]))
  }

  @Test func `one line tells what was written, and standard error is left to trouble`() throws {
    let one = try fixture.write(["--day", days[0]])
    #expect(
      one.wholeMatch(of: /wrote 2026-11-20 \(revision 1\) to (.+): 3 events of 3 sessions, \d+\.\d s\n/)?.output.1
        == fixture.sets[...], "\(one)")
    let two = try fixture.write(["--from", "2026-11-19", "--to", days[1]])
    #expect(
      two.wholeMatch(
        of: /wrote 2 days from 2026-11-19 to 2026-11-21 to .+: 2 events of 2 sessions, 1 day unchanged, \d+\.\d s\n/)
        != nil, "\(two)")
    let none = try fixture.write(["--from", "2026-11-19", "--to", days[1]])
    #expect(none.wholeMatch(of: /nothing to write to .+, 3 days unchanged, \d+\.\d s\n/) != nil, "\(none)")
  }

  @Test func `--summary json is an object a written day, with rows and reasons`() throws {
    let request = ["--from", "2026-11-19", "--to", days[1], "--summary", "json", "--what", "events,stories"]
    let first = try Self.objects(try fixture.write(request))
    #expect(
      first.map { $0.text(layout: .compact) } == [
        #"{"day":"2026-11-19","revision":1,"sessions":0,"events":0,"rows":{"events":0,"stories":0},"reasons":[]}"#,
        #"{"day":"2026-11-20","revision":1,"sessions":3,"events":3,"rows":{"events":3,"stories":1},"reasons":[]}"#,
        #"{"day":"2026-11-21","revision":1,"sessions":2,"events":2,"rows":{"events":2,"stories":1},"reasons":[]}"#,
      ])
    try fixture.ingest([ExportEvent.line(5, seq: 1, at: days[1])])
    let second = try Self.objects(try fixture.write(request))
    #expect(second.map { $0["day"] } == [.string(days[1])])
    #expect(
      second.first?["reasons"]?.text(layout: .compact) == #"[{"reason":"late_events","sessions":0,"events":1}]"#)
    #expect(try fixture.write(request) == "")
  }

  @Test func `a dry run tells what it would do and makes nothing, not even the directory`() throws {
    let request = ["--from", days[0], "--to", days[1]]
    let output = try fixture.write(request + ["--dry-run"])
    #expect(
      output == """
        2026-11-20  revision 1, 3 events
        2026-11-21  revision 1, 2 events
        would write 2 days from 2026-11-20 to 2026-11-21 to \(fixture.sets): 5 events of 5 sessions

        """)
    let files = ["--state", "\(fixture.directory.path)/state", "--metrics-file", "\(fixture.directory.path)/metrics"]
    try fixture.write(request + files + ["--dry-run"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path) == [])
    let told = try Self.objects(try fixture.write(request + ["--dry-run", "--summary", "json"]))
    #expect(told.map { $0["dry_run"] } == [.bool(true), .bool(true)])

    try fixture.write(request)
    try fixture.ingest([
      ExportEvent.line(1, seq: 1, at: days[0], context: "\"user_id\":\"u\""), ExportEvent.line(6, at: days[0]),
    ])
    _ = try fixture.database.psql("SELECT pagefall.erase_sessions(ARRAY['\(ExportEvent.session(2))']::uuid[])")
    let before = try fixture.traces()
    #expect(
      try fixture.write(request + ["--dry-run"]) == """
        2026-11-20  revision 2, 4 events: late events (2 events), context filled in (1 session), erased (1 event)
        would write 2026-11-20 (revision 2) to \(fixture.sets): 4 events of 3 sessions, 1 day unchanged

        """)
    #expect(try fixture.traces() == before)
    try fixture.write(request)
    #expect(try fixture.set(days[0]).manifest["events"] == .integer(4))
    #expect(try fixture.set(days[0]).manifest["sessions"] == .integer(3))
  }

  @Test func `the metrics file tells of the last success, also where nothing was due`() throws {
    let path = "\(fixture.directory.path)/pagefall.prom"
    let began = Date().timeIntervalSince1970
    try fixture.write(["--from", days[0], "--to", days[1], "--metrics-file", path])
    let first = try Self.metrics(path)
    let label = "directory=\"\(fixture.sets)\""
    let success = try #require(first["pagefall_export_last_success_timestamp_seconds{\(label)}"])
    #expect((began - 1...Date().timeIntervalSince1970 + 1).contains(success))
    #expect((0...60).contains(first["pagefall_export_duration_seconds{\(label)}"] ?? -1))
    #expect(first["pagefall_export_days_written{\(label)}"] == 2)
    for (content, rows) in [("events", 5), ("sessions", 5), ("funnel", 2), ("stories", 2)] {
      #expect(first["pagefall_export_rows{\(label),content=\"\(content)\"}"] == Double(rows))
    }
    let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(permissions as? Int == 0o644)

    try fixture.write(["--from", days[0], "--to", days[1], "--metrics-file", path])
    #expect(try Self.metrics(path)["pagefall_export_days_written{\(label)}"] == 0)

    let kept = FileManager.default.contents(atPath: path)
    let failed = try fixture.export(["--day", days[0], "--tz", "Asia/Tokyo", "--metrics-file", path])
    #expect(failed.exitCode == 2)
    #expect(FileManager.default.contents(atPath: path) == kept)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path).sorted() == ["pagefall.prom", "sets"])
  }

  @Test func `database and zone may stand in the environment, but what a run writes, and where, may not`() throws {
    let elsewhere = fixture.directory.path
    let environment = [
      "PAGEFALL_DATABASE": fixture.database.connectionString, "PAGEFALL_TZ": "Europe/Berlin",
      "PAGEFALL_OUT": "\(elsewhere)/other", "PAGEFALL_STATE": "\(elsewhere)/state",
      "PAGEFALL_METRICS_FILE": "\(elsewhere)/metrics", "PAGEFALL_DAY": days[1], "PAGEFALL_APP": "nobody",
      "PAGEFALL_WHAT": "stories", "PAGEFALL_FORMAT": "ndjson", "PAGEFALL_COMPRESS": "none", "PAGEFALL_DRY_RUN": "1",
    ]
    let words = ["export", "--day", days[0], "--out", fixture.sets]
    let run = try PagefallProcess.run(words, environment: environment)
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["sets"])
    #expect(try fixture.days() == [days[0]])
    let set = try fixture.set(days[0])
    #expect(set.manifest["timezone"] == .string("Europe/Berlin"))
    #expect(set.manifest["all_apps"] == .bool(true))
    let names = set.manifest["files"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    #expect(names == ["events.csv.gz", "sessions.csv.gz", "funnel.csv.gz", "stories.csv.gz"])
    expectRefusal(try PagefallProcess.run(Array(words.prefix(3)), environment: environment), 2, says: "--out")
  }

  @Test func `on a terminal a bar shows how far it is, and goes away`() throws {
    let script = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
    let words = [try PagefallProcess.binaryPath] + fixture.command(["--from", days[0], "--to", days[1]])
    let run = try PagefallProcess.run(["python3", "-c", script] + words, binary: "/usr/bin/env")
    #expect(run.exitCode == 0, "\(run.standardOutput)\(run.standardError)")
    #expect(run.standardOutput.contains("day 1 of 2, 3 events"), "\(run.standardOutput)")
    let pieces = run.standardOutput.components(separatedBy: "\r\u{1B}[K")
    #expect(pieces.last?.hasPrefix("wrote 2 days") == true, "\(run.standardOutput)")
  }

  @Test func `a closed standard output costs no set`() throws {
    let script = "\"$0\" \"$@\" >&-"
    let words = [try PagefallProcess.binaryPath] + fixture.command(["--day", days[0]])
    let run = try PagefallProcess.run(["-c", script] + words, binary: "/bin/sh")
    #expect(run.exitCode == 3)
    #expect(run.standardError.split(separator: "\n").count == 1)
    try fixture.expectComplete(days[0])
  }

  private static func objects(_ output: String) throws -> [JSONValue] {
    try output.split(separator: "\n").map { try JSONValue(text: $0.utf8) }
  }

  /// The values by name and labels.
  private static func metrics(_ path: String) throws -> [String: Double] {
    var values: [String: Double] = [:]
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasSuffix("\n"))
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let place = try #require(line.lastIndex(of: " "))
      let value: Double = try #require(Double(line[line.index(after: place)...]))
      values[String(line[..<place])] = value
    }
    return values
  }
}
