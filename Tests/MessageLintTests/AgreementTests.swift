import FunnelDocument
import StoryPlayback
import TestSupport
import Testing

@testable import MessageLint

/// Whatever a file holds, lint plays what the player's own reader plays.
@Suite struct AgreementTests {
  @Test(arguments: [
    #"{"pages":[{"image":"a:b"}]}"#, #"{"pages":[{"image":"a:b"}],"u":{}}"#, #"{"pages":7,"aps":{}}"#,
    #"{"request":{"notifications":[{"data":{"pw_stories":{"pages":[{"image":"a:b"}]}}}]}}"#,
    #"{"request":7,"pw_stories":{"pages":[{"image":"a:b"}]}}"#, #"{"request":null,"pages":[]}"#,
    #"{"notifications":[{"ios_root_params":{"u":{"pw_stories":{"pages":[]}}}}]}"#,
    #"{"notifications":[{"ios_root_params":{"u":{"pw_stories":{"pages":[{"image":"a:b"}]}}},"data":null}]}"#,
    #"{"notifications":[{"ios_root_params":7,"data":{"pw_stories":{"pages":[{"image":"a:b"}]}}}]}"#,
    #"{"notifications":[{"ios_root_params":{"userdata":"{\"pw_stories\":{\"pages\":[{\"image\":\"a:b\"}]}}"}}]}"#,
    #"{"pw_stories":{"pages":7},"u":{"pw_stories":{"pages":[{"image":"a:b"}]}}}"#,
    #"{"pw_stories":{"pages":[{"image":"a:b","image":"c:d","duration":1,"duration":2}]},"pw_stories":"x"}"#,
    #"{"u":"{\"pw_stories\":{\"pages\":[{\"image\":\"a:b\"}],\"pages\":[]}}"}"#,
  ]) func `a form is told as the reader tells it`(text: String) throws { try compare(text) }

  @Test func `random messages are read as the reader reads them`() throws {
    let seed = SeededGenerator.worldsSeed
    var generator = SeededGenerator(seed: seed)
    for round in 0..<1500 {
      try compare(Self.message(&generator), "seed \(seed), round \(round)")
    }
  }

  @Test func `no bytes stop it, and whatever it says can be printed`() throws {
    let seed = SeededGenerator.worldsSeed
    var generator = SeededGenerator(seed: seed, stream: 1)
    let files = try ["spring-sale", "hostile", "fallback"].map { try projectFile("Tests/Fixtures/lint/\($0).json") }
    for round in 0..<600 {
      var bytes = files[round % files.count]
      for _ in 0...Int.random(in: 0..<4, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case _: bytes.insert(contentsOf: Array("{}[]\",:0".utf8).shuffled(using: &generator).prefix(1), at: place)
        }
      }
      let report = LintReport(files: [MessageLint().lint(bytes, name: "x")])
      #expect(try JSONValue(text: report.json)["lint"] == .string("lint/1"), "seed \(seed), round \(round)")
      #expect(report.text(columns: 80).hasPrefix("x"), "seed \(seed), round \(round)")
      _ = try? SimulatorPush(message: bytes, notification: nil, bundleIdentifier: "a.b")
    }
  }

  /// Compares a file of one notification.
  private func compare(_ text: String, _ comment: Comment? = nil) throws {
    let read: StoryPayload
    do {
      read = try StoryPayload(bytes: text.utf8)
    } catch {
      #expect(lint(text).notifications.isEmpty, comment)
      return
    }
    let notification = try #require(lint(text).notifications.first, comment)
    #expect(notification.outcome == read.outcome, comment)
    #expect(notification.storyID == read.storyID, comment)
    let codes = notification.findings.map(\.code)
    for dropped in read.droppedPages {
      #expect(codes.contains { $0.rawValue == dropped.reason.rawValue }, comment)
    }
    if case .fallback(let reason) = read.outcome {
      #expect(codes.contains { $0.rawValue == reason.rawValue }, comment)
      #expect(notification.findings.first?.severity == .error, comment)
    }
  }

  /// A message that is mostly well made, from parts that each go wrong now and then.
  private static func message(_ generator: inout SeededGenerator) -> String {
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
    let odd = ["null", "7", "true", "\"\"", "\"x\"", "[]", "{}", "-1", "1e3", "0.5", "99", "\"a b:c\"", "\"://x\""]
    func value(_ usual: String) -> String { Int.random(in: 0..<4, using: &generator) == 0 ? pick(odd) : usual }
    func page() -> String {
      var members: [String] = []
      for (key, usual) in [
        ("image", "\"https://e.example/1.jpg\""), ("duration", "4"), ("link", "\"a:b\""), ("button_title", "\"Go\""),
        ("title", "\"T\""), ("subtitle", "\"S\""),
      ] where Int.random(in: 0..<5, using: &generator) > 0 {
        members.append("\"\(key)\":\(value(usual))")
      }
      return "{\(members.joined(separator: ","))}"
    }
    let pages = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in
      Int.random(in: 0..<12, using: &generator) == 0 ? pick(odd) : page()
    }
    let block = value("{\"story_id\":\(value("\"s\"")),\"pages\":\(value("[\(pages.joined(separator: ","))]"))}")
    let data = value("{\"pw_stories\":\(block)}")
    let string = "\"\(data.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    return switch Int.random(in: 0..<7, using: &generator) {
    case 0: block
    case 1: "{\"aps\":{},\"u\":\(data)}"
    case 2: "{\"u\":\(string)}"
    case 3: "{\"pw_stories\":\(block),\"u\":\(data),\"userdata\":\(string)}"
    case 4: "{\"notifications\":[{\"data\":\(string),\"ios_root_params\":\(value("{\"userdata\":\(data)}"))}]}"
    case 5: "{\"request\":{\"notifications\":[{\"data\":\(data)}]}}"
    case _: "{\"userdata\":\(data),\"pages\":\(value("[]"))}"
    }
  }
}
