import FunnelDocument
import Testing

@testable import MessageLint

/// The file that the iOS Simulator takes.
@Suite struct SimulatorPushTests {
  private func push(_ text: String, notification: Int? = nil) throws(SimulatorPushError) -> SimulatorPush {
    try SimulatorPush(message: text.utf8, notification: notification, bundleIdentifier: "com.example.shop")
  }

  @Test func `the example becomes a push of the same pages`() throws {
    let bytes = try projectFile("Examples/seed-message.json")
    let push = try SimulatorPush(message: bytes, notification: nil, bundleIdentifier: "com.example.shop")
    let value = try JSONValue(text: push.text)
    #expect(value["Simulator Target Bundle"] == .string("com.example.shop"))
    #expect(value["aps"]?["category"] == .string("PW_STORIES"))
    #expect(value["aps"]?["mutable-content"] == .integer(1))
    #expect(value["aps"]?["alert"]?["title"] == .string("Push Stories"))
    #expect(value["aps"]?["alert"]?["body"] == .string("Tap to explore"))
    let back = lint(push.text).notifications[0]
    #expect(back.outcome == MessageLint().lint(bytes, name: "x").notifications[0].outcome)
    #expect(back.payloadBytes == MessageLint().lint(bytes, name: "x").notifications[0].payloadBytes)
  }

  @Test(arguments: [
    #"{"pages":[{"image":"a:b"}],"story_id":"s"}"#, #"{"u":"{\"pw_stories\":{\"pages\":[{\"image\":\"a:b\"}]}}"}"#,
    #"{"pw_stories":{"pages":[{"image":"a:b"},{}]},"aps":{"alert":"x"}}"#, #"{"pages":7}"#,
    #"{"notifications":[{"data":"{\"pw_stories\":{\"pages\":[{\"image\":\"a:b\"}]}}"}]}"#,
    #"{"notifications":[{"ios_root_params":{"pw_stories":{"pages":[{"image":"a:b"}]}}}]}"#,
    #"{"Simulator Target Bundle":"com.other","aps":{},"u":{"pw_stories":{"pages":[{"image":"a:b"}]}}}"#,
  ]) func `read back, it plays what the message plays`(text: String) throws {
    let push = try push(text)
    #expect(lint(push.text).notifications[0].outcome == lint(text).notifications[0].outcome)
    #expect(push.text.components(separatedBy: "Simulator Target Bundle").count == 2)
    let again = try self.push(push.text)
    #expect(again.text == push.text)
  }

  @Test func `without a choice the first notification with a story is taken`() throws {
    let text = #"{"notifications":[{"content":"A"},{"content":"B","data":{"pw_stories":{"pages":[]}}}]}"#
    #expect(try push(text).notificationIndex == 1)
    #expect(try push(text, notification: 0).notificationIndex == 0)
    #expect(try push(#"{"notifications":[{"content":"A"},{"content":"B"}]}"#).notificationIndex == 0)
    #expect(throws: SimulatorPushError.noSuchNotification([0, 1])) { try push(text, notification: 2) }
    #expect(throws: SimulatorPushError.self) { try push("nonsense") }
  }

  @Test func `a message without any text gets one, because nothing could be opened else`() throws {
    let push = try push(#"{"pages":[{"image":"a:b"}]}"#)
    #expect(push.hasInventedAlert)
    #expect(try JSONValue(text: push.text)["aps"]?["alert"]?["body"] == .string("Push story"))
    #expect(try !self.push(#"{"aps":{"alert":"x"}}"#).hasInventedAlert)
  }
}
