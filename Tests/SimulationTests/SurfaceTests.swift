import Foundation
import FunnelDocument
import Simulation
import StoryEvents
import StoryPlayback
import Testing

/// Rich media and responses in a world of stories.
@Suite struct SurfaceTests {
  @Test func `the same seed gives the same bytes of all surfaces`() throws {
    let first = try run(worldOfAllSurfaces(sessions: 200))
    #expect(try run(worldOfAllSurfaces(sessions: 200)).lines == first.lines)
    #expect(try run(worldOfAllSurfaces(sessions: 200)).summary == first.summary)
    #expect(try run(worldOfAllSurfaces(sessions: 200, seed: 2)).lines != first.lines)
  }

  /// FNV-1a of all batches, as for stories.
  @Test func `the hash of a larger world of all surfaces is kept`() throws {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    var configuration = try worldOfAllSurfaces(sessions: 1_000)
    configuration.network.lossShare = 0.05
    _ = try Simulator(configuration).run { batch in
      for byte in batch.bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    }
    #expect(hash == 260_479_037_575_226_126)
  }

  @Test(arguments: [0, 0.2]) func `other surfaces change nothing of the stories`(share: Double) throws {
    func set(_ network: inout NetworkConditions) {
      network.lossShare = share
      network.duplicateShare = share
      network.wrongClockShare = share
    }
    var alone = try exampleWorld(sessions: 150)
    set(&alone.network)
    var among = try worldOfAllSurfaces(sessions: 150)
    set(&among.network)
    let (lines, summary) = try run(alone)
    let (all, whole) = try run(among)
    let ofStories = Set(lines)
    #expect(all.filter { ofStories.contains($0) } == lines)
    #expect(all.count > lines.count + 250)
    #expect(whole.truth.total == summary.truth.total)
    #expect(summary.richMediaTruth == nil)
    #expect(summary.buttonsTruth == nil)
  }

  @Test func `as many rich media are asked for as are wanted, each with events from 0 on`() throws {
    let world = try World(worldOfAllSurfaces(sessions: 400))
    let visits = visits(of: world)
    let sessions = visits.joined()
    #expect(sessions.count == 400)
    #expect(Set(visits.map(\.count)) == [1, 2, 3, 4])
    #expect(Set(sessions.map(\.id)).count == 400)
    for session in sessions {
      #expect(!session.events.isEmpty)
      #expect(session.events.map(\.seq) == Array(0..<session.events.count))
      #expect(session.events.map(\.atMicroseconds) == session.events.map(\.atMicroseconds).sorted())
      #expect(session.sentAtMicroseconds > session.events.last?.atMicroseconds ?? .max)
    }
    #expect(visits.allSatisfy { Set($0.map(\.device.deviceID)).count == 1 })
    #expect(world.richMediaVisit(7, first: 400).isEmpty)
    #expect(world.response(400) == nil)
  }

  @Test func `everything happens that a delegate can be told`() throws {
    let world = try World(worldOfAllSurfaces(sessions: 2_000))
    let short: [EventType: String] = [
      .richMediaDeferred: "d", .richMediaPresented: "p", .richMediaClosed: "c", .richMediaFailed: "f",
    ]
    let orders = visits(of: world).joined().map { $0.events.map { short[$0.type] ?? "?" }.joined() }
    #expect(Set(orders) == ["pc", "dpc", "pcc", "dpcc", "f", "df", "p", "dp", "d"])
    var old = try worldOfAllSurfaces(sessions: 500)
    old.richMedia?.style = .fullScreen
    let ends = try visits(of: World(old)).joined().map { $0.events.map { short[$0.type] ?? "?" }.joined() }
    #expect(ends.contains("cf"))
    #expect(!ends.contains { $0.contains("cc") })
  }

  @Test func `answers are of the categories, and of none now and then`() throws {
    let world = try World(worldOfAllSurfaces(sessions: 1_000))
    let events = (0..<1_000).compactMap { world.response($0)?.events.first }
    #expect(events.count == 1_000)
    let buttons = events.filter { $0.action == .button }
    #expect(Set(buttons.map { "\($0.categoryID ?? "?") \($0.buttonID ?? "?")" }) == ["65 0", "65 1"])
    #expect(buttons.count { $0.buttonID == "0" } > buttons.count { $0.buttonID == "1" })
    let others = events.filter { $0.action != .button }
    #expect(Set(others.map(\.categoryID)) == ["65", "7", nil])
    #expect(others.allSatisfy { $0.buttonID == nil })
    #expect(Set(others.map(\.action)) == [.default, .dismiss])
  }

  @Test(arguments: [WorldConfiguration.Batching.session, .packed(eventCount: 40)])
  func `events say what the contract asks for, and only stories have a story`(
    batching: WorldConfiguration.Batching
  ) throws {
    var configuration = try worldOfAllSurfaces(sessions: 60)
    configuration.batching = batching
    configuration.properties = [PropertyChoice(name: "plan", values: [Weighted("pro")])]
    var described = 0
    for line in try run(configuration).lines {
      let batch = try JSONValue(text: line)
      for event in try #require(batch["events"]?.arrayValue) {
        let type = try #require(event["type"]?.stringValue)
        let contexts = [event["context"], batch["context"]].compactMap { $0 }
        let hasStory = contexts.contains { $0["story_id"] != nil }
        let isOther = type.hasPrefix("rich_media") || type == "notification_response"
        #expect(hasStory != isOther)
        guard type.hasPrefix("rich_media") else { continue }
        #expect(event["content_code"]?.stringValue != nil)
        #expect(["push", "in_app"].contains(event["source"]?.stringValue))
        #expect((event["error"] != nil) == (type == "rich_media_failed"))
        let properties = contexts.compactMap { $0["properties"] }.first
        guard let properties else { continue }
        described += 1
        #expect(properties["plan"] == .string("pro"))
        #expect(properties["position"]?.stringValue != nil)
        #expect(properties["corner_radius"]?.doubleValue != nil)
        if event["content_code"] == .string("0C94A-E5718") {
          #expect(properties["auto_close_seconds"] == .number(4.5))
        }
      }
    }
    #expect(described >= 60)
  }

  @Test func `the truths are sound, and groups add up to them`() throws {
    var configuration = try worldOfAllSurfaces(sessions: 600)
    configuration.network.lossShare = 0.1
    configuration.network.duplicateShare = 0.2
    configuration.network.reorderShare = 0.2
    configuration.network.lateShare = 0.3
    configuration.network.lateSpanMicroseconds = 1_000 * 86_400_000_000
    for grouping in [TruthGrouping.story, .context(.appVersion), .property("auto_close_seconds"), .hour(.gmt)] {
      configuration.truthGrouping = grouping
      let summary = try run(configuration).summary
      let richMedia = try #require(summary.richMediaTruth)
      #expect(richMedia.conservationFaults() == [])
      #expect((500..<600).contains(richMedia.total.presentations))
      #expect(richMedia.contents.count == 4)
      #expect(richMedia.total.missingEvents > 0)
      #expect(richMedia.losses.suspectClockSessions > 0)
      #expect(richMedia.groups?.isEmpty == false)
      let buttons = try #require(summary.buttonsTruth)
      #expect(buttons.conservationFaults() == [])
      #expect(Set(buttons.categories.map(\.categoryID)) == ["65", "7", nil])
      #expect(buttons.groups?.isEmpty == false)
      if grouping == .property("auto_close_seconds") {
        #expect(Set(richMedia.groups?.map(\.name) ?? []) == ["(none)", "8", "4.5"])
        #expect(buttons.groups?.map(\.name) == ["(none)"])
      }
    }
  }

  @Test func `small numbers of a window name groups as the database writes them`() throws {
    var configuration = try worldOfAllSurfaces(sessions: 60)
    configuration.richMedia?.contents[0].content.window.cornerRadius = 1.5e-7
    configuration.richMedia?.contents[1].content.window.cornerRadius = 0.00001
    configuration.truthGrouping = .property("corner_radius")
    let groups = try run(configuration).summary.richMediaTruth?.groups ?? []
    #expect(Set(groups.map(\.name)) == ["0.00000015", "0.00001", "0", "12"])
  }

  @Test func `without a word about groups there are none`() throws {
    let summary = try run(worldOfAllSurfaces(sessions: 50)).summary
    #expect(summary.richMediaTruth?.groups == nil)
    #expect(summary.buttonsTruth?.groups == nil)
    #expect(summary.richMediaSessions == 50)
    #expect(summary.responses == 50)
  }

  @Test(arguments: [
    Spoiling(word: "rich media") { $0.richMedia?.contents = [] },
    Spoiling(word: "weight above 0") {
      $0.richMedia?.contents = [SimulatedRichMedia(content: .init(code: "a"), weight: 0)]
    },
    Spoiling(word: "content code") { $0.richMedia?.contents[0].content.code = "" },
    Spoiling(word: "content code") { $0.richMedia?.contents[0].content.code = "a\0" },
    Spoiling(word: "closes itself") { $0.richMedia?.contents[0].content.window.autoCloseSeconds = .nan },
    Spoiling(word: "corner radius") { $0.richMedia?.contents[0].content.window.cornerRadius = .infinity },
    Spoiling(word: "seconds") { $0.richMedia?.contents[0].openSeconds = -1...2 },
    Spoiling(word: "negative") { $0.richMedia?.sessionCount = -1 },
    Spoiling(word: "visit") { $0.richMedia?.mostPerVisit = 0 },
    Spoiling(word: "position") { $0.properties = [PropertyChoice(name: "position", values: [Weighted("x")])] },
    Spoiling(word: "at most 25") { world in
      world.properties = (0..<26).map { PropertyChoice(name: "p\($0)", values: [Weighted("x")]) }
    },
    Spoiling(word: "category") { $0.responses?.categories = [] },
    Spoiling(word: "negative") { $0.responses?.sessionCount = -1 },
    Spoiling(word: "weights") { $0.responses?.buttonWeight = -1 },
    Spoiling(word: "weights") { world in
      world.responses?.openWeight = 0
      world.responses?.dismissWeight = 0
    },
    Spoiling(word: "without a category") { $0.responses?.uncategorisedShare = 2 },
    Spoiling(word: "ids") { $0.responses?.categories[0].buttons[0].id = "\0" },
  ]) func `surfaces that make no sense are refused with a sentence`(spoiling: Spoiling) throws {
    var configuration = try worldOfAllSurfaces(sessions: 1)
    spoiling.spoil(&configuration)
    do {
      _ = try World(configuration)
      Issue.record("was accepted")
    } catch {
      #expect("\(error)".contains(spoiling.word), "\(error)")
    }
  }

  @Test(arguments: [
    ("{", "not JSON"), ("[]", "not a JSON object"), ("{}", "no array response.iosCategories"),
    (#"{"response":{"iosCategories":[]}}"#, "no category that a phone would register"),
    (
      #"{"response":{"iosCategories":[{"categoryId":"x"}]}}"#,
      "no category that a phone would register: iosCategories[0] has a categoryId that is not a number"
    ),
  ]) func `categories that no phone has are refused in one line`(text: String, message: String) {
    do {
      _ = try ResponseWorld(registerDeviceResponse: text.utf8)
      Issue.record("was accepted")
    } catch {
      #expect("\(error)".hasPrefix(message), "\(error)")
      #expect(!"\(error)".contains("\n"))
    }
  }

  private func visits(of world: World) -> [[SimulatedSession]] {
    var visits: [[SimulatedSession]] = []
    var count = 0
    while true {
      let visit = world.richMediaVisit(visits.count, first: count)
      if visit.isEmpty { return visits }
      count += visit.count
      visits.append(visit)
    }
  }
}
