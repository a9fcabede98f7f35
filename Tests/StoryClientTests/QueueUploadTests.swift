import Foundation
import StoryEvents
import Testing

@testable import StoryClient

/// What the uploader gets of the queue, and what it forgets.
@Suite struct QueueUploadTests {
  private let phone: TestPhone
  private let client: StoryClient
  private var queue: EventQueue { client.eventQueue }

  /// Nothing is too old: a test sets the clock ahead, and would find out whether the bounds were looked after before or then.
  private static let bounds: QueueBounds = {
    var bounds = QueueBounds()
    bounds.ageMicroseconds = 100 * 365 * 86_400_000_000
    return bounds
  }()

  init() throws {
    phone = try TestPhone()
    client = phone.client(bounds: Self.bounds)
  }

  /// A session of so many impressions, a second after the one before.
  @discardableResult
  private func session(_ events: Int, isEnded: Bool = true, by other: StoryClient? = nil) -> StoryRecorder {
    phone.clock.advance(microseconds: 1_000_000)
    let story = (other ?? client).beginStory(userInfo: storyPayload())
    for _ in 0..<(isEnded ? events - 1 : events) { story.didShow(pageIndex: 0) }
    if isEnded { story.didDismiss() }
    return story
  }

  private func shape(_ batch: QueuedBatch?) -> [Int] { batch?.parts.map(\.events.count) ?? [] }

  @Test func `an empty queue has no batch and makes no file`() {
    #expect(queue.nextBatch(mostEvents: 50) == nil)
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 0, damagedEntries: 0))
    #expect(!FileManager.default.fileExists(atPath: phone.queueDirectory))
  }

  @Test func `the oldest events come first, whole sessions in order, at most so many`() {
    let stories = [3, 4, 5].map { session($0) }
    for (most, expected) in [(1, [1]), (3, [3]), (5, [3, 2]), (50, [3, 4, 5])] {
      let batch = queue.nextBatch(mostEvents: most)
      #expect(shape(batch) == expected)
      #expect(batch?.parts.map { $0.file } == stories.prefix(expected.count).map { $0.sessionID + "-000000" })
    }
  }

  @Test func `what was answered is not given again, and its files go`() {
    session(3)
    session(4)
    var counts: [Int] = []
    while let batch = queue.nextBatch(mostEvents: 2) {
      counts.append(batch.eventCount)
      queue.remove(batch)
    }
    #expect(counts == [2, 2, 2, 1])
    #expect(phone.names.filter { $0 != "identifier" } == [])
  }

  @Test func `an open file gives what it has and stays until it is ended`() {
    let story = session(2, isEnded: false)
    if let batch = queue.nextBatch(mostEvents: 50) { queue.remove(batch) }
    #expect(queue.nextBatch(mostEvents: 50) == nil)
    #expect(phone.names.contains("\(story.sessionID)-000000.open"))
    story.didFinish()
    #expect(queue.nextBatch(mostEvents: 50)?.parts.first?.events.count == 1)
    story.didDismiss()
    if let batch = queue.nextBatch(mostEvents: 50) { queue.remove(batch) }
    #expect(phone.names.filter { $0.hasPrefix(story.sessionID) } == [])
  }

  @Test func `what ends after its last answer goes at the next look`() {
    let story = session(2, isEnded: false)
    if let batch = queue.nextBatch(mostEvents: 50) { queue.remove(batch) }
    withExtendedLifetime(story) {}
    phone.clock.set(SetClock.machine + SetClock.days(2))
    #expect(queue.nextBatch(mostEvents: 50) == nil)
    #expect(phone.names.filter { $0.hasPrefix(story.sessionID) } == [])
  }

  @Test func `a silent writer's file is ended for it, and the writer goes on in the next part`() {
    let story = session(2, isEnded: false)
    // Silent for more than a day, but not so long that the events are too old to be kept.
    phone.clock.set(SetClock.machine + SetClock.days(2))
    let other = phone.client()
    let batch = other.eventQueue.nextBatch(mostEvents: 50)
    #expect(batch?.eventCount == 2)
    #expect(phone.names.contains("\(story.sessionID)-000000.closed"))
    if let batch { other.eventQueue.remove(batch) }
    phone.clock.set(SetClock.noon)
    story.didShow(pageIndex: 1)
    #expect(client.waiting().map(\.seq) == [2])
  }

  @Test func `removed in halves, nothing is forgotten that was not answered`() throws {
    session(3)
    session(4)
    let batch = try #require(queue.nextBatch(mostEvents: 50))
    let (first, second) = try #require(batch.halves())
    queue.remove(first)
    #expect(queue.nextBatch(mostEvents: 50) == second)
    let (third, fourth) = try #require(second.halves())
    queue.drop(third)
    #expect(queue.nextBatch(mostEvents: 50) == fourth)
    #expect(client.queue == QueueSummary(waitingEvents: 2, droppedEvents: 2, damagedEntries: 0))
  }

  @Test func `what somebody else has removed meanwhile is not counted as dropped`() throws {
    session(3)
    let batch = try #require(queue.nextBatch(mostEvents: 50))
    phone.client().eventQueue.remove(batch)
    queue.drop(batch)
    queue.remove(batch)
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 0, damagedEntries: 0))
  }

  @Test(arguments: [EPERM, EACCES, EIO])
  func `while the device is locked nothing is given, removed or counted`(code: Int32) throws {
    session(3)
    session(2, isEnded: false)
    let before = phone.names
    phone.files.fail([.read], code)
    #expect(queue.nextBatch(mostEvents: 50) == nil)
    queue.keepBounds()
    #expect(!queue.takeLease(seconds: 30))
    phone.files.heal()
    #expect(phone.names == before)
    #expect(client.queue == QueueSummary(waitingEvents: 5, droppedEvents: 0, damagedEntries: 0))
  }

  @Test func `an answer that comes while the device is locked is remembered`() throws {
    session(3)
    let batch = try #require(queue.nextBatch(mostEvents: 2))
    phone.files.fail([.read, .open], EPERM)
    queue.remove(batch)
    phone.files.heal()
    #expect(shape(queue.nextBatch(mostEvents: 50)) == [1])
  }

  @Test func `progress that finds no room is remembered by the process`() throws {
    session(3)
    let batch = try #require(queue.nextBatch(mostEvents: 2))
    phone.files.fail([.open, .append], ENOSPC)
    queue.remove(batch)
    #expect(shape(queue.nextBatch(mostEvents: 50)) == [1])
    // Another does not know: it sends them again, and the collector stores them once.
    #expect(shape(phone.client().eventQueue.nextBatch(mostEvents: 50)) == [3])
    queue.remove(try #require(queue.nextBatch(mostEvents: 50)))
    #expect(queue.nextBatch(mostEvents: 50) == nil)
  }

  @Test func `damaged progress means sending again`() throws {
    let story = session(3)
    queue.remove(try #require(queue.nextBatch(mostEvents: 2)))
    let name = "\(story.sessionID)-000000.sent"
    for damaged in [Array("9999".utf8), [], Array(phone.bytes(name).dropLast(3))] {
      try phone.write(name, damaged)
      #expect(shape(queue.nextBatch(mostEvents: 50)) == [3])
    }
  }

  @Test func `a damaged file is never in the way, and what it has lost is counted once`() throws {
    let stories = [3, 3, 3].map { session($0) }
    let name = "\(stories[1].sessionID)-000000.closed"
    var bytes = phone.bytes(name)
    let ends = QueueContent(bytes, from: 0, isComplete: true).events.map(\.endOffset)
    bytes[ends[0] + 30] ^= 1
    try phone.write(name, bytes)
    #expect(shape(queue.nextBatch(mostEvents: 50)) == [3, 2, 3])
    while let batch = queue.nextBatch(mostEvents: 4) { queue.remove(batch) }
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 1, damagedEntries: 1))
    #expect(phone.names.allSatisfy { !$0.contains(".closed") && !$0.contains(".sent") })
  }

  @Test func `an event without its header is sent without context`() throws {
    let story = session(2)
    let name = "\(story.sessionID)-000000.closed"
    var bytes = phone.bytes(name)
    bytes[40] ^= 1
    try phone.write(name, bytes)
    let part = try #require(queue.nextBatch(mostEvents: 50)?.parts.first)
    #expect(part.events.count == 2 && part.context == Array("{}".utf8))
    queue.remove(QueuedBatch(parts: [part]))
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 0, damagedEntries: 1))
  }

  @Test func `files of others, empty ones and noise do no harm`() throws {
    session(2)
    let id = "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f"
    for name in [
      "\(id)-000000.closed", "\(id)-000001.removing", "\(id)-1.open", "README", "x.closed", ".open",
      "\(id)-00000x.open",
    ] {
      try phone.write(name, [])
    }
    try phone.write("\(id)-000002.closed", [UInt8](repeating: 0x1E, count: 3_000))
    try FileManager.default.createDirectory(
      atPath: phone.queueDirectory + "/\(id)-000003.closed", withIntermediateDirectories: true)
    #expect(shape(queue.nextBatch(mostEvents: 50)) == [2])
    queue.keepBounds()
    #expect(shape(queue.nextBatch(mostEvents: 50)) == [2])
    #expect(phone.names.contains("README"))
    #expect(!phone.names.contains("\(id)-000000.closed") && !phone.names.contains("\(id)-000002.closed"))
  }

  @Test func `a remover that was interrupted is no obstacle`() throws {
    let story = session(3)
    try FileManager.default.moveItem(
      atPath: phone.queueDirectory + "/\(story.sessionID)-000000.closed",
      toPath: phone.queueDirectory + "/\(story.sessionID)-000000.removing")
    let batch = try #require(queue.nextBatch(mostEvents: 50))
    #expect(batch.eventCount == 3)
    queue.remove(batch)
    #expect(phone.names.filter { $0 != "identifier" } == [])
  }

  @Test func `the lease is one process's until it ends, is given back, or is out of all reason`() throws {
    session(1)
    let other = phone.client().eventQueue
    #expect(queue.takeLease(seconds: 30))
    #expect(queue.takeLease(seconds: 30))
    #expect(!other.takeLease(seconds: 30))
    other.releaseLease()
    #expect(!other.takeLease(seconds: 30))
    phone.clock.advance(microseconds: 31_000_000)
    #expect(other.takeLease(seconds: 30))
    #expect(!queue.takeLease(seconds: 30))
    other.releaseLease()
    #expect(queue.takeLease(seconds: 86_400))
    // Somebody sets the clock back by a year.
    phone.clock.set(SetClock.noon - 365 * 86_400_000_000)
    #expect(other.takeLease(seconds: 30))
    // An hour is the longest; a clock that is set back by two does not make it three.
    phone.clock.set(SetClock.noon)
    #expect(queue.takeLease(seconds: 86_400))
    phone.clock.set(SetClock.noon - 7_200_000_000)
    #expect(other.takeLease(seconds: 30))
    try phone.write("lease", Array("nonsense".utf8))
    #expect(queue.takeLease(seconds: 30))
  }

  @Test func `a full disk does not keep anybody from uploading`() {
    session(1)
    phone.files.fail([.open, .append], ENOSPC)
    #expect(queue.takeLease(seconds: 30))
    queue.releaseLease()
  }
}
