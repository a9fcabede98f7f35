import Foundation
import StoryClient
import Testing
import UserNotifications

@testable import ExampleFiles

@Suite struct ResponseTests {
  let queue: PhoneQueue

  init() throws { queue = try PhoneQueue() }

  @Test(arguments: [
    ("1", "12345", "notification_response button 12345 1"),
    ("snooze", "12345", "notification_response button 12345 snooze"),
    (UNNotificationDefaultActionIdentifier, "12345", "notification_response default 12345"),
    (UNNotificationDefaultActionIdentifier, "", "notification_response default"),
    (UNNotificationDismissActionIdentifier, "12345", "notification_response dismiss 12345"),
  ])
  func `a response is one session with one event`(action: String, category: String, line: String) throws {
    let delegate = PagefallNotificationDelegate(client: queue.client)
    let notification = UNNotification(userInfo: ["p": "HaSh"], categoryIdentifier: category)
    var completions = 0
    delegate.userNotificationCenter(
      UNUserNotificationCenter(),
      didReceive: UNNotificationResponse(notification: notification, actionIdentifier: action)
    ) { completions += 1 }
    #expect(completions == 1)
    #expect(try queue.events() == [[line]])
    let session = try #require(try queue.sessions().first)
    #expect(session.isClosed)
    #expect(session.context["message_hash"] as? String == "HaSh")
  }

  @Test func `a button of no category cannot be told, and is counted`() throws {
    var completions = 0
    PagefallNotificationDelegate(client: queue.client).userNotificationCenter(
      UNUserNotificationCenter(),
      didReceive: UNNotificationResponse(notification: UNNotification(userInfo: [:]), actionIdentifier: "snooze")
    ) { completions += 1 }
    #expect(completions == 1)
    #expect(try queue.events().isEmpty)
    #expect(queue.client.queue.droppedEvents == 1)
  }
}
