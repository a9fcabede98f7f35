import Foundation
import FunnelDocument
import TestSupport
import Testing

/// The command line as people mistype and combine it.
@Suite struct CommandLineTests {
  /// A wrong command line, and the line that it is answered with.
  static let mistakes: [(words: [String], message: String)] = [
    (["srve"], "unknown command 'srve'; did you mean serve? (see pagefall --help)"),
    (["\u{1B}[31m"], "unknown command '\\u{1B}[31m' (see pagefall --help)"),
    (
      ["report"],
      "pagefall report needs one of: funnel, stories, rich-media, buttons, compare, sessions, session, quality, changes"
    ),
    (["key", "made"], "unknown command 'key made'; there is: create, list, revoke"),
    (
      ["report", "funnel", "--storey", "x"],
      "unknown option --storey; did you mean --story? (see pagefall report funnel --help)"
    ),
    (["report", "funnel", "--story"], "--story needs a value: --story ID (see pagefall report funnel --help)"),
    (
      ["report", "funnel", "spring-sale"],
      "pagefall report funnel takes no operands, found 'spring-sale' (see pagefall report funnel --help)"
    ),
    (["report", "funnel", "--format", "xml"], "--format is 'xml'; expected table, json, csv, markdown or html"),
    (["report", "funnel", "--order", "loose"], "--order is 'loose'; expected reached or strict"),
    (["report", "funnel", "--min-count", "0"], "--min-count is '0'; expected a number from 1 on"),
    (["serve", "--listen", "8787"], "--listen is '8787'; expected HOST:PORT, such as 127.0.0.1:8787"),
    (["serve", "--open=yes"], "--open takes no value; write it alone (see pagefall serve --help)"),
    (["serve", "--spool-max", "8GB"], "--spool-max is '8GB'; expected a size, such as 8GiB"),
    (["key", "create"], "say whose key it is: key create --app NAME"),
    (["key", "create", "--app", "x", "--right", "write"], "--right is 'write'; expected ingest or read"),
    (["key", "create", "--app", ""], "an app's name has 1 to 200 bytes and no control characters"),
    (["ingest", "/dev/null", "--app", "a\nb"], "an app's name has 1 to 200 bytes and no control characters"),
    (["key", "revoke"], "say which key: key revoke KEY (pagefall key list shows them)"),
    (["ingest"], "say what to ingest: ingest FILE… (or - for standard input)"),
    (["simulate"], "say where the events go: --out FILE (or -), or --url BASE"),
    (["simulate", "--out", "-", "--url", "http://x"], "--out and --url exclude each other"),
    (["simulate", "--out", "-", "--sessions", "-1"], "--sessions is '-1'; expected a number from 1 to 100000000"),
  ]

  @Test(arguments: mistakes.indices) func `a wrong command line is answered in one line and exit code 2`(
    index: Int
  ) throws {
    let (words, message) = Self.mistakes[index]
    let directory = try TemporaryDirectory()
    let run = try PagefallProcess.run(words, directory: directory.path)
    #expect(run.exitCode == 2)
    #expect(run.standardOutput == "")
    #expect(run.standardError == "pagefall: \(message)\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
  }

  @Test(arguments: [
    ["--from", "tomorrowish"], ["--tz", "Mars/Olympus"], ["--by", "mood"], ["--from", "2026-13-01"],
    ["--to", "\u{7}"], ["--from", "2026-11-30", "--to", "2026-11-01"],
  ])
  func `a scope that means nothing is answered in one line and exit code 2`(arguments: [String]) throws {
    let database = try TestDatabase.unchanged()
    let run = try PagefallProcess.run(
      ["report", "funnel", "--database", database.connectionString] + arguments)
    #expect(run.exitCode == 2)
    #expect(run.standardOutput == "")
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(run.standardError.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 32 })
  }

  @Test(arguments: [
    (["--tz", "Asia/Tokyo"], ["PAGEFALL_TZ": "Europe/Berlin"], true, "Asia/Tokyo"),
    ([], ["PAGEFALL_TZ": "Europe/Berlin"], true, "Europe/Berlin"), ([], [:], true, "Africa/Cairo"),
    ([], ["PAGEFALL_TZ": ""], true, "Africa/Cairo"), ([], [:], false, "UTC"),
  ])
  func `a flag wins over the environment, which wins over the file`(
    arguments: [String], environment: [String: String], hasFile: Bool, zone: String
  ) throws {
    let database = try TestDatabase.unchanged()
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/pagefall.conf"
    let text = "# ours\ntz = Africa/Cairo\ndatabase = \(database.connectionString)\n"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    var environment = environment
    if hasFile {
      environment["PAGEFALL_CONFIG"] = file
    } else {
      environment["PAGEFALL_DATABASE"] = database.connectionString
    }
    let run = try PagefallProcess.run(
      ["report", "funnel", "--format", "json"] + arguments, environment: environment)
    try #require(run.exitCode == 0, "\(run.standardError)")
    #expect(try JSONValue(text: run.standardOutput)["scope"]?["timezone"] == .string(zone))
  }

  @Test func `a closed pipe ends a command without a word`() throws {
    let script = "{ sleep 0.3; \"$1\" simulate --sessions 500 --out - 2> \"$2\"; } | true; cat \"$2\""
    let directory = try TemporaryDirectory()
    let run = try PagefallProcess.run(
      ["-c", script, "sh", PagefallProcess.binaryPath, "\(directory.path)/said"], binary: "/bin/sh")
    #expect(run.standardOutput == "")
    let help = try PagefallProcess.run(
      ["-c", "{ sleep 0.3; \"$1\" --help; } | true", "sh", PagefallProcess.binaryPath], binary: "/bin/sh")
    #expect(help.standardError == "")
  }

  @Test func `the first line of a report can be had with head`() throws {
    let database = try TestDatabase.unchanged()
    let script = "\"$1\" report funnel --database \"$2\" | head -n 1"
    let run = try PagefallProcess.run(
      ["-c", script, "sh", PagefallProcess.binaryPath, database.connectionString], binary: "/bin/sh")
    #expect(run.standardOutput.split(separator: "\n").count == 1)
    #expect(run.standardError == "")
  }

  @Test func `a full disk is told`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let run = try PagefallProcess.run(
      ["-c", "\"$1\" --help > /dev/full", "sh", PagefallProcess.binaryPath], binary: "/bin/sh")
    #expect(run.exitCode == 3)
    #expect(run.standardError.contains("cannot write to standard output: No space left on device"))
  }
}
