import Foundation
import StoryClient
import TestSupport
import Testing

/// What a phone records arrives, through the client as it ships, in a real collector and a real PostgreSQL.
@Suite(.serialized) struct PhoneUploadTests {
  let directory: TemporaryDirectory
  let database: TestDatabase
  let key: String
  let collector: RunningCollector

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase.migrated()
    key = try createKey(database.connectionString)
    collector = try RunningCollector("\(directory.path)/collector", database: database.connectionString)
  }

  private func queue(_ name: String) throws -> String {
    let path = "\(directory.path)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Expects that the recorded events are stored, each once, and nothing else.
  private func expectStored(_ recorded: [String: Int], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let isStored = try eventually(within: .seconds(15)) { try database.storedSessions() == recorded }
    guard !isStored else { return }
    let stored = try database.storedSessions()
    let wrong = Set(recorded.keys).union(stored.keys).filter { recorded[$0] != stored[$0] }
    Issue.record(
      "\(wrong.count) sessions differ, such as \(wrong.prefix(3).map { "\($0): \(recorded[$0] ?? 0) recorded, \(stored[$0] ?? 0) stored" })",
      sourceLocation: sourceLocation)
  }

  @Test func `events of several phones and processes are stored exactly once through a network that misbehaves`() throws
  {
    let seed = SeededGenerator.worldsSeed
    let proxy = try PhoneUploadProxy(to: collector.port, seed: seed)
    let recorded = RecordedEvents()
    let queues = try (0..<3).map { try queue("queue-\($0)") }
    // Two processes and this one on the first queue, two processes on the second, this one alone on the third.
    #if os(Linux)
      let homes = [0, 0, 1, 1]
    #else
      // A test program cannot be started once more there.
      let homes: [Int] = []
    #endif
    let children = try homes.enumerated().map { number, queue in
      try PhoneUploadChild.start(
        queue: queues[queue], journal: "\(directory.path)/journal-\(number)", port: proxy.port, key: key,
        seed: seed &+ UInt64(number))
    }
    _ = try inParallel(2) { [key] number in
      var random = SeededGenerator(seed: seed, stream: UInt64(number))
      try Phone(queues[number * 2], port: proxy.port, key: key).watch(20, &random) { recorded.add($0) }
    }
    // Two end in the middle of what they do.
    var random = SeededGenerator(seed: seed, stream: 99)
    for child in [children.first, children.last].compactMap(\.self) {
      usleep(UInt32.random(in: 0...600_000, using: &random))
      child.signal(SIGKILL)
    }
    for child in children { try child.waitForExit() }
    for number in children.indices { try recorded.add(journal: "\(directory.path)/journal-\(number)") }
    // The next start of each.
    let phones = try queues.map { try Phone($0, port: proxy.port, key: key) }
    for (index, phone) in phones.enumerated() {
      // Not the phone itself in the expectation: showing its parts is too much for the test library.
      let isEmpty = phone.empty()
      #expect(isEmpty, "queue \(index), seed \(seed): \(phone.client.queue), \(phone.upload()), \(proxy.done)")
      let end = phone.client.queue
      #expect(end.droppedEvents == 0 && end.damagedEntries == 0, "queue \(index), seed \(seed): \(end)")
    }
    proxy.stop()
    let missing = PhoneUploadProxy.Act.allCases.filter { proxy.done[$0] == nil }
    #expect(missing.isEmpty, "seed \(seed): \(proxy.done)")
    // A killed process may have recorded an event that it did not come to note down.
    var expected = recorded.sessions
    _ = try eventually(within: .seconds(10)) { try database.storedSessions().count >= expected.count }
    let stored = try database.storedSessions()
    var unnoted = 0
    for (session, count) in stored where count == (expected[session] ?? 0) + 1 && unnoted < 2 {
      expected[session] = count
      unnoted += 1
    }
    try expectStored(expected)
    #expect(try collector.metric(#"pagefall_events_loaded_total{fate="conflicting_duplicate"}"#) == 0)
    #expect(try collector.metric(#"pagefall_events_loaded_total{fate="stored"}"#) == expected.values.reduce(0, +))
    #expect(try collector.metric(#"pagefall_events_loaded_total{fate="duplicate"}"#) > 0)
    #expect(try database.psql("SELECT count(*) FROM pagefall.rejected") == "0")
  }

  @Test func `each fault alone, again and again, costs nothing`() throws {
    let recorded = RecordedEvents()
    var random = SeededGenerator(seed: 6)
    for act in PhoneUploadProxy.Act.allCases {
      let times = act.isSlow ? 1 : 3
      let proxy = try PhoneUploadProxy(to: collector.port, script: [PhoneUploadProxy.Act](repeating: act, count: times))
      let phone = try Phone(queue("\(act)"), port: proxy.port, key: key)
      phone.watch(2, &random) { recorded.add($0) }
      let isEmpty = phone.empty(within: .seconds(10))
      #expect(isEmpty, "\(act): \(phone.client.queue), \(phone.upload())")
      #expect(phone.client.queue.droppedEvents == 0, "\(act)")
      proxy.stop()
    }
    try expectStored(recorded.sessions)
  }

  @Test func `an answer that is lost means the same again, and it is stored once`() throws {
    let proxy = try PhoneUploadProxy(
      to: collector.port, script: [.cutBeforeAnswer, .cutWithinAnswer, .stallBeforeAnswer])
    let recorded = RecordedEvents()
    let phone = try Phone(queue("queue"), port: proxy.port, key: key)
    var random = SeededGenerator(seed: 7)
    phone.watch(1, &random) { recorded.add($0) }
    let isEmpty = phone.empty()
    #expect(isEmpty)
    proxy.stop()
    try expectStored(recorded.sessions)
    #expect(try collector.metric(#"pagefall_events_loaded_total{fate="duplicate"}"#) >= 3)
  }

  @Test func `what a collector that is away does not get, it gets by itself when it is back`() throws {
    let proxy = try PhoneUploadProxy(to: nil)
    let recorded = RecordedEvents()
    let phone = try Phone(queue("queue"), port: proxy.port, key: key)
    var random = SeededGenerator(seed: 8)
    phone.watch(3, &random) { recorded.add($0) }
    try #require(eventually { (proxy.done[.pass] ?? 0) >= 3 })
    #expect(phone.client.queue.waitingEvents == recorded.total)
    proxy.setUpstream(collector.port)
    // Nobody asks.
    #expect(eventually { phone.client.queue.waitingEvents == 0 })
    proxy.stop()
    try expectStored(recorded.sessions)
  }

  /// Payloads that nobody should send, and that a phone may get all the same.
  private static func hostilePayloads() -> [[AnyHashable: Any]] {
    struct Odd {}
    let deep = String(repeating: "[", count: 100_000)
    let huge = String(repeating: "ü\0\"\\👩‍👩‍👧", count: 50_000)
    func page(_ image: Any, _ more: [String: Any] = [:]) -> [String: Any] {
      ["image": image].merging(more) { $1 }
    }
    let odd: [Any] = [Odd(), Date(), Data([0xFF]), NSNull(), Double.nan, true, [1: 2], URL(fileURLWithPath: "/")]
    let texts: [String: Any] = [
      "title": huge, "subtitle": "\u{FFFE}\u{1F}", "link": "app://" + huge, "button_title": "\0",
      "duration": Double.nan,
    ]
    return [
      [:], ["pw_stories": odd], ["u": deep], ["u": #"{"pw_stories":"# + deep], ["u": huge, "p": huge],
      ["p": String(repeating: "_-", count: 100_000)], [7: 8, true: false, "p": -1e300],
      ["pw_stories": ["pages": odd.map { page($0) }, "story_id": huge]],
      ["pw_stories": ["pages": odd.map { page("a:b", ["title": $0, "duration": $0]) }, "story_id": "\0"]],
      ["pw_stories": ["pages": [page("a:" + huge, texts), page("a:b", texts)], "story_id": 7]],
      ["pw_stories": ["pages": (0..<20_000).map { page($0 < 5_000 ? "" : "a:\($0)", ["duration": 1e-300]) }]],
      ["u": #"{"pw_stories":{"story_id":"b\ud800","pages":[{"image":"a:b","title":"\udc00\ud800"}]}}"#],
      ["u": #"{"pw_stories":{"story_id":"a","story_id":"b","pages":[{"image":"a:b"}]}}"#],
      ["u": #"{"pw_stories":{"story_id":"c","pages":[{"image":"a:b","image":"c:d","duration":1e999}]}}"#],
    ]
  }

  @Test func `of what hostile payloads and settings become, the collector refuses nothing`() throws {
    var configuration = StoryClientConfiguration(
      collector: try #require(URL(string: "http://127.0.0.1:\(collector.port)")), writeKey: key)
    configuration.queueDirectory = URL(fileURLWithPath: try queue("queue"), isDirectory: true)
    configuration.userID = String(repeating: "\u{301}\0", count: 5_000)
    configuration.environment = "\0"
    configuration.locale = String(repeating: "\u{10FFFF}", count: 300)
    configuration.properties = [
      "": 1, "\0": 2, "\u{E9}": 3, "story_id_source": 4, String(repeating: "e\u{301}", count: 40): "x", "a\0": "b",
      "a": "c",
      "nan": .number(.nan), "infinite": .number(-.infinity), "least": .number(.leastNonzeroMagnitude),
      "most": .number(.greatestFiniteMagnitude), "zero": .number(-0.0),
      "long": .text(String(repeating: "ä", count: 999)),
    ]
    let client = StoryClient(
      configuration, clock: SystemClock(), randomness: SystemRandomness(), transport: URLSessionTransport(),
      timer: HastyTimer())
    var calls = 0
    for payload in Self.hostilePayloads() {
      let settings = StorySettings(messageID: calls > 40 ? String(repeating: "9", count: 2_000) : nil, campaignID: "\0")
      let story = client.beginStory(userInfo: payload, settings: settings)
      let numbers = [-1, Int.min, Int.max, 0, 999, 1_000]
      for number in numbers {
        story.didStart(pageCount: number)
        story.didShow(pageIndex: number)
        story.didTapAction(pageIndex: number)
      }
      story.didShowFallback()
      story.didDismiss()
      for code in ["", "\0", "r-1", String(repeating: "ü", count: 2_000)] {
        let content = RichMediaContent(code: code, source: .push, userInfo: payload)
        client.richMedia.didPresent(
          content, window: RichMediaWindow(position: code, swipeDirections: [code, ""], cornerRadius: -.infinity))
        client.richMedia.didFail(content, error: code)
        client.recordResponse(
          NotificationResponse(actionIdentifier: code, categoryIdentifier: code + "\0", userInfo: payload))
      }
      calls += numbers.count * 3 + 2 + 4 * 3
    }
    let phone = Phone(client: client)
    var (accepted, rejected, messages) = (0, 0, [String]())
    _ = eventually {
      let summary = phone.upload()
      accepted += summary.accepted
      rejected += summary.rejected
      messages += summary.messages
      return client.queue.waitingEvents == 0
    }
    #expect(rejected == 0, "\(messages)")
    #expect(accepted + client.queue.droppedEvents == calls && accepted > calls / 3)
    #expect(try eventually { try database.psql("SELECT count(*) FROM events") == String(accepted) })
    #expect(try database.psql("SELECT count(*) FROM pagefall.rejected") == "0")
  }

  @Test(arguments: [401, 403]) func `a refused key keeps all, and a client with the right one delivers`(_ status: Int)
    throws
  {
    let path = try queue("queue")
    let wrong = status == 401 ? "pfw_nobodys" : try createKey(database.connectionString, right: "read")
    let recorded = RecordedEvents()
    var random = SeededGenerator(seed: 9)
    do {
      let phone = try Phone(path, port: collector.port, key: wrong)
      phone.watch(2, &random) { recorded.add($0) }
      #expect(phone.upload().ending == .stopped(.keyRefused(status: status)))
      #expect(phone.client.queue == QueueSummary(waitingEvents: recorded.total, droppedEvents: 0, damagedEntries: 0))
    }
    let phone = try Phone(path, port: collector.port, key: key)
    let isEmpty = phone.empty()
    #expect(isEmpty)
    try expectStored(recorded.sessions)
  }
}
