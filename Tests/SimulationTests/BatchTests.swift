import Foundation
import FunnelDocument
import Simulation
import StoryEvents
import StoryPlayback
import Testing

@Suite struct BatchTests {
  private func batches(_ configuration: WorldConfiguration) throws -> [JSONValue] {
    try run(configuration).lines.map { try JSONValue(text: $0) }
  }

  @Test func `a batch is one session of one device, described once`() throws {
    for batch in try batches(exampleWorld(sessions: 50)) {
      let events = try #require(batch["events"]?.arrayValue)
      #expect(Set(events.map { $0["session_id"]?.stringValue }).count == 1)
      #expect(events.allSatisfy { $0["context"] == nil })
      let context = try #require(batch["context"])
      #expect(context["environment"] == .string("simulator"))
      #expect(context["story_id"] == .string("seed-message"))
      for field in ["device_id", "app_version", "os_version", "device_model", "locale", "sdk_version"] {
        #expect(context[field]?.stringValue?.isEmpty == false)
      }
      #expect(batch["received_at"]?.stringValue?.utf8.count == 27)
      #expect(batch["sent_at"]?.stringValue?.utf8.count == 27)
    }
  }

  @Test func `a start describes the pages, and an impression its duration`() throws {
    let batch = try #require(
      try batches(exampleWorld(sessions: 50)).first { batch in
        batch["events"]?.arrayValue?.first?["type"] == .string("start")
      })
    let events = try #require(batch["events"]?.arrayValue)
    #expect(events[0]["page_count"] == .integer(2))
    let page = try #require(events[0]["pages"]?.arrayValue?.last)
    #expect(
      page.text(layout: .compact)
        == #"{"image_url":"https://example.com/story-2.jpg","title":"Stay in the loop","#
        + #""subtitle":"Updates, tips and more","link":"yourapp://page2","button_title":"Learn more","#
        + #""duration":4.0,"payload_index":1}"#)
    #expect(events[1]["page_index"] == .integer(0))
    #expect(events[1]["page"] == .object([JSONMember("duration", .number(5))]))
  }

  @Test(arguments: [1, 7, 100, 5_000]) func `packed batches have so many events, the last one the rest`(
    eventCount: Int
  ) throws {
    var configuration = try exampleWorld(sessions: 80)
    let total = try run(configuration).summary.events
    configuration.batching = .packed(eventCount: eventCount)
    let counts = try batches(configuration).map { $0["events"]?.arrayValue?.count ?? 0 }
    #expect(counts.dropLast().allSatisfy { $0 == eventCount })
    #expect(counts.reduce(0, +) == total)
  }

  @Test func `in a packed batch a session's first event describes its device`() throws {
    var configuration = try exampleWorld(sessions: 40)
    configuration.batching = .packed(eventCount: 30)
    for batch in try batches(configuration) {
      #expect(batch["context"]?["story_id"] == .string("seed-message"))
      for event in batch["events"]?.arrayValue ?? [] {
        #expect((event["context"]?["device_id"] != nil) == (event["seq"] == .integer(0)))
      }
    }
  }

  @Test func `with several stories every event or batch names its own`() throws {
    var configuration = WorldConfiguration(
      stories: [try story([1, 2], id: "a"), try story([3], id: "b\"\\\n")], endingMicroseconds: endOfNovember)
    configuration.sessionCount = 60
    configuration.batching = .packed(eventCount: 50)
    let events = try batches(configuration).flatMap { $0["events"]?.arrayValue ?? [] }
    #expect(Set(events.map { $0["context"]?["story_id"]?.stringValue }) == ["a", "b\"\\\n"])
  }

  @Test func `what the contract would refuse is left out of the details`() throws {
    let long = String(repeating: "x", count: 1_025)
    let block = #"{"pages":[{"image":"a:b","title":"\#(long)","subtitle":"a\u0000b"}]}"#
    var configuration = WorldConfiguration(
      stories: [try SimulatedStory(message: Data(block.utf8), fileName: "x")], endingMicroseconds: endOfNovember)
    configuration.sessionCount = 1
    configuration.fallbackShare = 0
    let start = try batches(configuration)[0]["events"]?.arrayValue?[0]
    #expect(start?["pages"]?.arrayValue?[0].objectValue?.map(\.key) == ["image_url", "duration", "payload_index"])
  }

  @Test func `a story of a thousand pages fits its events, without the list`() throws {
    var configuration = WorldConfiguration(
      stories: [try story(Array(repeating: 5, count: 1_000))], endingMicroseconds: endOfNovember)
    configuration.sessionCount = 3
    configuration.fallbackShare = 0
    let events = try batches(configuration).flatMap { $0["events"]?.arrayValue ?? [] }
    #expect(events.allSatisfy { $0.text(layout: .compact).utf8.count < ContractLimits.eventBytes })
    #expect(events[0]["pages"] == nil && events[0]["page_count"] == .integer(1_000))
    #expect(events[1]["page"]?["duration"] == .number(5))
  }

  @Test func `a file has one batch a line, and the same bytes again`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).ndjson").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let configuration = try exampleWorld(sessions: 30)
    let simulator = try Simulator(configuration)
    let summary = try simulator.run(output: .file(path: path))
    let first = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(first.split(separator: UInt8(ascii: "\n")).map(Array.init) == (try run(configuration).lines))
    #expect(summary.batches == 30 && first.count == summary.bytes + summary.batches)
    _ = try simulator.run(output: .file(path: path))
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == first)
  }

  @Test func `a file that cannot be written is an error with its name`() throws {
    let simulator = try Simulator(exampleWorld(sessions: 1))
    #expect(throws: SimulationError.cannotWrite("cannot write /nowhere/x: No such file or directory")) {
      try simulator.run(output: .file(path: "/nowhere/x"))
    }
  }

  @Test func `a full disk is an error, not a short file`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    let simulator = try Simulator(exampleWorld(sessions: 1))
    #expect(throws: SimulationError.cannotWrite("cannot write /dev/full: No space left on device")) {
      try simulator.run(output: .file(path: "/dev/full"))
    }
  }
}
