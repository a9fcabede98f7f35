import Foundation
import StoryEvents
import TestSupport
import Testing

@testable import StoryClient

/// One session's file, written by its recorder.
@Suite struct QueueWriterTests {
  private let phone: TestPhone

  init() throws { phone = try TestPhone() }

  private func sequences(_ client: StoryClient) -> [Int] { client.waiting().map(\.seq) }

  @Test func `each call is in the file when it returns, whole and readable`() {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    #expect(phone.names == [])
    let calls: [(StoryRecorder) -> Void] = [
      { $0.didStart(pageCount: 3) }, { $0.didShow(pageIndex: 0) }, { $0.didTapAction(pageIndex: 0) },
      { $0.didFinish() }, { $0.didDismiss() },
    ]
    for (index, call) in calls.enumerated() {
      call(story)
      let state = index == calls.count - 1 ? "closed" : "open"
      let content = QueueContent(
        phone.bytes("\(story.sessionID)-000000.\(state)"), from: 0, isComplete: true)
      #expect(content.events.count == index + 1 && content.damageEnds.isEmpty)
    }
  }

  @Test func `a recorder that is let go ends its file`() {
    let client = phone.client()
    var story: StoryRecorder? = client.beginStory(userInfo: storyPayload())
    let id = story?.sessionID ?? ""
    story?.didStart(pageCount: 3)
    story = nil
    #expect(phone.names.contains("\(id)-000000.closed"))
  }

  @Test func `where the file was removed meanwhile, the session goes on in the next part and loses nothing`() throws {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    try FileManager.default.removeItem(atPath: phone.queueDirectory + "/\(story.sessionID)-000000.open")
    story.didShow(pageIndex: 0)
    story.didShow(pageIndex: 1)
    #expect(phone.names.contains("\(story.sessionID)-000001.open"))
    #expect(sequences(client) == [1, 2])
    #expect(client.waiting().allSatisfy { $0.contextObject["story_id"] as? String == "spring-sale" })
  }

  @Test func `after the dismissal a session can go on`() {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    story.didDismiss()
    story.didDismiss()
    story.didShow(pageIndex: 0)
    story.didDismiss()
    #expect(client.waiting().map(\.type) == ["start", "dismiss", "page_shown", "dismiss"])
    #expect(sequences(client) == [0, 1, 2, 3])
  }

  @Test func `a part over its bytes is followed by another`() {
    var bounds = QueueBounds()
    bounds.partBytes = 2_000
    let client = phone.client(bounds: bounds)
    let story = client.beginStory(userInfo: storyPayload())
    for page in 0..<50 { story.didShow(pageIndex: page % 3) }
    #expect(phone.names.filter { $0.hasPrefix(story.sessionID) }.count > 3)
    #expect(sequences(client) == Array(0..<50))
  }

  @Test func `an entry that finds no room is cut off again, counted, and the next one is whole`() {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    for room in [0, 1, 11, 100] {
      phone.files.leaveRoom(room)
      story.didShow(pageIndex: 0)
      phone.files.heal()
    }
    story.didShow(pageIndex: 1)
    #expect(sequences(client) == [0, 5])
    #expect(client.queue == QueueSummary(waitingEvents: 2, droppedEvents: 4, damagedEntries: 0))
  }

  @Test func `what cannot be cut off is read as one damage and counted once`() {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    phone.files.leaveRoom(20)
    phone.files.fail([.truncate], EIO)
    story.didShow(pageIndex: 0)
    phone.files.heal()
    story.didShow(pageIndex: 1)
    story.didDismiss()
    #expect(sequences(client) == [0, 2, 3])
    if let batch = client.eventQueue.nextBatch(mostEvents: 50) { client.eventQueue.remove(batch) }
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 1, damagedEntries: 1))
    #expect(phone.names.filter { $0.hasPrefix(story.sessionID) } == [])
  }

  @Test func `no room for the first entry leaves a file that can still begin`() {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    for isTruncatable in [true, false] {
      phone.files.leaveRoom(100)
      if !isTruncatable { phone.files.fail([.truncate], EIO) }
      story.didShow(pageIndex: 0)
      phone.files.heal()
    }
    story.didShow(pageIndex: 1)
    #expect(sequences(client) == [2])
    #expect(client.waiting().first?.contextObject["story_id"] as? String == "spring-sale")
    #expect(client.queue == QueueSummary(waitingEvents: 1, droppedEvents: 2, damagedEntries: 0))
  }

  @Test func `however many sessions run, few files are open, and nothing is lost`() {
    let client = phone.client()
    let stories = (0..<300).map { _ in client.beginStory(userInfo: storyPayload()) }
    for seq in 0..<3 {
      for story in stories { story.didShow(pageIndex: seq) }
    }
    #expect(phone.names.filter { $0.hasSuffix(".open") }.count <= 33)
    let events = client.waiting()
    #expect(events.count == 900 && client.queue.droppedEvents == 0)
    #expect(Set(events.map { "\($0.session) \($0.seq)" }).count == 900)
    for story in stories { story.didDismiss() }
    #expect(!client.eventQueue.hasManyOpen && phone.names.allSatisfy { !$0.hasSuffix(".open") })
    #expect(client.waiting().count == 1_200)
  }

  /// What may have got the name of one of our files.
  enum Stranger: CaseIterable { case directory, pipe, link, unending, text }

  @Test(arguments: Stranger.allCases)
  func `something else that has the name of a file of ours holds up nobody`(stranger: Stranger) throws {
    let id = "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f"
    for name in [
      "generation", "identifier", "dropped", "damaged", "lease", "bounds", "\(id)-000000.sent", "\(id)-000000.open",
      "\(id)-000001.closed", "consent.refused", ".",
    ] {
      let phone = try TestPhone()
      let path = phone.queueDirectory + (name == "." ? "" : "/" + name)
      if name != "." { try phone.write("README", []) }
      switch stranger {
      case .directory: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      case .pipe: #expect(mkfifo(path, 0o600) == 0)
      case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
      case .unending: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
      case .text: try Data("not ours".utf8).write(to: URL(fileURLWithPath: path))
      }
      var bounds = QueueBounds()
      bounds.events = 2
      bounds.eventsAfterDropping = 1
      let client = phone.client(bounds: bounds)
      let story = client.beginStory(userInfo: storyPayload())
      for _ in 0..<4 { story.didShow(pageIndex: 0) }
      story.didDismiss()
      let queue = client.eventQueue
      queue.keepBounds()
      queue.keepBounds()
      _ = queue.takeLease(seconds: 5)
      if let batch = queue.nextBatch(mostEvents: 2) { queue.remove(batch) }
      if let batch = queue.nextBatch(mostEvents: 2) { queue.drop(batch) }
      queue.releaseLease()
      _ = client.queue
      client.reset()
      client.setConsent(false)
      #expect(!client.hasConsent && queue.nextBatch(mostEvents: 2) == nil, "\(name)")
      client.setConsent(true)
    }
  }

  @Test(arguments: [EPERM, EACCES, EIO, ENOSPC, EDQUOT, EROFS, EMFILE])
  func `nothing crashes and all is counted where nothing can be written`(code: Int32) {
    phone.files.fail([.makeDirectory, .open, .append, .rename, .link], code)
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    story.didDismiss()
    client.recordResponse(NotificationResponse(actionIdentifier: "1", categoryIdentifier: "7", userInfo: [:]))
    #expect(client.eventQueue.droppedEventsTotal == 3)
    phone.files.heal()
    // Written down as soon as there is room; a session that began without it goes on.
    story.didShow(pageIndex: 0)
    #expect(sequences(client) == [2])
    #expect(client.queue.droppedEvents == 3)
    #expect(phone.client().queue.droppedEvents == 3)
  }

  @Test func `the number of an event that was given up stays free`() {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 0)
    story.didStart(pageCount: 1_001)
    story.didShow(pageIndex: -1)
    story.didShow(pageIndex: 1_000)
    story.didShow(pageIndex: 999)
    #expect(sequences(client) == [4])
    #expect(client.queue.droppedEvents == 4)
  }

  @Test func `a disk that is full and then has room again`() throws {
    guard SmallDisk.canBeMounted else { return }
    let disk = try SmallDisk("size=256k")
    let phone = try TestPhone(container: disk.path)
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    #expect(disk.fill())
    // What fits into the last block still fits.
    for _ in 0..<100 { story.didShow(pageIndex: 0) }
    let kept = client.waiting()
    let dropped = client.eventQueue.droppedEventsTotal
    #expect(kept.count + dropped == 101 && dropped > 0)
    try FileManager.default.removeItem(atPath: disk.path + "/filler")
    story.didFinish()
    story.didDismiss()
    #expect(client.waiting().count == kept.count + 2)
    #expect(client.queue == QueueSummary(waitingEvents: kept.count + 2, droppedEvents: dropped, damagedEntries: 0))
    #expect(phone.client().queue.droppedEvents == dropped)
  }
}
