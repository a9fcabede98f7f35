import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall report stories`, and the breakdowns of `pagefall report funnel`, as one asks for them.
@Suite struct StoriesTests {
  private func report(_ arguments: [String], _ database: TestDatabase) throws -> PagefallProcess.Result {
    try PagefallProcess.run(["report"] + arguments + ["--database", database.connectionString])
  }

  private func json(_ arguments: [String], _ database: TestDatabase) throws -> JSONValue {
    let run = try report(arguments + ["--format", "json"], database)
    try #require(run.exitCode == 0, "\(arguments): \(run.standardError)")
    return try JSONValue(text: run.standardOutput.utf8)
  }

  /// A drawn world as two apps.
  private func world(stream: UInt64) throws -> TestDatabase {
    let database = try TestDatabase.migrated()
    for app in 0...1 {
      let events = try DrawnWorld(stream: stream + UInt64(app)).write().events
      let run = try PagefallProcess.run(
        ["ingest", "-", "--app", app == 0 ? "shop" : "news", "--database", database.connectionString], input: events)
      try #require(run.exitCode == 0, "\(run.standardError)")
    }
    return database
  }

  @Test func `each story has the numbers of its funnel, and all together those of all`() throws {
    let database = try world(stream: 900)
    let stories = try json(["stories", "--devices", "--tz", "Europe/Berlin"], database)
    #expect(stories["report"] == .string("stories") && stories["definitions"] == .string("funnel/1"))
    let lines = try #require(stories["stories"]?.arrayValue)
    #expect(!lines.isEmpty)
    for (line, extra) in lines.map({ ($0, true) }) + [(try #require(stories["total"]), false)] {
      var arguments = ["funnel", "--devices"]
      if extra {
        arguments += [
          "--app", try #require(line["app"]?.stringValue), "--story", try #require(line["story"]?.stringValue),
        ]
      }
      let funnel = try json(arguments, database)
      for member in line.objectValue ?? []
      where !["app", "story", "pages", "first_seen", "last_seen", "sessions_by_day"].contains(member.key) {
        #expect(member.value == funnel[member.key] || member.key == "completeness", "\(member.key)")
      }
      #expect(line["completeness"]?["missing_events"] == funnel["completeness"]?["missing_events"])
      #expect(line["pages"]?.integerValue == funnel["pages"]?.arrayValue?.count)
      let days = line["sessions_by_day"]?.arrayValue?.compactMap(\.integerValue)
      #expect(days?.reduce(0, +) == line["sessions"]?.integerValue && days?.count == stories["days"]?.arrayValue?.count)
    }
  }

  @Test func `every format of every report says what was asked`() throws {
    let database = try world(stream: 910)
    for command in [["stories"], ["funnel", "--by", "hour", "--top", "2"]] {
      for format in ["table", "json", "csv", "markdown"] {
        let run = try report(command + ["--where", "tapped=no|yes", "--devices", "--format", format], database)
        try #require(run.exitCode == 0, "\(run.standardError)")
        let marked = format == "markdown" ? "tapped=no\\|yes" : "tapped=no|yes"
        #expect(run.standardOutput.contains(marked), "\(command) \(format)")
        #expect(command[0] == "stories" || run.standardOutput.contains("(other)"), "\(format)")
      }
    }
    // A narrow terminal gets what fits.
    let run = try PagefallProcess.run(
      ["report", "stories", "--database", database.connectionString], environment: ["COLUMNS": "64"])
    #expect(run.exitCode == 0 && run.standardOutput.contains("finished"))
  }

  @Test func `conditions and their opposites add up to everything`() throws {
    let database = try world(stream: 920)
    let all = try json(["funnel"], database)
    for (field, value) in [
      ("app", "shop"), ("finished", "yes"), ("weekday", "Monday|Tuesday"), ("story", "(none)"), ("locale", "de_DE"),
    ] {
      let parts = try ["=", "!="].map { try json(["funnel", "--where", field + $0 + value], database) }
      for key in ["presentations", "fallbacks", "sessions", "finished_sessions", "tapped_sessions"] {
        let sum = parts.compactMap { $0[key]?.integerValue }.reduce(0, +)
        #expect(sum == all[key]?.integerValue, "\(field) \(key)")
      }
    }
  }

  @Test(arguments: [
    (["stories", "--story", "autumn"], "there is no story 'autumn'"),
    (["stories", "--app", "nwes"], "there is no app 'nwes'; there is"),
    (["stories", "--where", "story=autumn"], "there is no story 'autumn'"),
    (["stories", "--where", "app=nwes"], "there is no app 'nwes'"),
    (["stories", "--where", "colour=red"], "there is no field 'colour' of sessions; there is app, story_id"),
    (["stories", "--where", "colour"], "'colour' is no condition"), (["stories", "--where", ""], "is no condition"),
    (["stories", "--where", "hour=24"], "'24' is no hour; write an hour, 00 to 23"),
    (["stories", "--where", "from=7d"], "from= is no condition; write --from TIME"),
    (["stories", "--sort", "colour"], "there is no column 'colour' of stories; there is app, story"),
    (["stories", "--sort", "devices"], "--devices"), (["stories", "--limit", "0"], "--limit is '0'"),
    (["stories", "--tz", "Mars/Olympus"], "Mars/Olympus"), (["stories", "--from", "2026-13-01"], "2026-13-01"),
    (["stories", "--from", "2026-11-30", "--to", "2026-11-01"], "before"),
    (["stories", "--csv-exact"], "--csv-exact goes with --format csv"),
    (["funnel", "--by", "colour"], "there is no field 'colour'"),
    (["funnel", "--top", "3"], "--top goes with --by FIELD"),
    (["funnel", "--by", "day", "--top", "0"], "--top is '0'; expected a number from 1 to 10000"),
    (["funnel", "--by", "day", "--top", "10001"], "expected a number from 1 to 10000"),
  ])
  func `what is not there is answered with what is, in one line`(_ arguments: [String], _ words: String) throws {
    expectRefusal(try report(arguments, try world(stream: 930)), 2, says: words)
  }

  @Test func `a value that nobody has is an empty report and no failure`() throws {
    let database = try world(stream: 940)
    for command in ["stories", "funnel"] {
      for format in ["table", "markdown"] {
        let run = try report([command, "--where", "app_version=never", "--format", format], database)
        #expect(
          run.exitCode == 0 && run.standardOutput.contains("No story was shown here; widen"), "\(run.standardError)")
      }
      #expect(
        try json([command, "--where", "app_version=never"], database)[command == "funnel" ? "pages" : "stories"]
          == .array([]))
    }
    let empty = try TestDatabase.migrated()
    let run = try report(["stories"], empty)
    #expect(run.exitCode == 0 && run.standardOutput.contains("No app has sent anything yet."))
  }
}

/// The blocks of docs/reports.md, pasted one after the other.
@Suite struct ReportDocsTests {
  @Test func `who pastes the examples gets reports`() throws {
    let blocks = try ReadmeBlock.all(of: "docs/reports.md")
    #expect(blocks.map(\.language) == Array(repeating: "sh", count: 5))
    let place = try ExportDocsPlace()
    var printed: [String] = []
    for block in blocks {
      // Line by line, so that each has to succeed.
      for line in block.text.split(separator: "\n") {
        printed.append(try place.succeed("/bin/bash", ["-euo", "pipefail", "-c", "\(line) 2> progress.txt"]))
      }
    }
    #expect(printed.filter { $0.hasPrefix("Stories in use") }.count == 4)
    #expect(printed.filter { $0.contains("Funnel of all stories") }.count >= 6)
    #expect(printed.contains { $0.contains("(other) is ") })
    #expect(FileManager.default.fileExists(atPath: "\(place.path)/stories.csv"))
  }
}
