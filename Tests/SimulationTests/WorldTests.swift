import Foundation
import FunnelDocument
import Simulation
import StoryEvents
import StoryPlayback
import Testing

@Suite struct WorldTests {
  @Test func `the same seed gives the same bytes`() throws {
    let first = try run(exampleWorld(sessions: 300))
    let second = try run(exampleWorld(sessions: 300))
    #expect(first.lines == second.lines)
    #expect(first.summary == second.summary)
    #expect(try run(exampleWorld(sessions: 300, seed: 2)).lines != first.lines)
  }

  /// `scripts/update-goldens` writes the files anew, to be read before they are committed.
  @Test func `a small world is kept, byte by byte`() throws {
    let golden = projectFolder.appendingPathComponent("Tests/Fixtures/playback/small-world.ndjson")
    let (lines, summary) = try run(exampleWorld(sessions: 12, seed: 7))
    let text = lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    let truth = golden.deletingLastPathComponent().appendingPathComponent("small-world-truth.json")
    let truthText = summary.truth.json.text() + "\n"
    if ProcessInfo.processInfo.environment["PAGEFALL_UPDATE_GOLDENS"] == "1" {
      try text.write(to: golden, atomically: true, encoding: .utf8)
      try truthText.write(to: truth, atomically: true, encoding: .utf8)
    }
    #expect(try text == String(contentsOf: golden, encoding: .utf8))
    #expect(try truthText == String(contentsOf: truth, encoding: .utf8))
  }

  /// FNV-1a of all batches. Other bytes are another world: whoever compares with older numbers must know.
  @Test func `the hash of a larger world is kept`() throws {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    _ = try Simulator(exampleWorld(sessions: 2_000)).run { batch in
      for byte in batch.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    #expect(hash == 16_634_651_059_018_038_632)
  }

  @Test func `a session depends on its number alone`() throws {
    let world = try World(exampleWorld(sessions: 100))
    let forward = (0..<100).map { world.session($0).events }
    let backward = (0..<100).reversed().map { world.session($0).events }
    #expect(forward == backward.reversed())
  }

  @Test func `sessions start within the range, in their order, and ids begin with that time`() throws {
    var configuration = try exampleWorld(sessions: 500)
    configuration.spanMicroseconds = 3_600_000_000
    let world = try World(configuration)
    let sessions = (0..<500).map(world.session)
    let starts = sessions.compactMap { $0.events.first?.atMicroseconds }
    #expect(starts == starts.sorted())
    #expect(starts.allSatisfy { (endOfNovember - 3_600_000_000..<endOfNovember).contains($0) })
    #expect(zip(sessions, starts).allSatisfy { $0.id.timeMilliseconds == $1 / 1_000 && $0.id.version == 7 })
    #expect(Set(sessions.map(\.id)).count == 500)
  }

  @Test func `events are numbered from 0 without gaps, and time does not go back`() throws {
    let world = try World(exampleWorld(sessions: 500))
    for session in (0..<500).map(world.session) {
      #expect(session.events.map(\.seq) == Array(0..<session.events.count))
      let moments = session.events.map(\.atMicroseconds)
      #expect(moments == moments.sorted())
      #expect(session.sentAtMicroseconds > moments.last ?? 0)
      #expect(session.receivedAtMicroseconds > session.sentAtMicroseconds)
    }
  }

  @Test func `shares are what they are set to`() throws {
    var configuration = try exampleWorld(sessions: 4_000)
    configuration.fallbackShare = 0.25
    configuration.dismissObservedShare = 0.5
    let world = try World(configuration)
    let sessions = (0..<4_000).map(world.session)
    let fallbacks = sessions.filter { $0.events.first?.type == .fallback }
    #expect((900...1_100).contains(fallbacks.count))
    #expect(Set(fallbacks.map { $0.events.first?.reason }).count == 4)
    let dismissed = sessions.filter { $0.events.last?.type == .dismiss }
    #expect((1_850...2_150).contains(dismissed.count))
    #expect((2_000...2_667).contains(Set(sessions.map(\.device.deviceID)).count))
  }

  @Test func `a device keeps its versions`() throws {
    let world = try World(exampleWorld(sessions: 500))
    let devices = (0..<500).map { world.session($0).device }
    for (_, same) in Dictionary(grouping: devices, by: \.deviceID) {
      #expect(same.allSatisfy { $0 == same[0] })
      #expect(same[0].deviceID.version == 4)
    }
  }

  @Test func `a message that cannot play falls back for everybody, with its reason`() throws {
    let message = Data(#"{"pages":[{"title":"no image"}]}"#.utf8)
    var configuration = WorldConfiguration(
      stories: [try SimulatedStory(message: message, fileName: "/a/broken.message.json")],
      endingMicroseconds: endOfNovember)
    configuration.sessionCount = 50
    let (lines, summary) = try run(configuration)
    #expect(summary.truth.scope.story == "broken.message")
    #expect(summary.truth.total.presentations == 50)
    #expect(summary.truth.total.fallbacks == 50)
    #expect(summary.truth.total.pages == [])
    #expect(lines.allSatisfy { String(decoding: $0, as: UTF8.self).contains(#""reason":"no_usable_page""#) })
  }

  @Test func `a story's id is the one given, else the block's, else the file's name`() throws {
    let message = Data(#"{"story_id":"in-block","pages":[{"image":"a:b"}]}"#.utf8)
    #expect(try SimulatedStory(message: message, fileName: "f.json", storyID: "given").storyID == "given")
    #expect(try SimulatedStory(message: message, fileName: "f.json").storyID == "in-block")
    #expect(try exampleStory().storyID == "seed-message")
  }

  @Test func `a message that is none, and an id that is too long, are errors that name the file`() {
    #expect(
      throws: SimulationError.unreadableMessage(
        "f.json: the message is not a JSON object: "
          + "expected a createMessage request, a payload, or a pw_stories block")
    ) {
      try SimulatedStory(message: Data("7".utf8), fileName: "f.json")
    }
    #expect(throws: SimulationError.self) {
      try SimulatedStory(
        message: Data("{}".utf8), fileName: "f.json", storyID: String(repeating: "x", count: 201))
    }
    let list = Array(repeating: #"{"image":"a:b"}"#, count: 1_001).joined(separator: ",")
    #expect(throws: SimulationError.unreadableMessage("f.json: 1001 pages, but events can tell of at most 1000")) {
      try SimulatedStory(message: Data(#"{"pages":[\#(list)]}"#.utf8), fileName: "f.json")
    }
  }

  @Test(arguments: Spoiling.all) func `a setting that makes no sense is refused with a sentence`(
    spoiling: Spoiling
  ) throws {
    var configuration = try exampleWorld(sessions: 1)
    spoiling.spoil(&configuration)
    do {
      _ = try World(configuration)
      Issue.record("was accepted")
    } catch {
      #expect("\(error)".contains(spoiling.word))
    }
  }

  @Test func `a world without sessions is empty and sound`() throws {
    let (lines, summary) = try run(exampleWorld(sessions: 0))
    #expect(lines == [])
    #expect(summary.truth.total == FunnelCounts())
    #expect(summary.truth.dataThrough == nil)
  }
}

/// A way to spoil a configuration, and a word that the sentence must hold.
struct Spoiling: Sendable, CustomTestStringConvertible {
  let word: String
  let spoil: @Sendable (inout WorldConfiguration) -> Void

  var testDescription: String { word }

  static let all = [
    Spoiling(word: "story") { $0.stories = [] },
    Spoiling(word: "weight") { $0.stories[0].weight = 0 },
    Spoiling(word: "number of sessions") { $0.sessionCount = -1 },
    Spoiling(word: "longer than nothing") { $0.spanMicroseconds = 0 },
    Spoiling(word: "1970") { $0.spanMicroseconds = .max },
    Spoiling(word: "2100") { $0.endingMicroseconds = .max },
    Spoiling(word: "fallbacks") { $0.fallbackShare = 1.1 },
    Spoiling(word: "fallbacks") { $0.fallbackShare = .nan },
    Spoiling(word: "dismissals") { $0.dismissObservedShare = -0.1 },
    Spoiling(word: "device") { $0.sessionsPerDevice = 0 },
    Spoiling(word: "viewer mix") { $0.viewerMix.profiles = [] },
    Spoiling(word: "batch") { $0.batching = .packed(eventCount: 0) },
  ]
}
