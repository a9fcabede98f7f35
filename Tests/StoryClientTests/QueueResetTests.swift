import Foundation
import Testing

@testable import StoryClient

/// Forgetting, by one process while another records.
@Suite struct QueueResetTests {
  private let phone: TestPhone

  init() throws { phone = try TestPhone() }

  private func identifier(_ client: StoryClient) -> String? {
    client.waiting().first?.contextObject["device_id"] as? String
  }

  @Test func `reset forgets events, counts and the identifier`() {
    let client = phone.client()
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    client.eventQueue.countDropped(7)
    let before = identifier(client)
    #expect(before != nil)
    client.reset()
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 0, damagedEntries: 0))
    #expect(phone.names == ["generation"])
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    #expect(identifier(client) != nil && identifier(client) != before)
  }

  @Test func `running sessions of every process record nothing more, new ones do`() {
    let clients = [phone.client(), phone.client()]
    let running = clients.map { $0.beginStory(userInfo: storyPayload()) }
    for story in running { story.didStart(pageCount: 3) }
    clients[0].reset()
    for story in running {
      story.didShow(pageIndex: 0)
      story.didDismiss()
    }
    #expect(clients[0].queue.waitingEvents == 0 && clients[1].queue.droppedEvents == 0)
    #expect(phone.names == ["generation"])
    for client in clients { client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3) }
    #expect(clients[0].queue.waitingEvents == 2)
  }

  @Test func `a file of before that comes back is not sent`() throws {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    let name = "\(story.sessionID)-000000.open"
    let bytes = phone.bytes(name)
    client.reset()
    try phone.write(name, bytes)
    #expect(client.waiting().isEmpty)
    #expect(phone.names == ["generation"])
    #expect(client.queue.droppedEvents == 0)
  }

  @Test func `a damaged generation forgets nothing`() throws {
    let client = phone.client()
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    client.reset()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    var bytes = phone.bytes("generation")
    bytes[bytes.count / 2] ^= 1
    for damaged in [bytes, []] {
      try phone.write("generation", damaged)
      story.didShow(pageIndex: 0)
      client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    }
    #expect(client.queue.waitingEvents == 5 && client.waiting().count == 5)
    client.reset()
    story.didFinish()
    #expect(client.waiting().isEmpty)
  }

  @Test func `on a full disk the queue is forgotten all the same`() {
    let client = phone.client()
    let story = phone.client().beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    phone.files.fail([.append], ENOSPC)
    client.reset()
    phone.files.heal()
    #expect(client.waiting().isEmpty)
  }

  @Test func `while one process resets, another begins no session with the identifier of before`() {
    let clients = [phone.client(), phone.client()]
    clients[0].beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let old = identifier(clients[0])
    // As soon as the generation is new, the other begins.
    let other = clients[1]
    phone.files.before(.names, "/pagefall") {
      other.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    }
    clients[0].reset()
    other.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let identifiers = Set(other.waiting().map { $0.contextObject["device_id"] as? String })
    #expect(identifiers.count == 1 && !identifiers.contains(old) && !identifiers.contains(nil))
  }

  @Test func `a session that had begun in another process records nothing after a reset, not even as its first event`()
  {
    let clients = [phone.client(), phone.client()]
    clients[0].beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let silent = clients[1].beginStory(userInfo: storyPayload())
    let dismissed = clients[1].beginStory(userInfo: storyPayload())
    dismissed.didDismiss()
    clients[0].reset()
    silent.didStart(pageCount: 3)
    dismissed.didShow(pageIndex: 1)
    #expect(phone.names == ["generation"])
  }

  @Test(arguments: [true, false])
  func `a reset in the middle of a session's first event leaves nothing of it`(isConsent: Bool) {
    let clients = [phone.client(), phone.client()]
    clients[0].beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let story = clients[1].beginStory(userInfo: storyPayload())
    let other = clients[0]
    phone.files.before(.open, "-000000.open") { isConsent ? other.setConsent(false) : other.reset() }
    story.didStart(pageCount: 3)
    story.didShow(pageIndex: 0)
    #expect(phone.names.filter { $0.contains(story.sessionID) } == [])
    #expect(clients[1].queue == QueueSummary(waitingEvents: 0, droppedEvents: 0, damagedEntries: 0))
  }

  @Test func `a generation that somebody has removed forgets nothing`() throws {
    let client = phone.client()
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    client.reset()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    try FileManager.default.removeItem(atPath: phone.queueDirectory + "/generation")
    story.didShow(pageIndex: 0)
    #expect(client.waiting().count == 2)
    // Nor does the whole folder: what had not been sent is gone, and the session goes on.
    try FileManager.default.removeItem(atPath: phone.queueDirectory)
    story.didShow(pageIndex: 1)
    #expect(client.waiting().map(\.seq) == [2])
  }

  @Test func `without a queue nothing is made`() {
    phone.client().reset()
    #expect(!FileManager.default.fileExists(atPath: phone.queueDirectory))
  }
}

/// Consent, over processes.
@Suite struct ConsentTests {
  private let phone: TestPhone

  init() throws { phone = try TestPhone() }

  @Test func `before consent nothing at all is written`() {
    phone.configuration.consent = .required
    let client = phone.client()
    #expect(!client.hasConsent)
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    story.didShow(pageIndex: 5_000)
    story.didDismiss()
    client.recordResponse(NotificationResponse(actionIdentifier: "1", categoryIdentifier: "7", userInfo: [:]))
    client.richMedia.didPresent(RichMediaContent(code: "r-1"))
    client.upload()
    _ = client.eventQueue.takeLease(seconds: 30)
    client.eventQueue.keepBounds()
    client.reset()
    #expect(!FileManager.default.fileExists(atPath: phone.queueDirectory))
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 0, damagedEntries: 0))
  }

  @Test func `consent counts for every process, and for sessions from then on`() {
    phone.configuration.consent = .required
    let clients = [phone.client(), phone.client()]
    let early = clients[1].beginStory(userInfo: storyPayload())
    clients[0].setConsent(true)
    #expect(clients[1].hasConsent && phone.client().hasConsent)
    early.didStart(pageCount: 3)
    #expect(clients[1].queue.waitingEvents == 0)
    clients[1].beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    #expect(clients[0].queue.waitingEvents == 1)
  }

  @Test(arguments: [ConsentPolicy.required, .notRequired])
  func `consent taken back by one process clears the queue and stops the other`(policy: ConsentPolicy) {
    phone.configuration.consent = policy
    let clients = [phone.client(), phone.client()]
    clients[0].setConsent(true)
    let running = clients[1].beginStory(userInfo: storyPayload())
    running.didStart(pageCount: 3)
    #expect(clients[0].queue.waitingEvents == 1)
    clients[0].setConsent(false)
    running.didShow(pageIndex: 0)
    running.didDismiss()
    clients[1].beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    #expect(!clients[1].hasConsent && clients[1].queue.waitingEvents == 0)
    let before = phone.names
    _ = clients[1].eventQueue.takeLease(seconds: 30)
    #expect(phone.names == before)
    clients[1].setConsent(true)
    running.didFinish()
    #expect(clients[0].hasConsent && clients[0].queue.waitingEvents == 0)
    clients[0].beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    #expect(clients[1].queue.waitingEvents == 1)
  }

  @Test func `what an app recorded before it began to ask waits for the answer`() {
    phone.client().beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    phone.configuration.consent = .required
    let client = phone.client()
    #expect(client.eventQueue.nextBatch(mostEvents: 50) == nil)
    client.setConsent(true)
    #expect(client.eventQueue.nextBatch(mostEvents: 50)?.eventCount == 1)
    client.setConsent(false)
    #expect(client.queue.waitingEvents == 0)
  }

  @Test func `what was written while consent was taken back, by a process that was killed, is not left lying`() throws {
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    let name = "\(story.sessionID)-000000.open"
    let bytes = phone.bytes(name)
    client.setConsent(false)
    try phone.write(name, bytes)
    #expect(client.eventQueue.nextBatch(mostEvents: 50) == nil)
    #expect(phone.names == ["consent.refused", "generation", "identifier"])
  }

  @Test(arguments: [ConsentPolicy.required, .notRequired], [ENOSPC, EACCES, EROFS])
  func `consent that is taken back where that cannot be written down counts all the same`(
    policy: ConsentPolicy, code: Int32
  ) {
    phone.configuration.consent = policy
    let client = phone.client()
    client.setConsent(true)
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    phone.files.fail([.append, .open, .rename, .remove], code)
    client.setConsent(false)
    #expect(!client.hasConsent)
    story.didShow(pageIndex: 0)
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    #expect(client.eventQueue.nextBatch(mostEvents: 50) == nil)
    phone.files.heal()
    // Written down as soon as it can be.
    #expect(!client.hasConsent && !phone.client().hasConsent)
    client.setConsent(true)
    #expect(client.hasConsent && phone.client().hasConsent)
  }

  @Test func `where consent cannot be read it is not given`() {
    phone.configuration.consent = .required
    let client = phone.client()
    client.setConsent(true)
    phone.files.fail([.status], EACCES)
    #expect(!client.hasConsent)
    phone.files.heal()
    #expect(client.hasConsent)
  }
}
