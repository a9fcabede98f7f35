import Foundation
import StoryPlayback
import Testing

@testable import Simulation

/// Worlds that go through the library that apps use; with a collector they are among the integration tests.
@Suite(.serialized) struct ClientTests {
  // MARK: What cannot be brought over

  private static let faults: [(@Sendable (inout WorldConfiguration) -> Void, String)] = [
    ({ $0.network.lossShare = 0.1 }, "the client does its own sending: nothing may go wrong on the way"),
    ({ $0.network.lateSpanMicroseconds += 1 }, "the client does its own sending: nothing may go wrong on the way"),
    ({ $0.batching = .packed(eventCount: 50) }, "the client makes its own batches"),
    ({ $0.stories[0].storyID = nil }, "the client needs of each story its message and an id that is not empty"),
    ({ $0.stories[0].storyID = "" }, "the client needs of each story its message and an id that is not empty"),
    ({ $0.stories[0].message = [] }, "the client needs of each story its message and an id that is not empty"),
    (
      { $0.fallbackReasons = [Weighted("weather")] },
      "the client finds the reason of a fallback itself, and never finds weather"
    ),
    (
      { $0.appVersions = [Weighted("")] },
      "the client leaves empty texts out: give each version, environment and property a value"
    ),
    (
      { $0.properties = [PropertyChoice(name: "plan", values: [Weighted("a"), Weighted("")])] },
      "the client leaves empty texts out: give each version, environment and property a value"
    ),
    (
      { $0.properties = (0..<30).map { PropertyChoice(name: "p\($0)", values: [Weighted("a")]) } },
      "the client has properties of its own: a session has at most 29 others"
    ),
    (
      { $0.properties = ["\u{e9}", "e\u{301}"].map { PropertyChoice(name: $0, values: [Weighted("a")]) } },
      "each property has its own name, none of them story_id_source, loops_after_last_page, long_press_to_pause"
    ),
    (
      { $0.truthGrouping = .property("story_id_source") },
      "the property story_id_source is the client's own, which says it where it knows it: the truth cannot be by it"
    ),
    (
      { $0.truthGrouping = .property("position") },
      "the property position is the client's own, which says it where it knows it: the truth cannot be by it"
    ),
  ]

  @Test(arguments: faults.indices) func `a world that the library cannot bring over is refused`(place: Int) throws {
    let (change, sentence) = Self.faults[place]
    var world = try exampleWorld(sessions: 10)
    change(&world)
    #expect(throws: SimulationError.invalidConfiguration(sentence)) {
      try Simulator(world).run(client: ClientConfiguration(baseURL: "http://127.0.0.1:9", key: nil))
    }
  }

  @Test(arguments: ["", "nowhere", "/a/b", "http://", "http://exa mple"])
  func `an address that is none is refused`(address: String) throws {
    let error = #expect(throws: SimulationError.self) {
      try Simulator(exampleWorld(sessions: 1)).run(client: ClientConfiguration(baseURL: address, key: nil))
    }
    #expect(error?.description == "\(address) is no address: expected one such as http://127.0.0.1:8787")
  }

  // MARK: What arrives on the phone

  private static let block =
    #"{"pages":[{"title":"no image"},{"image":"a:b","duration":0.1},{"image":"a:c","duration":true}]}"#
  private static let forms = [
    block, #"{"pw_stories":\#(block)}"#, #"{"u":{"pw_stories":\#(block),"x":1}}"#,
    #"{"userdata":{"pw_stories":\#(block)}}"#,
    #"{"p":"hash","u":\#(jsonString(#"{"pw_stories":\#(block)}"#))}"#,
    #"{"u":"no JSON","userdata":{"pw_stories":\#(block)}}"#,
    #"{"request":{"notifications":[{"data":{}},{"data":{"pw_stories":\#(block)}}]}}"#,
    #"{"notifications":[{"ios_root_params":{"pw_stories":\#(block)},"data":{"pw_stories":{"pages":1}}}]}"#,
  ]

  private static func jsonString(_ text: String) -> String {
    "\"" + text.replacingOccurrences(of: "\"", with: "\\\"") + "\""
  }

  @Test(arguments: forms) func `a payload names its story, whatever form its message has`(message: String) throws {
    let story = try SimulatedStory(message: Array(message.utf8), fileName: "m.json", storyID: "ü \"1\"")
    let message = try ClientMessage(story)
    let sound = message.arrival(nil)
    let read = StoryPayload(userInfo: try #require(sound.userInfo as? [String: Any]))
    #expect(read.outcome == story.outcome && read.storyID == "ü \"1\"" && sound.campaignID == nil)
    #expect(story.pages.map(\.payloadIndex) == [1, 2])
    // Where the world says no reason, the SDK fell back although the payload is sound.
    let unexplained = message.arrival(SimulatedEvent(type: .fallback, seq: 0, atMicroseconds: 0))
    #expect(StoryPayload(userInfo: try #require(unexplained.userInfo as? [String: Any])) == read)
    for reason in FallbackReason.allCases {
      let event = SimulatedEvent(type: .fallback, seq: 0, atMicroseconds: 0, reason: reason.rawValue)
      let arrival = message.arrival(event)
      let fallen = StoryPayload(userInfo: try #require(arrival.userInfo as? [String: Any]))
      #expect(fallen.outcome == .fallback(reason))
      // Without a block the app has to say which story it is.
      #expect(
        (fallen.storyID ?? arrival.campaignID) == "ü \"1\"" && (arrival.campaignID == nil) == (fallen.storyID != nil))
    }
  }

  @Test(arguments: [
    (#"{"aps":{}}"#, FallbackReason.missingBlock), (#"{"pw_stories":"text"}"#, .missingBlock),
    (#"{"pw_stories":{"pages":[1]}}"#, .badPageList), (#"{"pages":[]}"#, .noUsablePage),
  ]) func `a message that falls back arrives as it is`(message: String, reason: FallbackReason) throws {
    let story = try SimulatedStory(message: Array(message.utf8), fileName: "m.json", storyID: "s")
    let event = SimulatedEvent(type: .fallback, seq: 0, atMicroseconds: 0, reason: reason.rawValue)
    let arrival = try ClientMessage(story).arrival(event)
    let read = StoryPayload(userInfo: try #require(arrival.userInfo as? [String: Any]))
    #expect(read.outcome == .fallback(reason) && (read.storyID ?? arrival.campaignID) == "s")
  }

  // MARK: A collector that does not take anything

  /// An empty place for temporary directories.
  private func makeWorkplace() throws -> String {
    let path = NSTemporaryDirectory() + "/pagefall-client-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test func `a key that is refused ends it, and what was recorded stays in a queue that was asked for`() throws {
    let collector = try StubCollector { _, _ in answer("401 Unauthorized") }
    defer { collector.stop() }
    let workplace = try makeWorkplace()
    let directory = workplace + "/kept"
    defer { try? FileManager.default.removeItem(atPath: workplace) }
    for keeps in [false, true] {
      var client = ClientConfiguration(baseURL: collector.address, key: "pfw_wrong")
      client.queueDirectory = keeps ? directory : nil
      client.temporaryDirectory = workplace
      let error = #expect(throws: SimulationError.self) {
        try Simulator(exampleWorld(sessions: 20)).run(client: client)
      }
      #expect(
        error?.description
          == "\(collector.address): the collector refuses the write key (401): "
          + "give one of this collector (pagefall key create)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: workplace) == ["kept"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/pagefall").count >= 20)
    #expect(collector.received.allSatisfy { $0.head.contains("Content-Encoding: gzip") })
  }

  @Test func `a collector that closes every connection is given up after a while`() throws {
    let collector = try StubCollector { _, _ in nil }
    defer { collector.stop() }
    var client = ClientConfiguration(baseURL: collector.address, key: "pfw_x")
    client.patienceSeconds = 1
    let workplace = try makeWorkplace()
    defer { try? FileManager.default.removeItem(atPath: workplace) }
    client.temporaryDirectory = workplace
    let error = #expect(throws: SimulationError.self) {
      try Simulator(exampleWorld(sessions: 5)).run(client: client)
    }
    #expect(error?.description.hasPrefix("\(collector.address) took no events for 1 s: ") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: workplace) == [])
  }
}
