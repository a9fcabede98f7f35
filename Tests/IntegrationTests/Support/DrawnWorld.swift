import Foundation
import TestSupport
import Testing

/// A world of `pagefall simulate`, drawn from the seed: stories of odd pages, looping or not, any length of time.
final class DrawnWorld: Sendable {
  /// The messages, in files `story-0.json` and so on.
  private let messages: [String]
  private let options: [String]
  private let directory: TemporaryDirectory
  /// For the messages of failing tests.
  let name: String

  /// Draws one.
  /// - Parameters:
  ///   - stream: another number draws another world.
  ///   - endsNow: whether its time is the present, as for events that are sent over HTTP.
  init(stream: UInt64, endsNow: Bool = false) throws {
    var generator = SeededGenerator(seed: SeededGenerator.worldsSeed, stream: stream)
    name = "world \(stream) of PAGEFALL_WORLDS_SEED=\(SeededGenerator.worldsSeed)"
    print(name)
    directory = try TemporaryDirectory()
    let directory = directory.path
    messages = try (0..<Int.random(in: 1...3, using: &generator)).map { number in
      let path = "\(directory)/story-\(number).json"
      try Data(Self.message(&generator).utf8).write(to: URL(fileURLWithPath: path))
      return path
    }
    var options = [
      "--seed", String(generator.next()), "--sessions", String(Int.random(in: 1...400, using: &generator)),
    ]
    options += ["--fallbacks", String(Double.random(in: 0...0.3, using: &generator))]
    options += ["--over", "\(Int.random(in: 1...(endsNow ? 20 : 380), using: &generator))d"]
    // Said also where it is the present: the same world twice has the same bytes.
    options += ["--ending", endsNow ? Date().formatted(.iso8601) : "2026-11-29T12:34:56Z"]
    if Bool.random(using: &generator) { options.append("--looping") }
    if Bool.random(using: &generator) { options += ["--batch", String(Int.random(in: 1...600, using: &generator))] }
    self.options = options
  }

  /// What it writes.
  struct Written {
    /// NDJSON, a batch a line.
    let events: [UInt8]
    let truth: [UInt8]
  }

  /// Simulates it into a file.
  func write() throws -> Written {
    let path = directory.path
    let run = try PagefallProcess.run(arguments + ["--out", "\(path)/events.ndjson", "--truth", "\(path)/truth.json"])
    try #require(run.exitCode == 0, "\(run.standardError)")
    return Written(events: try bytes("\(path)/events.ndjson"), truth: try bytes("\(path)/truth.json"))
  }

  /// Simulates it and sends its events.
  /// - Returns: the truth.
  func send(port: Int, key: String) throws -> [UInt8] {
    let path = directory.path + "/truth-\(port).json"
    let run = try PagefallProcess.run(
      arguments + ["--url", "http://127.0.0.1:\(port)", "--key", key, "--truth", path])
    try #require(run.exitCode == 0, "\(run.standardError)")
    return try bytes(path)
  }

  /// How many events it has: the summary of a simulation says so.
  func eventCount() throws -> Int {
    let run = try PagefallProcess.run(arguments + ["--out", "/dev/null"])
    let words = run.standardError.split(separator: " ")
    let place = try #require(words.firstIndex { $0 == "events" }, "\(run.standardError)")
    return try #require(Int(words[place - 1]))
  }

  private var arguments: [String] { ["simulate"] + options + messages.flatMap { ["--message", $0] } }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try #require(FileManager.default.contents(atPath: path)))
  }

  /// A message in one of the forms that phones and senders know, some of its pages of no use.
  private static func message(_ generator: inout SeededGenerator) -> String {
    var pages = (0...Int.random(in: 0...5, using: &generator)).map { number in
      let duration = ["0.001", "0.25", "1", "4.5", "99", "\"5\"", "null"].randomElement(using: &generator) ?? "5"
      let button = Bool.random(using: &generator) ? ", \"link\": \"app://\(number)\", \"button_title\": \"Go\"" : ""
      let title = Bool.random(using: &generator) ? ", \"title\": \"Page \(number) \\\"ü\\u2028\\\"\"" : ""
      return "{\"image\": \"https://example.com/\(number).jpg\", \"duration\": \(duration)\(button)\(title)}"
    }
    if Bool.random(using: &generator) { pages.insert("{\"title\": \"without an image\"}", at: 0) }
    let block = "{\"pages\": [\(pages.joined(separator: ", "))]}"
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: return "{\"pw_stories\": \(block)}"
    case 1: return "{\"u\": {\"pw_stories\": \(block)}}"
    default: return "{\"request\": {\"notifications\": [{\"data\": {\"pw_stories\": \(block)}}]}}"
    }
  }
}
