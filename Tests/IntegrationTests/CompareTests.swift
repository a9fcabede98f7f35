import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall report compare` and `report funnel --compare previous`, as a user meets them.
@Suite struct CompareTests {
  private static func run(_ database: TestDatabase, _ arguments: [String]) throws -> PagefallProcess.Result {
    try PagefallProcess.run(["report"] + arguments + ["--database", database.connectionString])
  }

  private static func json(_ database: TestDatabase, _ arguments: [String]) throws -> JSONValue {
    let run = try run(database, arguments + ["--format", "json"])
    try #require(run.exitCode == 0, "\(arguments): \(run.standardError)")
    return try JSONValue(text: run.standardOutput)
  }

  /// Two stories: of 40 sessions of `one`, on 1 November, 10 finish; of 40 of `two`, a day later, 30.
  private static let small = Result {
    let database = try TestDatabase.migrated()
    var lines: [String] = []
    for (day, story, finished) in [(1, "one", 10), (2, "two", 30)] {
      for number in 0..<40 {
        let minute = number < 10 ? "0\(number)" : "\(number)"
        let id = "0000000\(day)-0000-4000-8000-0000000000\(minute)"
        let at = "2026-11-0\(day)T10:\(minute):0"
        var events = [
          #"{"type":"start","session_id":"\#(id)","seq":0,"at":"\#(at)0Z","page_count":2}"#,
          #"{"type":"page_shown","session_id":"\#(id)","seq":1,"at":"\#(at)0Z","page_index":0,"page":{"title":"\#(story)"}}"#,
        ]
        if number < finished {
          events += [
            #"{"type":"page_shown","session_id":"\#(id)","seq":2,"at":"\#(at)3Z","page_index":1}"#,
            #"{"type":"finish","session_id":"\#(id)","seq":3,"at":"\#(at)6Z"}"#,
          ]
        }
        lines.append(
          #"{"context":{"story_id":"\#(story)","locale":"\#(number % 2 == 0 ? "de" : "en")"},"events":[\#(events.joined(separator: ","))]}"#
        )
      }
    }
    let run = try PagefallProcess.run(
      ["ingest", "-", "--app", "demo", "--database", database.connectionString],
      input: Array(lines.joined(separator: "\n").utf8))
    try #require(run.exitCode == 0, "\(run.standardError)")
    return database
  }

  @Test func `two stories are compared, rate by rate`() throws {
    let comparison = try Self.json(Self.small.get(), ["compare", "--a", "story=one", "--b", "story=two"])
    try ComparisonCheck.check(comparison, "one and two")
    #expect(comparison["report"] == .string("comparison") && comparison["definitions"] == .string("funnel/1"))
    #expect(comparison["a"]?["label"] == .string("story=one") && comparison["a"]?["scope"]?["story"] == .string("one"))
    #expect(comparison["presentations_in_both"] == .integer(0))
    let completion = try #require(comparison["rates"]?.arrayValue?.first)
    #expect(completion["difference"] == .number(0.5))
    // z = 0.5 ÷ √(0.5 · 0.5 · 2 ÷ 40) = 4.4721.
    #expect(abs(try #require(completion["p_value"]?.doubleValue) - 7.744e-6) < 1e-9)
    let conclusions = (comparison["conclusions"]?.arrayValue ?? []).compactMap(\.stringValue)
    #expect(conclusions.contains { $0.hasPrefix("Completion rate: B is higher, 75.0% against 25.0% (+50.0 points") })
    #expect(conclusions.contains { $0.hasPrefix("Page 0 is not the same on both sides") })
  }

  @Test func `other options hold for both sides, unless a side says otherwise`() throws {
    let database = try Self.small.get()
    func sessions(_ arguments: [String]) throws -> [Int?] {
      let comparison = try Self.json(database, ["compare"] + arguments)
      try ComparisonCheck.check(comparison, "\(arguments)")
      return [comparison["a"], comparison["b"]].map { $0?["sessions"]?.integerValue }
    }
    #expect(try sessions(["--story", "one", "--a", "locale=de", "--b", "locale=en"]) == [20, 20])
    #expect(try sessions(["--story", "one", "--a", "locale=de", "--b", "story=two"]) == [20, 40])
    #expect(try sessions(["--where", "locale=de", "--a", "story=one", "--b", "story=two,locale=en|de"]) == [20, 40])
    #expect(
      try sessions(["--to", "2026-11-01", "--a", "locale=de", "--b", "locale=de,from=2026-11-02,to=2026-11-02"]) == [
        20, 20,
      ])
    #expect(try sessions(["--from", "2026-11-02", "--a", "from=2026-11-01", "--b", "story=one"]) == [80, 0])
    #expect(
      try sessions(["--app", "demo", "--order", "strict", "--a", "app=demo,story=one", "--b", "story=two"]) == [40, 40])
  }

  @Test func `what is on both sides is counted, and makes no claim`() throws {
    let comparison = try Self.json(Self.small.get(), ["compare", "--a", "story=one|two", "--b", "story=two"])
    #expect(comparison["presentations_in_both"] == .integer(40))
    #expect(
      comparison["conclusions"]?.arrayValue?.first?.stringValue?.hasPrefix("40 presentations are on both") == true)
  }

  @Test func `a range is compared with the same number of local days before`() throws {
    let database = try Self.small.get()
    let arguments = [
      "funnel", "--from", "2026-11-02", "--to", "2026-11-02", "--tz", "Europe/Berlin", "--compare", "previous",
    ]
    let comparison = try Self.json(database, arguments)
    try ComparisonCheck.check(comparison, "previous")
    func range(_ side: String) -> [JSONValue?] {
      [comparison[side]?["scope"]?["from"], comparison[side]?["scope"]?["to"]]
    }
    #expect(range("a") == [.string("2026-11-01T00:00:00+01:00"), .string("2026-11-02T00:00:00+01:00")])
    #expect(range("b") == [.string("2026-11-02T00:00:00+01:00"), .string("2026-11-03T00:00:00+01:00")])
    for (side, days) in [("a", "2026-11-01"), ("b", "2026-11-02")] {
      let alone = try FunnelComparison.report(
        database.connectionString, ["--from", days, "--to", days, "--tz", "Europe/Berlin"])
      let ofSide = JSONValue.object(
        (alone.objectValue ?? []).filter { member in comparison[side]?[member.key] != nil })
      #expect(FunnelComparison.differences(try #require(comparison[side]), ofSide) == [])
      #expect(ofSide["pages"] != nil && ofSide["completeness"] != nil)
    }
    let table = try Self.run(database, arguments + ["--story", "two"])
    #expect(table.exitCode == 0)
    #expect(table.standardOutput.contains("story two · 2026-11-01, Europe/Berlin"))
    #expect(table.standardOutput.contains("story two · 2026-11-02, Europe/Berlin"))
  }

  @Test func `an empty side is a comparison with a sentence`() throws {
    let database = try Self.small.get()
    for format in ["table", "markdown", "json", "csv"] {
      let one = try Self.run(database, ["compare", "--a", "story=one", "--b", "locale=xx", "--format", format])
      #expect(one.exitCode == 0 && one.standardError == "")
      if format != "csv" { #expect(one.standardOutput.contains("Side B has no presentation"), "\(format)") }
      let none = try Self.run(
        try .unchanged(), ["compare", "--a", "locale=de", "--b", "locale=en", "--format", format])
      #expect(none.exitCode == 0 && none.standardError == "" && none.standardOutput != "")
    }
    let previous = try Self.run(
      database, ["funnel", "--from", "2025-01-01", "--to", "2025-01-07", "--compare", "previous"])
    #expect(previous.exitCode == 0 && previous.standardOutput.contains("nothing to compare"))
  }

  @Test(
    arguments: [
      (["compare"], "--a FILTER is missing"), (["compare", "--a", "story=one"], "--b FILTER is missing"),
      (
        ["compare", "--a", "story=one", "--b", "story=three"],
        "side B, 'story=three': there is no story 'three'; there is 'one', 'two'"
      ),
      (["compare", "--a", "app=x", "--b", "app=demo"], "there is no app 'x'; there is 'demo'"),
      (
        ["compare", "--a", "story=one", "--b", "colour=red"],
        "--b: there is no field 'colour' of sessions; there is app"
      ),
      (["compare", "--a", "story=one,from=soon", "--b", "story=two"], "--a: 'soon' is not a time; write a day"),
      (["compare", "--a", "from=2026-11-02,to=2026-11-01", "--b", "story=two"], "(2026-11-01) lies before"),
      (["compare", "--a", "from=2026-11-02", "--b", "story=two", "--to", "2026-11-01"], "lies before"),
      (["compare", "--a", "", "--b", "story=two"], "--a: '' is no condition"),
      (["compare", "--a", "story=one", "--b", "story=two", "--tz", "Mars"], "Mars"),
      (["compare", "--a", "story=one", "--b", "story=two", "--format", "xml"], "expected table"),
      (["compare", "--a", "story=one", "--b", "story=two", "--csv-exact"], "goes with --format csv"),
      (["compare", "--a", "story=one", "--b", "story=two", "--by", "locale"], "--by"),
      (["funnel", "--compare", "previous"], "needs --from"),
      (["funnel", "--compare", "next", "--from", "7d"], "expected previous"),
      (["funnel", "--compare", "previous", "--from", "7d", "--by", "locale"], "goes without --by"),
      (["funnel", "--compare", "previous", "--from", "2999-01-01"], "yet to come"),
      (["funnel", "--compare", "previous", "--from", "2026-11-02", "--to", "2026-11-01"], "lies before"),
    ] as [([String], String)])
  func `what cannot be asked is a usage error`(_ arguments: [String], _ message: String) throws {
    expectRefusal(try Self.run(Self.small.get(), arguments), 2, says: message)
  }

  @Test func `every number of drawn and odd worlds follows from the two funnels`() throws {
    for stream in UInt64(0)..<4 {
      let world = try DrawnWorld(stream: 900 + stream)
      let database = try TestDatabase.migrated()
      for (app, events) in [
        ("demo", try world.write().events), ("odd", OddHistories(stream: stream, sessions: 150).bytes),
      ] {
        let run = try PagefallProcess.run(
          ["ingest", "-", "--app", app, "--database", database.connectionString], input: events)
        try #require(run.exitCode == 0, "\(world.name): \(run.standardError)")
      }
      for (a, b) in [
        ("app=demo", "app=odd"), ("app=odd,story=odd", "app=odd,story=(none)"), ("reached_last=yes", "reached_last=no"),
        ("app=odd,weekday=Monday|Tuesday", "app=odd,weekday!=Monday|Tuesday"), ("locale=de_DE", "locale!=de_DE"),
      ] {
        let order = stream.isMultiple(of: 2) ? "reached" : "strict"
        let comparison = try Self.json(database, ["compare", "--a", a, "--b", b, "--order", order])
        try ComparisonCheck.check(comparison, "\(a) and \(b) of \(world.name)")
        #expect(comparison["presentations_in_both"] == .integer(0))
        let csv = try Self.run(database, ["compare", "--a", a, "--b", b, "--order", order, "--format", "csv"])
        let lines = try StrictCSV(Array(csv.standardOutput.utf8)).records
        #expect(lines.count == 1 + 4 + 4 * (comparison["pages"]?.arrayValue?.count ?? 0))
        #expect(Set(lines.map(\.count)).count == 1)
      }
    }
  }
}
