import Foundation
import Testing

@testable import StoryClient

/// How much the queue keeps, and that it counts what it drops.
@Suite struct QueueBoundsTests {
  private let phone: TestPhone

  init() throws { phone = try TestPhone() }

  private static let small: QueueBounds = {
    var bounds = QueueBounds()
    bounds.events = 100
    bounds.eventsAfterDropping = 90
    bounds.eventsBetweenChecks = 10
    return bounds
  }()

  private func session(_ client: StoryClient, _ events: Int) -> StoryRecorder {
    phone.clock.advance(microseconds: 1_000_000)
    let story = client.beginStory(userInfo: storyPayload())
    for page in 0..<events { story.didShow(pageIndex: page % 3) }
    return story
  }

  @Test func `a phone keeps 10,000 events for 30 days`() {
    let bounds = QueueBounds()
    #expect(bounds.events == 10_000 && bounds.ageMicroseconds == 2_592_000_000_000)
    #expect(bounds.eventsAfterDropping <= bounds.events && bounds.eventsAfterDropping >= 9_000)
  }

  @Test func `of too much the oldest events are dropped and counted, to the event`() {
    let client = phone.client(bounds: Self.small)
    let stories = (0..<20).map { _ in session(client, 7) }
    client.eventQueue.background.sync {}
    client.eventQueue.keepBounds()
    let waiting = client.waiting()
    let summary = client.queue
    #expect(waiting.count >= 90 && waiting.count <= 100)
    #expect(waiting.count + summary.droppedEvents == 140 && summary.damagedEntries == 0)
    // The newest are all there, in order, and only the oldest is cut.
    let expected = stories.flatMap { story in (0..<7).map { "\(story.sessionID) \($0)" } }.suffix(waiting.count)
    #expect(waiting.map { "\($0.session) \($0.seq)" } == Array(expected))
  }

  @Test func `the bound holds without anybody asking, off the caller's thread`() {
    let client = phone.client(bounds: Self.small)
    let story = session(client, 500)
    client.eventQueue.background.sync {}
    #expect(client.queue.waitingEvents <= 110)
    #expect(client.queue.waitingEvents + client.queue.droppedEvents == 500)
    withExtendedLifetime(story) {}
  }

  @Test func `another process's events count too`() {
    let writers = (0..<3).map { _ in phone.client(bounds: Self.small) }
    let stories = writers.map { session($0, 60) }
    let last = phone.client(bounds: Self.small)
    last.eventQueue.background.sync {}
    for writer in writers { writer.eventQueue.background.sync {} }
    last.eventQueue.keepBounds()
    #expect(last.queue.waitingEvents <= 100)
    #expect(last.queue.waitingEvents + last.queue.droppedEvents == 180)
    withExtendedLifetime(stories) {}
  }

  @Test(arguments: [-700_000_000, 700_000_000, 10 * 365 * 86_400_000_000, -10 * 365 * 86_400_000_000])
  func `what a crash left of dropping holds up nobody, whatever the clock was then`(offset: Int64) throws {
    let client = phone.client(bounds: Self.small)
    let story = session(client, 1)
    client.eventQueue.background.sync {}
    let made = phone.clock.wallMicroseconds + offset
    try phone.write("bounds", QueueEntry.plainFile(String(made)))
    for _ in 0..<150 { story.didShow(pageIndex: 0) }
    client.eventQueue.background.sync {}
    client.eventQueue.keepBounds()
    #expect(client.queue.waitingEvents <= 100 && client.queue.waitingEvents + client.queue.droppedEvents == 151)
    #expect(!phone.names.contains("bounds"))
  }

  @Test func `what is older than 30 days is dropped and counted`() {
    phone.clock.set(1_700_000_000_000_000)
    let client = phone.client()
    session(client, 3).didDismiss()
    // The files themselves are as old as this test: by them alone it is not old enough.
    client.eventQueue.keepBounds()
    #expect(client.queue.waitingEvents == 4)
    phone.clock.set(SetClock.machine + SetClock.days(60))
    let young = session(client, 2)
    phone.clock.set(SetClock.machine + SetClock.days(365))
    let other = session(client, 1)
    client.eventQueue.keepBounds()
    #expect(client.waiting().map(\.session) == [other.sessionID])
    #expect(client.queue.droppedEvents == 6)
    withExtendedLifetime(young) {}
  }

  @Test func `a clock that was in 1970 when the session began drops nothing`() {
    phone.clock.set(5_000_000)
    let client = phone.client()
    session(client, 3).didDismiss()
    phone.clock.set(SetClock.machine)
    client.eventQueue.keepBounds()
    #expect(client.queue == QueueSummary(waitingEvents: 4, droppedEvents: 0, damagedEntries: 0))
  }

  @Test func `counts add up over processes and restarts, and end before they cost too much`() throws {
    let clients = (0..<4).map { _ in phone.client() }
    let story = session(clients[0], 1)
    for (index, client) in clients.enumerated() { client.eventQueue.countDropped(index + 1) }
    #expect(phone.client().queue.droppedEvents == 10)
    clients[0].eventQueue.countDropped(Tally.most)
    clients[1].eventQueue.countDropped(5)
    #expect(clients[2].eventQueue.droppedEventsTotal == Tally.most)
    withExtendedLifetime(story) {}
  }

  @Test func `what crashes left is tidied up after a day`() throws {
    let client = phone.client()
    session(client, 2).didDismiss()
    let id = "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f"
    for name in ["\(id)-000000.sent", "lease-00.new"] { try phone.write(name, [1]) }
    phone.clock.set(SetClock.machine)
    client.eventQueue.keepBounds()
    #expect(phone.names.contains("lease-00.new"))
    phone.clock.advance(microseconds: SetClock.days(2))
    client.eventQueue.keepBounds()
    #expect(!phone.names.contains("lease-00.new") && !phone.names.contains("\(id)-000000.sent"))
    #expect(client.queue.waitingEvents == 3)
  }
}
