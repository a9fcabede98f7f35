import Foundation
import FunnelDocument
import TestSupport
import Testing

/// A world of several messages, some of their pages of no use, for `pagefall simulate --client`.
final class ClientWorld {
  /// Where its files lie.
  let directory: TemporaryDirectory
  /// Without a place to send to.
  let arguments: [String]

  /// What a phone reads of the second message: the first page has no image, so page 0 is the second of the payload.
  static let messages = [
    #"{"notifications":[{"data":{"pw_stories":{"pages":[{"image":"a:0","duration":0.25,"title":"P0"},{"image":"a:1"}]}}}]}"#,
    #"{"u":"{\"pw_stories\":{\"pages\":[{\"title\":\"?\"},{\"image\":\"a:1\",\"link\":\"a:b\",\"button_title\":\"Go\"},"#
      + #"{\"image\":7},{\"image\":\"a:3\",\"duration\":1.5}]}}"}"#,
    #"{"pw_stories":{"pages":[],"story_id":"empty"}}"#,
    #"{"aps":{"alert":"no story at all"}}"#,
  ]

  init(seed: Int, sessions: Int, messages count: Int, _ more: [String] = []) throws {
    directory = try TemporaryDirectory()
    let path = directory.path
    let files = try Self.messages.prefix(count).enumerated().map { number, message in
      try Data(message.utf8).write(to: URL(fileURLWithPath: "\(path)/story-\(number).json"))
      return "\(path)/story-\(number).json"
    }
    let example = { (name: String) in IntegrationTests.projectFolder + "/Examples/\(name).json" }
    arguments =
      ["simulate", "--seed", "\(seed)", "--sessions", "\(sessions)", "--fallbacks", "0.3"] + more
      + files.flatMap { ["--message", $0] }
      + ["--rich-media", example("rich-media"), "--rich-media-sessions", "\(sessions)"]
      + ["--categories", example("register-device-response"), "--responses", "\(sessions / 2)"]
  }

  /// What the three reports must show, by their names.
  var truthPaths: [(report: String, option: String, path: String)] {
    [
      ("funnel", "--truth", "funnel"), ("rich-media", "--truth-rich-media", "rich"),
      ("buttons", "--truth-buttons", "b"),
    ]
    .map { (report: $0, option: $1, path: "\(directory.path)/truth-\($2).json") }
  }

  /// The command that sends it, with its truths.
  func command(port: Int, key: String) -> [String] {
    arguments + ["--url", "http://127.0.0.1:\(port)", "--key", key]
      + truthPaths.flatMap { [$0.option, $0.path] }
  }

  /// The number of events that a summary tells of.
  static func eventCount(_ note: String) throws -> Int {
    let words = note.split(separator: " ")
    let place = try #require(words.firstIndex { $0 == "events" }, "\(note)")
    return try #require(Int(words[place - 1]))
  }

  /// Expects that all three reports show the truth, and the groups of it where there are some.
  func checkTruths(in connectionString: String, _ arguments: [String] = []) throws {
    let place = ["--database", connectionString]
    let categories = IntegrationTests.projectFolder + "/Examples/register-device-response.json"
    let imported = try PagefallProcess.run(["category", "import", categories, "--app", "demo"] + place)
    try #require(imported.exitCode == 0, "\(imported.standardError)")
    for (name, _, path) in truthPaths {
      let truth = try JSONValue(text: String(contentsOfFile: path, encoding: .utf8))
      let run = try PagefallProcess.run(["report", name, "--format", "json"] + place + arguments)
      let report = try JSONValue(text: run.standardOutput)
      #expect(FunnelComparison.countDifferences(report, truth) == [], "\(name)")
      let groups = truth["groups"]?.arrayValue?.filter { $0["presentations"] != .integer(0) } ?? []
      let isWhole = truth["groups"] == nil || name == "buttons" || groups.count == report["groups"]?.arrayValue?.count
      #expect(isWhole, "\(name)")
      for group in groups {
        let same = report["groups"]?.arrayValue?.first { $0["group"] == group["group"] }
        #expect(
          try FunnelComparison.countDifferences(#require(same), group) == [], "\(name): \(group["group"]?.text() ?? "")"
        )
      }
    }
  }
}
