import Foundation
import PushwooshCore
import StoryClient
import StoryPlayback
import Testing

@testable import ExampleFiles

/// The stand-in's manager is the only one of the process, as the SDK's is.
@Suite(.serialized) struct RichMediaTests {
  let queue: PhoneQueue
  let manager: PWRichMediaManager
  let delegate: PagefallRichMediaDelegate
  let first = PWRichMedia(source: .push, content: "r-AAAAA-00001", pushPayload: ["p": "HaSh"])
  let second = PWRichMedia(source: .inApp, content: "BBBBB-00002")
  let third = PWRichMedia(source: .inApp, content: "CCCCC-00003")

  init() throws {
    queue = try PhoneQueue()
    manager = try #require(PWRichMediaManager.shared())
    manager.restart()
    delegate = PagefallRichMediaDelegate(
      client: queue.client,
      window: RichMediaWindow(
        position: "bottom", presentAnimation: "from_bottom", dismissAnimation: "down", haptics: "light",
        swipeDirections: ["down", "left"], cornerRadius: 16, autoCloseSeconds: 20))
    manager.delegate = delegate
  }

  @Test func `shown and closed is one session with the window's settings`() throws {
    manager.present(first)
    manager.close(first, at: 1_000_000)
    #expect(
      try queue.events() == [
        ["rich_media_presented r-AAAAA-00001 push", "rich_media_closed r-AAAAA-00001 push"]
      ])
    let session = try #require(try queue.sessions().first)
    #expect(session.context["message_hash"] as? String == "HaSh")
    let expected: [String: AnyHashable] = [
      "position": "bottom", "present_animation": "from_bottom", "dismiss_animation": "down", "haptics": "light",
      "swipe_directions": "down,left", "corner_radius": 16, "auto_close_seconds": 20,
    ]
    for (name, value) in expected { #expect(session.properties[name] as? AnyHashable == value, "\(name)") }
  }

  @Test func `while one is open the others wait and come in their order`() throws {
    for richMedia in [first, second, third] { manager.present(richMedia) }
    manager.present(second)
    #expect(try queue.events().map(\.count) == [1, 1, 1])
    manager.close(first, at: 1_000_000)
    manager.close(second, at: 2_000_000)
    manager.close(third, at: 3_000_000)
    #expect(
      try queue.events() == [
        ["rich_media_presented r-AAAAA-00001 push", "rich_media_closed r-AAAAA-00001 push"],
        [
          "rich_media_deferred BBBBB-00002 in_app", "rich_media_presented BBBBB-00002 in_app",
          "rich_media_closed BBBBB-00002 in_app",
        ],
        [
          "rich_media_deferred CCCCC-00003 in_app", "rich_media_presented CCCCC-00003 in_app",
          "rich_media_closed CCCCC-00003 in_app",
        ],
      ])
  }

  @Test func `one that still loads is in the way, too`() throws {
    manager.loading[first.content] = .appears(afterMicroseconds: 500_000)
    manager.present(first)
    manager.present(second)
    #expect(try queue.events() == [["rich_media_deferred BBBBB-00002 in_app"]])
    manager.play(until: 500_000)
    #expect(try queue.events().count == 2)
  }

  @Test func `one that never appears is out of the way after a while`() throws {
    manager.loading[first.content] = .appears(afterMicroseconds: 60_000_000)
    delegate.patience = 0
    manager.present(first)
    manager.present(second)
    #expect(try queue.events() == [["rich_media_presented BBBBB-00002 in_app"]])
  }

  @Test func `a failure counts as closed, and the next one comes`() throws {
    manager.loading[first.content] = .fails(afterMicroseconds: 500_000, error: "NSURLErrorDomain")
    manager.present(first)
    manager.present(second)
    manager.play(until: 1_000_000)
    #expect(
      Set(try queue.events()) == [
        ["rich_media_failed r-AAAAA-00001 push NSURLErrorDomain -1"],
        ["rich_media_deferred BBBBB-00002 in_app", "rich_media_presented BBBBB-00002 in_app"],
      ])
  }

  @Test func `the older style's double end moves the queue on once`() throws {
    manager.restart(style: .fullScreen)
    manager.delegate = delegate
    delegate.presentNext = { PWRichMediaManager.shared().present($0) }
    manager.loading[first.content] = .fails(afterMicroseconds: 500_000, error: "NSURLErrorDomain")
    manager.loading[second.content] = .appears(afterMicroseconds: 500_000)
    for richMedia in [first, second, third] { manager.present(richMedia) }
    manager.play(until: 2_000_000)
    let events = try queue.events()
    #expect(
      events.contains([
        "rich_media_closed r-AAAAA-00001 push", "rich_media_failed r-AAAAA-00001 push NSURLErrorDomain -1",
      ]))
    #expect(
      events.contains(["rich_media_deferred BBBBB-00002 in_app", "rich_media_presented BBBBB-00002 in_app"]))
    #expect(events.contains(["rich_media_deferred CCCCC-00003 in_app"]))
  }

  @Test func `the timer's second close belongs to its own window and moves nothing`() throws {
    manager.window.autoCloseSeconds = 20
    manager.present(first)
    manager.present(second)
    manager.present(third)
    manager.close(first, at: 5_000_000)
    manager.play(until: 20_000_000)
    #expect(
      try queue.events() == [
        [
          "rich_media_presented r-AAAAA-00001 push", "rich_media_closed r-AAAAA-00001 push",
          "rich_media_closed r-AAAAA-00001 push",
        ],
        ["rich_media_deferred BBBBB-00002 in_app", "rich_media_presented BBBBB-00002 in_app"],
        ["rich_media_deferred CCCCC-00003 in_app"],
      ])
  }

  @Test func `one that fails when its turn comes is the presentation that was deferred`() throws {
    manager.loading[second.content] = .fails(afterMicroseconds: 500_000, error: "NSURLErrorDomain")
    for richMedia in [first, second] { manager.present(richMedia) }
    manager.close(first, at: 1_000_000)
    manager.play(until: 2_000_000)
    #expect(
      try queue.events().last == [
        "rich_media_deferred BBBBB-00002 in_app", "rich_media_failed BBBBB-00002 in_app NSURLErrorDomain -1",
      ])
  }

  @Test func `a page that was shown before and fails when it is deferred the next time fails the next time`() throws {
    for richMedia in [second, first, second] {
      manager.present(richMedia)
      if richMedia === second { manager.close(second, at: 1_000_000) }
    }
    #expect(
      try queue.events() == [
        ["rich_media_presented BBBBB-00002 in_app", "rich_media_closed BBBBB-00002 in_app"],
        ["rich_media_presented r-AAAAA-00001 push"], ["rich_media_deferred BBBBB-00002 in_app"],
      ])
    manager.loading[second.content] = .fails(afterMicroseconds: 0, error: "NSURLErrorDomain")
    manager.close(first, at: 2_000_000)
    #expect(
      try queue.events().last == [
        "rich_media_deferred BBBBB-00002 in_app", "rich_media_failed BBBBB-00002 in_app NSURLErrorDomain -1",
      ])
  }

  @Test func `what has no code cannot be told, and is counted`() throws {
    let bare = PWRichMedia(source: .inApp, content: nil)
    manager.present(bare)
    manager.close(bare, at: 1_000_000)
    #expect(try queue.sessions().isEmpty)
    #expect(queue.client.queue.droppedEvents == 2)
  }

  @MainActor @Test func `the app's start sets both delegates`() {
    let before = PushwooshConfig.notificationCenterDelegates.count
    // The App Group of the example does not exist here: a queue in the caches directory, to which nothing is written.
    PagefallApp.start()
    #expect(PushwooshConfig.notificationCenterDelegates.count == before + 1)
    #expect(manager.delegate is PagefallRichMediaDelegate)
  }
}
