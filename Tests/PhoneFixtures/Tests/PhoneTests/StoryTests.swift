import Foundation
import PushwooshNotificationUI
import StoryClient
import Testing
import UserNotifications

@testable import ExampleFiles

/// The example's controller with a queue of the test's own.
final class TestedController: StoryViewController {
  let tested: StoryClient
  var loops = false

  init(client: StoryClient) {
    tested = client
    super.init()
  }

  override var client: StoryClient { tested }
  override var loopsAfterLastPage: Bool { loops }
}

let second: Int64 = 1_000_000

/// A notification with a story of these pages, beside `story_id`.
func story(_ pages: [Any]?, id: String = "spring-sale") -> UNNotification {
  var block: [String: Any] = ["story_id": id]
  if let pages { block["pages"] = pages }
  return UNNotification(
    userInfo: ["p": "HaSh", "aps": ["category": "PW_STORIES"], "u": ["pw_stories": block]],
    categoryIdentifier: "PW_STORIES")
}

@MainActor let page: [String: Any] = [
  "image": "https://example.com/1.jpg", "duration": 2, "title": "Welcome", "link": "shop://1", "button_title": "Go",
]

@MainActor @Suite struct StoryTests {
  let queue: PhoneQueue
  let controller: TestedController

  init() throws {
    queue = try PhoneQueue()
    controller = TestedController(client: queue.client)
  }

  @Test func `a story that is watched, tapped and closed is exactly these events`() throws {
    controller.didReceive(story([page, page]))
    controller.play(until: 2 * second)
    controller.handle(.tap(.left), at: 3 * second)
    controller.handle(.tapButton(opens: true), at: 4 * second)
    controller.handle(.tap(.right), at: 5 * second)
    controller.play(until: 8 * second)
    controller.viewWillDisappear(false)
    #expect(
      try queue.events() == [
        [
          "start 2", "page_shown 0", "page_shown 1", "page_shown 0", "action_tap 0", "page_shown 1", "finish",
          "dismiss",
        ]
      ])
    let session = try #require(try queue.sessions().first)
    #expect(session.isClosed)
    #expect(session.context["story_id"] as? String == "spring-sale")
    #expect(session.context["message_hash"] as? String == "HaSh")
    #expect(session.properties["story_id_source"] as? String == "payload")
    #expect(session.properties["loops_after_last_page"] as? Bool == false)
  }

  @Test func `who taps through to the last page and leaves has not finished`() throws {
    controller.didReceive(story([page, page]))
    controller.handle(.tap(.right), at: second)
    controller.viewWillDisappear(true)
    #expect(try queue.events() == [["start 2", "page_shown 0", "page_shown 1", "dismiss"]])
  }

  @Test func `a link that cannot be opened closes the story`() throws {
    controller.didReceive(story([page, page]))
    controller.handle(.tapButton(opens: false), at: second)
    #expect(try queue.events() == [["start 2", "page_shown 0", "action_tap 0", "dismiss"]])
  }

  @Test func `a second notification is a session of its own, and the first gets no end`() throws {
    controller.didReceive(story([page, page], id: "first"))
    controller.didReceive(story([page], id: "second"))
    controller.viewWillDisappear(false)
    let sessions = try queue.sessions()
    #expect(
      try queue.events() == [["start 2", "page_shown 0"], ["start 1", "page_shown 0", "dismiss"]])
    #expect(sessions.map { $0.context["story_id"] as? String } == ["first", "second"])
    #expect(sessions.map(\.isClosed) == [true, true])
  }

  @Test func `the same notification twice is two sessions`() throws {
    let notification = story([page])
    controller.didReceive(notification)
    controller.didReceive(notification)
    #expect(try queue.events() == [["start 1", "page_shown 0"], ["start 1", "page_shown 0"]])
    #expect(Set(try queue.sessions().map { $0.events.first?["session_id"] as? String }).count == 2)
  }

  @Test(arguments: [
    (#"{"aps":{}}"#, "missing_block"),
    (#"{"u":"{\"pw_stories\":[]}"}"#, "missing_block"),
    (#"{"u":{"pw_stories":{}}}"#, "bad_page_list"),
    (#"{"pw_stories":{"pages":[{"image":"https://example.com/1.jpg"},null]}}"#, "bad_page_list"),
    (#"{"userdata":"{\"pw_stories\":{\"pages\":[]}}"}"#, "no_usable_page"),
    (#"{"u":{"pw_stories":{"pages":[{"title":"No image"}]}}}"#, "no_usable_page"),
  ])
  func `a fallback says why`(payload: String, reason: String) throws {
    let userInfo = try #require(try JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any])
    controller.didReceive(UNNotification(userInfo: userInfo))
    controller.viewWillDisappear(false)
    #expect(try queue.events() == [["fallback \(reason)", "dismiss"]])
  }

  @Test func `a story that fell back in the same controller as one that played is recorded apart`() throws {
    controller.didReceive(story([page]))
    controller.didReceive(story([]))
    #expect(try queue.events() == [["start 1", "page_shown 0"], ["fallback no_usable_page"]])
  }

  @Test func `after a dropped page events have the place on screen and the place in the message`() throws {
    controller.didReceive(story([page, ["title": "No image"], page]))
    controller.play(until: 2 * second)
    let session = try #require(try queue.sessions().first)
    let described = try #require(session.events.first?["pages"] as? [[String: Any]])
    #expect(described.map { $0["title"] as? String } == ["Welcome", "Welcome"])
    #expect(described.map { $0["payload_index"] as? Int } == [0, 2])
    let events = session.events.filter { $0["type"] as? String == "page_shown" }
    #expect(events.map { $0["page_index"] as? Int } == [0, 1])
    #expect(events.map { ($0["page"] as? [String: Any])?["duration"] as? Double } == [2, 2])
  }

  @Test func `a looping story finishes as often as it ends, without a new start`() throws {
    controller.loops = true
    controller.didReceive(story([page, page]))
    controller.play(until: 8 * second)
    controller.viewWillDisappear(false)
    #expect(
      try queue.events() == [
        [
          "start 2", "page_shown 0", "page_shown 1", "finish", "page_shown 0", "page_shown 1", "finish", "page_shown 0",
          "dismiss",
        ]
      ])
    #expect(try queue.sessions().first?.properties["loops_after_last_page"] as? Bool == true)
  }

  @Test func `what happens after a closing is recorded, and a second closing in a row is not`() throws {
    controller.didReceive(story([page]))
    controller.viewWillDisappear(false)
    controller.viewWillDisappear(false)
    #expect(try queue.events() == [["start 1", "page_shown 0", "dismiss"]])
  }

  @Test func `a closing without a notification is nothing`() throws {
    controller.viewWillDisappear(false)
    #expect(try queue.sessions().isEmpty)
  }

  @Test func `the controller is its own delegate and is let go all the same`() throws {
    weak var gone: TestedController?
    do {
      let controller = TestedController(client: queue.client)
      gone = controller
      controller.didReceive(story([page]))
      #expect(controller.storiesDelegate === controller)
    }
    #expect(gone == nil)
    #expect(try queue.sessions().map(\.isClosed) == [true])
  }

  @Test func `nothing is written before consent, and nothing of a story that began before it`() throws {
    var configuration = StoryClientConfiguration(
      collector: try #require(URL(string: "http://127.0.0.1:1")), writeKey: "pfw_none")
    configuration.queueDirectory = queue.directory
    configuration.consent = .required
    let client = StoryClient(configuration)
    let controller = TestedController(client: client)
    controller.didReceive(story([page], id: "before"))
    #expect(try queue.sessions().isEmpty)
    client.setConsent(true)
    controller.didReceive(story([page], id: "after"))
    #expect(try queue.sessions().map { $0.context["story_id"] as? String } == ["after"])
  }
}
