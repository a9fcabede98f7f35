import Foundation
import FunnelDocument
import TestSupport
import Testing

/// The options of `pagefall simulate` that make a world random, as a user gives them.
@Suite struct RandomWorldCommandTests {
  /// A file that is no viewer mix.
  private static let noMix = IntegrationTests.projectFolder + "/Package.swift"

  private static func example(_ name: String) -> String {
    IntegrationTests.projectFolder + "/Examples/\(name).json"
  }

  /// Runs `pagefall simulate` into files of a directory.
  private func simulate(
    _ arguments: [String], in directory: TemporaryDirectory
  ) throws -> (events: String, truth: JSONValue, note: String) {
    let paths = ["events", "truth"].map { "\(directory.path)/\($0)" }
    let run = try PagefallProcess.run(
      ["simulate", "--ending", "2026-11-29", "--out", paths[0], "--truth", paths[1]] + arguments)
    try #require(run.exitCode == 0, "\(run.standardError)")
    let texts = try paths.map { try String(contentsOfFile: $0, encoding: .utf8) }
    return (texts[0], try JSONValue(text: texts[1]), run.standardError)
  }

  @Test func `options that ask for nothing change nothing`() throws {
    let directory = try TemporaryDirectory()
    let plain = try simulate(["--sessions", "60"], in: directory)
    let asked = try simulate(
      [
        "--sessions", "60", "--duplicates", "0", "--reorder", "0", "--loss", "0", "--late", "0:9d", "--clock-skew", "0",
        "--retries", "0", "--fast-tappers", "0", "--weight", "3", "--environment", "simulator",
      ], in: directory)
    #expect(asked == plain)
  }

  @Test func `a truth of many mishaps is what reports show, by any of its fields`() throws {
    let directory = try TemporaryDirectory()
    let messages = try (0...1).map { number in
      let path = "\(directory.path)/\(number).json"
      try #"{"pages":[{"image":"a:b","duration":2},{"image":"a:b"}]}"#.write(
        toFile: path, atomically: true, encoding: .utf8)
      return ["--message", path, "--story", "story-\(number)", "--weight", "\(number + 1)"]
    }
    let world =
      ["--sessions", "150", "--seed", "9", "--over", "9d", "--batch", "70", "--looping"] + messages.joined() + [
        "--duplicates", "0.2", "--reorder", "0.2", "--loss", "0.1", "--late", "0.2:20d", "--clock-skew", "0.2",
        "--retries", "0.2", "--fast-tappers", "0.3", "--app-version", "1.0=3", "--app-version", "a=b",
        "--environment", "production=2", "--environment", "test", "--property", "plan=free", "--property", "plan=pro=2",
      ]
    let database = try TestDatabase.migrated()
    var isLoaded = false
    for field in ["story_id", "app_version", "environment", "property:plan", "day"] {
      let zone = field == "day" ? ["--tz", "America/New_York"] : []
      let (_, truth, note) = try simulate(world + ["--truth-by", field] + zone, in: directory)
      #expect(note.contains("lost before") && note.contains("delivered again"))
      if !isLoaded {
        let run = try PagefallProcess.run(
          ["ingest", "--database", database.connectionString, "\(directory.path)/events"])
        try #require(run.exitCode == 0, "\(run.standardError)")
        isLoaded = true
      }
      let report = try FunnelComparison.report(database.connectionString, ["--by", field] + zone)
      #expect(FunnelComparison.countDifferences(report, truth) == [])
      #expect(truth["scope"]?["timezone"] == report["scope"]?["timezone"])
      let groups = (try #require(truth["groups"]?.arrayValue), try #require(report["groups"]?.arrayValue))
      #expect(groups.0.map { $0["group"] } == groups.1.map { $0["group"] }, "\(field)")
      for (expected, found) in zip(groups.0, groups.1) {
        #expect(FunnelComparison.countDifferences(found, expected) == [], "\(field)")
      }
    }
  }

  @Test func `the truths of all surfaces are what their reports show`() throws {
    let directory = try TemporaryDirectory()
    let database = try TestDatabase.migrated()
    let truths = ["rich-media", "buttons"].map { "\(directory.path)/\($0).json" }
    let (_, _, note) = try simulate(
      [
        "--sessions", "80", "--over", "20d", "--loss", "0.1", "--duplicates", "0.1", "--truth-by", "app_version",
        "--rich-media", Self.example("rich-media"), "--rich-media-sessions", "120",
        "--categories", Self.example("register-device-response"), "--responses", "90",
        "--truth-rich-media", truths[0], "--truth-buttons", truths[1],
      ], in: directory)
    #expect(note.hasPrefix("80 sessions, 120 rich media, 90 responses, "))
    let place = ["--database", database.connectionString]
    for arguments in [
      ["ingest", "--app", "demo", "\(directory.path)/events"],
      ["category", "import", Self.example("register-device-response"), "--app", "demo"],
    ] {
      let run = try PagefallProcess.run(arguments + place)
      try #require(run.exitCode == 0, "\(run.standardError)")
    }
    for (name, path) in zip(["rich-media", "buttons"], truths) {
      let truth = try JSONValue(text: String(contentsOfFile: path, encoding: .utf8))
      let run = try PagefallProcess.run(["report", name, "--by", "app_version", "--format", "json"] + place)
      let report = try JSONValue(text: run.standardOutput)
      #expect(FunnelComparison.differences(report, truth) == [], "\(name)")
      let groups = (try #require(truth["groups"]?.arrayValue), try #require(report["groups"]?.arrayValue))
      #expect(groups.0.map { $0["group"] } == groups.1.map { $0["group"] }, "\(name)")
      for (expected, found) in zip(groups.0, groups.1) {
        #expect(FunnelComparison.differences(found, expected) == [], "\(name)")
      }
    }
  }

  @Test func `a viewer mix is refused in one line, whatever is in it`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/mix.json"
    let key = "\\u001b[2J\\u202e\\n" + String(repeating: "k", count: 1_000)
    try Data("{\"\(key)\": 1}".utf8).write(to: URL(fileURLWithPath: path))
    for (mix, exitCode) in [(path, Int32(2)), ("/dev/zero", 1)] {
      let run = try PagefallProcess.run(["simulate", "--sessions", "1", "--out", "-", "--viewer-mix", mix])
      #expect(run.exitCode == exitCode && run.standardError.utf8.count < 400, "\(run.standardError)")
      let obeyed = run.standardError.unicodeScalars.filter {
        $0.properties.generalCategory == .control || $0 == "\u{202E}"
      }
      #expect(obeyed.count == 1, "the line's end alone")
    }
  }

  @Test(
    arguments: [
      (["--loss", "2"], "--loss is '2'; expected a share from 0 to 1"),
      (["--loss", "nan"], "--loss is 'nan'; expected a share from 0 to 1"),
      (["--late", "0.1:"], "--late is '0.1:'; expected a share from 0 to 1, or a share and a span such as 0.1:2d"),
      (["--late", "0.1:0s"], "the span by which batches are late must be longer than nothing and at most 36500 days"),
      (["--clock-skew", "0.1:40000d"], "the span by which clocks are wrong must be longer than nothing"),
      (["--clock-skew", "0.1:99999999999999d"], "--clock-skew is '0.1:99999999999999d'; expected a share"),
      (["--weight", "1", "--weight", "2"], "--weight is given 2 times for 1 message; give it once for each, in order"),
      (["--story", "a", "--story", "b"], "--story is given 2 times for 1 message; give it once for each, in order"),
      (["--weight", "-1"], "--weight is '-1'; expected a number from 0 to 1000000"),
      (["--app-version", "a=0"], "app version: one of the values needs a weight above 0"),
      (["--property", "plan"], "--property is 'plan'; expected NAME=VALUE or NAME=VALUE=WEIGHT, such as plan=pro=3"),
      (
        ["--truth-by", "day"],
        "--truth-by says how the numbers of --truth, --truth-rich-media and --truth-buttons are grouped; give one of them"
      ),
      (["--truth", "/dev/null", "--truth-by", "week"], "--truth-by is 'week'; expected one of story_id, day,"),
      (["--truth", "-"], "--out and --truth name the same file"),
      (["--rich-media-sessions", "5"], "--rich-media-sessions needs --rich-media FILE"),
      (["--responses", "5"], "--responses needs --categories FILE"),
      (["--truth-rich-media", "x"], "--truth-rich-media needs --rich-media FILE"),
      (["--truth-buttons", "x"], "--truth-buttons needs --categories FILE"),
      (["--rich-media", "/nowhere"], "cannot read '/nowhere': No such file"),
      (["--rich-media", Self.noMix], "\(Self.noMix): the description of rich media is not JSON"),
      (["--categories", Self.noMix], "\(Self.noMix): not JSON"),
      (
        ["--rich-media", Self.example("rich-media"), "--rich-media-sessions", "0"],
        "--rich-media-sessions is '0'; expected a number from 1 to 100000000"
      ),
      (
        ["--rich-media", Self.example("rich-media"), "--property", "haptics=x"],
        "the property haptics is one of rich media's own; give it another name"
      ),
      (
        ["--rich-media", Self.example("rich-media"), "--truth", "t", "--truth-rich-media", "t"],
        "--truth and --truth-rich-media name the same file; the truth would take the place of the other"
      ),
      (
        ["--categories", Self.example("register-device-response"), "--truth-buttons", "-"],
        "--out and --truth-buttons name the same file; the truth would take the place of the events"
      ),
      (["--viewer-mix", "/nowhere"], "cannot read '/nowhere': No such file"),
      (["--viewer-mix", Self.noMix], "\(Self.noMix): the viewer mix is not JSON"),
    ] as [([String], String)]) func `what makes no sense is refused in one line`(arguments: [String], line: String)
    throws
  {
    let run = try PagefallProcess.run(["simulate", "--sessions", "1", "--out", "-"] + arguments)
    #expect(run.exitCode == 2 || line.contains("cannot read"))
    #expect(run.standardError.hasPrefix("pagefall: \(line)"), "\(run.standardError)")
    #expect(run.standardError.split(separator: "\n").count <= 2 && run.standardOutput == "")
  }
}
