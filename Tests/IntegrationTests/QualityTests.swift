import Foundation
import FunnelDocument
import StoryEvents
import TestSupport
import Testing

/// `pagefall report quality` on what the real store made of lost, repeated, contradicting, late and refused events.
@Suite struct QualityTests {
  /// 60 sessions, one an hour, of which the test knows everything.
  struct World {
    let database: TestDatabase

    init() throws {
      database = try TestDatabase.migrated()
      let lines = (0..<60).map(Self.line)
      // Twice: all are duplicates the second time.
      try ingest(lines + ["{\"type\":\"start\",\"seq\":-1}"])
      try ingest(lines + ["{\"type\":\"start\",\"seq\":-1}"])
      let first = Self.id(0)
      try ingest(["\(Self.event(first, 0, "finish", at: Self.base))"])
      try ingest(["\(Self.event(first, 9, "finish", at: Self.base))"], app: "news")
    }

    /// 2026-11-20T00:00:00Z, in milliseconds.
    static let base: Int64 = 1_795_132_800_000

    /// Of every third session an event is lost; every tenth, from the second on, came from a clock two hours behind; two
    /// have a clock a day ahead.
    private static func line(_ number: Int) -> String {
      let start = base + Int64(number) * 3_600_000
      let isBehind = number % 10 == 1
      let isSuspect = number % 30 == 5
      let received = isSuspect ? start - 86_400_000 : start + Int64(number + 1) * 1_000
      let clock: Int64 = isBehind ? -7_200_000 : 0
      let id = id(number)
      var events = [
        event(id, 0, "start", at: start + clock, #","page_count":2"#),
        event(id, 1, "page_shown", at: start + clock, #","page_index":0"#),
        event(id, 2, "page_shown", at: start + clock + 900, #","page_index":1"#),
        event(id, 3, number == 7 ? "fallback" : "finish", at: start + clock + 1_800),
      ]
      if number % 3 == 0 { events.remove(at: 2) }
      return """
        {"sent_at":\(received + clock),"received_at":\(received),"dropped_events_total":\(number % 5),\
        "context":{"story_id":"s","app_version":"\(number % 3 == 0 ? "4.0.0" : "4.2.0")","device_id":"d\(number % 2)"},\
        "events":[\(events.joined(separator: ","))]}
        """
        .replacingOccurrences(of: "\"sent_at\":\(received + clock)", with: "\"sent_at\":\"\(time(received + clock))\"")
        .replacingOccurrences(of: "\"received_at\":\(received)", with: "\"received_at\":\"\(time(received))\"")
    }

    static func id(_ number: Int) -> String {
      let clock: Int64 = number % 10 == 1 ? -7_200_000 : 0
      return SessionID(
        millisecondsSince1970: UInt64(base + Int64(number) * 3_600_000 + clock), randomHigh: 0,
        randomLow: UInt64(number)
      ).description
    }

    static func event(_ id: String, _ seq: Int, _ type: String, at: Int64, _ fields: String = "") -> String {
      #"{"type":"\#(type)","session_id":"\#(id)","seq":\#(seq),"at":\#(at)\#(fields)}"#
    }

    private static func time(_ milliseconds: Int64) -> String {
      Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
        .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private func ingest(_ lines: [String], app: String = "shop") throws {
      let run = try PagefallProcess.run(
        ["ingest", "-", "--app", app, "--database", database.connectionString],
        input: Array(lines.joined(separator: "\n").utf8))
      try #require(run.exitCode == 0 || run.exitCode == 1, "\(run.standardError)")
    }

    func report(_ kind: String, _ arguments: [String] = [], format: String = "json") throws -> PagefallProcess.Result {
      try PagefallProcess.run(
        ["report", kind, "--format", format, "--database", database.connectionString] + arguments)
    }

    func json(_ kind: String, _ arguments: [String] = []) throws -> JSONValue {
      let run = try report(kind, arguments)
      try #require(run.exitCode == 0, "\(run.standardError)")
      return try JSONValue(text: run.standardOutput)
    }
  }

  /// One database for all that only read.
  private static let shared = Result { try World() }

  @Test func `the report knows what became of every event`() throws {
    let report = try Self.shared.get().json("quality")
    #expect(report["report"] == .string("quality") && report["definitions"] == .string("funnel/1"))
    let expected: [String: Int] = [
      "presentations": 60, "sessions": 60, "expected_events": 240, "missing_events": 20,
      "sessions_with_missing_events": 20, "sessions_without_start": 0, "suspect_clock_sessions": 2,
      "offset_clock_sessions": 6,
    ]
    for (key, count) in expected { #expect(report[key]?.integerValue == count, "\(key)") }
    let versions = try #require(report["app_versions"]?.arrayValue)
    #expect(versions.map { $0["app_version"]?.stringValue } == ["4.2.0", "4.0.0"])
    #expect(versions.map { $0["missing_events"]?.integerValue } == [0, 20])
    let verdict = try #require(report["verdict"]?.arrayValue)
    #expect(verdict.contains { $0["code"] == .string("missing_events_of_version") })
    let clocks = try #require(report["clock_offsets"])
    #expect(clocks["median_s"]?.doubleValue == 7_200 && clocks["furthest_ahead_s"]?.isNull == true)
    let delay = try #require(report["arrival_delay"])
    #expect(delay["sessions"]?.integerValue == 58 && delay["p99_s"]?.doubleValue == 60)
    let accepted = try #require(report["accepted_events"])
    let fates = [
      "accepted": 442, "stored": 220, "duplicate": 220, "conflicting_duplicate": 1, "foreign_session": 1, "expired": 0,
      "refused_by_database": 0,
    ]
    for (fate, count) in fates { #expect(accepted[fate]?.integerValue == count, "\(fate)") }
    #expect(accepted["apps"]?.arrayValue?.map { $0["app"]?.stringValue } == ["news", "shop"])
    let rejected = try #require(report["rejected_events"]?.arrayValue).map { reason in
      "\(reason["app"]?.stringValue ?? "") \(reason["code"]?.stringValue ?? "") \(reason["events"]?.integerValue ?? 0) "
        + "\(reason["times"]?.integerValue ?? 0)"
    }
    #expect(rejected == ["news foreign_session 1 1", "shop conflicting_duplicate 1 1", "shop missing_field 1 2"])
    #expect(
      report["fallbacks"]?.arrayValue?.first?["share"]?.doubleValue == 1.0 / 60)
    #expect(report["dropped_by_devices"]?.arrayValue?.first?["events"]?.integerValue == 8)
  }

  @Test(arguments: [
    [], ["--from", "2026-11-21", "--tz", "Europe/Berlin"], ["--where", "app_version=4.0.0"], ["--app", "shop"],
    ["--story", "s", "--to", "2026-11-20"], ["--where", "suspect_clock=no", "--where", "missing_events=yes"],
    ["--from", "2020-01-01", "--to", "2020-01-31"],
  ])
  func `it agrees with the completeness of the funnel of the same sessions`(arguments: [String]) throws {
    let world = try Self.shared.get()
    let quality = try world.json("quality", arguments)
    let funnel = try world.json("funnel", arguments)
    #expect(quality["scope"]?["from"] == funnel["scope"]?["from"])
    for key in ["presentations", "sessions"] { #expect(quality[key] == funnel[key], "\(key)") }
    let completeness = try #require(funnel["completeness"]?.objectValue)
    for member in completeness where member.value.integerValue != nil && member.key != "dropped_by_devices" {
      #expect(quality[member.key] == member.value, "\(member.key)")
    }
    for part in ["app_versions", "days", "app_version_days"] {
      let lines = try #require(quality[part]?.arrayValue)
      for key in ["sessions", "expected_events", "missing_events"] {
        let sum = lines.reduce(0) { $0 + ($1[key]?.integerValue ?? 0) }
        #expect(sum == quality[key]?.integerValue, "\(part) \(key)")
      }
    }
    var reasons: [String: Int] = [:]
    for reason in quality["rejected_events"]?.arrayValue ?? [] {
      reasons[reason["code"]?.stringValue ?? "", default: 0] += reason["events"]?.integerValue ?? 0
    }
    let same = funnel["completeness"]?["rejected_events"]?.objectValue?.map {
      "\($0.key) \($0.value.integerValue ?? 0)"
    }
    #expect(same == reasons.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
  }

  @Test func `the command that it shows lists the rejected events that it counts`() throws {
    let world = try Self.shared.get()
    let table = try world.report("quality", ["--app", "shop"], format: "table").standardOutput
    let lines = table.components(separatedBy: "\n")
    let place = try #require(lines.firstIndex(of: "See them:"))
    let words = lines[place + 1].split(separator: " ").dropFirst().map(String.init)
    let run = try PagefallProcess.run(words + ["--database", world.database.connectionString])
    #expect(run.exitCode == 0 && run.standardOutput.contains("2 of 2 rejected events"), "\(words) \(run.standardError)")
  }

  @Test func `an empty database and an empty scope are a sentence`() throws {
    for format in ["table", "json", "csv"] {
      let run = try PagefallProcess.run(
        ["report", "quality", "--format", format, "--database", TestDatabase.unchanged().connectionString])
      #expect(run.exitCode == 0 && run.standardError.isEmpty)
      if format == "table" { #expect(run.standardOutput.contains("No app has sent anything yet.")) }
    }
    let run = try Self.shared.get().report("quality", ["--from", "2020-01-01", "--to", "2020-01-02"], format: "table")
    #expect(run.exitCode == 0 && run.standardOutput.contains("No story was shown here; widen"))
  }

  @Test(arguments: [
    (["--app", "nobody"], "there is no app 'nobody'; there is 'news', 'shop'"),
    (["--story", "sprnig"], "there is no story 'sprnig'; there is 's'"),
    (["--from", "2026-11-02", "--to", "2026-11-01"], "lies before --from"), (["--tz", "Mars"], "no time zone"),
    (["--where", "colour=red"], "there is no field 'colour'"), (["--csv-exact"], "--csv-exact goes with"),
    (["--format", "xml"], "expected table, json or csv"),
  ])
  func `a question that cannot be asked is told in one line`(arguments: [String], part: String) throws {
    let world = try Self.shared.get()
    let run = try PagefallProcess.run(
      ["report", "quality", "--database", world.database.connectionString] + arguments)
    #expect(run.exitCode == 2 && run.standardOutput.isEmpty)
    #expect(
      run.standardError.split(separator: "\n").count == 1 && run.standardError.contains(part), "\(run.standardError)")
  }

  @Test func `the report role may read all that it needs`() throws {
    let world = try World()
    let role = "\(world.database.name)_analyst"
    _ = try world.database.psql("CREATE ROLE \(role)")
    defer { _ = try? world.database.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
    func run() throws -> PagefallProcess.Result {
      try PagefallProcess.run(
        ["report", "quality", "--database", world.database.connectionString],
        environment: ["PGOPTIONS": "-c role=\(role)"])
    }
    #expect(try run().exitCode == 3)
    _ = try world.database.psql("SELECT pagefall.grant_report('\(role)')")
    let granted = try run()
    #expect(granted.exitCode == 0, "\(granted.standardError)")
  }
}

/// docs/quality.md: what it shows is what is printed, and its commands work as they stand.
@Suite struct QualityDocumentTests {
  private static func document() throws -> String {
    try String(contentsOfFile: "\(IntegrationTests.projectFolder)/docs/quality.md", encoding: .utf8)
  }

  @Test func `its example is a report as it is printed`() throws {
    let golden = try String(
      contentsOfFile: "\(IntegrationTests.projectFolder)/Tests/Fixtures/reports/quality-80.txt", encoding: .utf8)
    #expect(try Self.document().contains("```\n\(golden)```\n"))
  }

  @Test func `its commands can be pasted`() throws {
    let document = try Self.document()
    let block = try #require(document.components(separatedBy: "```sh\n").dropFirst().first)
    let commands = try #require(block.components(separatedBy: "```").first).split(separator: "\n").map(String.init)
    #expect(commands.count == 4)
    let world = try QualityTests.World()
    let directory = try TemporaryDirectory()
    for command in commands {
      // The only story of this world has another name.
      let words = command.replacingOccurrences(of: "spring-sale", with: "s").split(separator: " ").map(String.init)
      let run = try PagefallProcess.run(
        Array(words.dropFirst()), environment: ["PAGEFALL_DATABASE": world.database.connectionString],
        directory: directory.path)
      #expect(run.exitCode == 0 && run.standardError.isEmpty, "\(command): \(run.standardError)")
    }
    let csv = try String(contentsOfFile: "\(directory.path)/quality.csv", encoding: .utf8)
    #expect(csv.hasPrefix("part,app,app_version,day,sessions"))
  }

  @Test func `it names every finding and every key`() throws {
    let document = try Self.document()
    let world = try QualityTests.World()
    let json = try world.json("quality")
    var keys: Set<String> = []
    func collect(_ value: JSONValue) {
      for member in value.objectValue ?? [] {
        keys.insert(member.key)
        collect(member.value)
      }
      for element in value.arrayValue ?? [] { collect(element) }
    }
    for member in json.objectValue ?? [] where member.key != "scope" {
      keys.insert(member.key)
      collect(member.value)
    }
    let fates = ["duplicate", "conflicting_duplicate", "foreign_session", "expired", "refused_by_database"]
    for key in keys.subtracting(fates).subtracting(fates.map { $0 + "_rate" }) {
      #expect(document.contains("`\(key)`"), "\(key)")
    }
  }
}
