import Foundation
import Testing

@testable import StoryClient

/// Rich media and notification responses as events.
@Suite struct RecorderSurfaceTests {
  private let phone: TestPhone
  private let client: StoryClient

  init() throws {
    phone = try TestPhone()
    client = phone.client()
  }

  /// The sessions in the order of their first event, each as its types.
  private func sessions() -> [[String]] {
    var order: [String] = []
    var types: [String: [String]] = [:]
    for event in client.waiting() {
      if types[event.session] == nil { order.append(event.session) }
      types[event.session, default: []].append(event.type.replacingOccurrences(of: "rich_media_", with: ""))
      #expect(event.seq == types[event.session].map { $0.count - 1 })
    }
    return order.map { types[$0] ?? [] }
  }

  private func step() { phone.clock.advance(microseconds: 1_000_000) }

  @Test func `deferred ones are presented later, the longest waiting first`() {
    let (first, second) = (
      RichMediaContent(code: "r-1", source: .push), RichMediaContent(code: "in-app", source: .inApp)
    )
    client.richMedia.didPresent(first)
    step()
    client.richMedia.didDefer(second)
    step()
    client.richMedia.didDefer(second)
    client.richMedia.didClose(first)
    client.richMedia.didPresent(second)
    client.richMedia.didClose(second)
    client.richMedia.didPresent(second)
    #expect(sessions() == [["presented", "closed"], ["deferred", "presented", "closed"], ["deferred", "presented"]])
    #expect(Set(client.waiting().compactMap { $0["source"] as? String }) == ["push", "in_app"])
    #expect(Set(client.waiting().compactMap { $0["content_code"] as? String }) == ["r-1", "in-app"])
  }

  @Test func `the close of a timer that a finger did not stop belongs to the same presentation, however late`() {
    let content = RichMediaContent(code: "r-1")
    client.richMedia.didPresent(content)
    client.richMedia.didClose(content)
    phone.clock.advance(microseconds: 3_600_000_000)
    client.richMedia.didClose(content)
    client.richMedia.didPresent(content)
    client.richMedia.didClose(content)
    #expect(sessions() == [["presented", "closed", "closed"], ["presented", "closed"]])
  }

  @Test(arguments: [true, false])
  func `the older style's double end is one end, whichever comes first`(failsFirst: Bool) {
    let content = RichMediaContent(code: "r-1")
    if failsFirst { client.richMedia.didFail(content, error: "no network") }
    client.richMedia.didClose(content)
    step()
    // Between the two the next one may have been shown.
    client.richMedia.didPresent(RichMediaContent(code: "r-2"))
    if !failsFirst { client.richMedia.didFail(content, error: "no network") }
    #expect(sessions() == [failsFirst ? ["failed", "closed"] : ["closed", "failed"], ["presented"]])
    #expect(client.waiting().compactMap { $0["error"] as? String } == ["no network"])
  }

  @Test func `a failure is the next presentation's where the last one was presented, has failed, or ended long ago`() {
    let content = RichMediaContent(code: "r-1")
    client.richMedia.didPresent(content)
    client.richMedia.didClose(content)
    client.richMedia.didFail(content, error: "")
    step()
    client.richMedia.didFail(content, error: "")
    client.richMedia.didClose(content)
    for _ in 0..<3 { step() }
    client.richMedia.didClose(RichMediaContent(code: "r-2"))
    for _ in 0..<3 { step() }
    client.richMedia.didFail(RichMediaContent(code: "r-2"), error: "")
    let ends = [["presented", "closed"], ["failed"], ["failed", "closed"], ["closed"], ["failed"]]
    #expect(sessions().sorted { $0.joined() < $1.joined() } == ends.sorted { $0.joined() < $1.joined() })
  }

  @Test func `one that fails when its turn comes is the one that was deferred`() {
    let content = RichMediaContent(code: "r-1")
    client.richMedia.didPresent(content)
    client.richMedia.didClose(content)
    step()
    client.richMedia.didDefer(content)
    step()
    client.richMedia.didFail(content, error: "")
    client.richMedia.didClose(content)
    #expect(sessions() == [["presented", "closed"], ["deferred", "failed", "closed"]])
  }

  @Test func `a failure or a close that begins a session has the window's settings`() {
    let window = RichMediaWindow(position: "top")
    client.richMedia.didFail(RichMediaContent(code: "r-1"), error: "", window: window)
    step()
    client.richMedia.didClose(RichMediaContent(code: "r-2"), window: window)
    #expect(sessions() == [["failed"], ["closed"]])
    #expect(client.waiting().map { $0.properties["position"] as? String } == ["top", "top"])
    #expect(client.waiting().first?["error"] == nil)
  }

  @Test func `thousands that nobody closes cost bounded memory`() {
    for number in 0..<300 { client.richMedia.didDefer(RichMediaContent(code: "r-\(number)")) }
    #expect(client.queue.waitingEvents == 300)
    #expect(phone.names.filter { $0.hasSuffix(".open") }.count <= 32)
  }

  @Test func `the window's configuration goes along as properties`() {
    let window = RichMediaWindow(
      position: "bottom_sheet", presentAnimation: "from_bottom", dismissAnimation: "", haptics: "light",
      swipeDirections: ["down", "left"], cornerRadius: 12.5, autoCloseSeconds: .infinity)
    client.richMedia.didPresent(
      RichMediaContent(code: "r-1", userInfo: ["p": "_1C__000-000000-000000"]), window: window)
    let event = client.waiting().first
    #expect(event?.properties["position"] as? String == "bottom_sheet")
    #expect(event?.properties["present_animation"] as? String == "from_bottom")
    #expect(event?.properties["haptics"] as? String == "light")
    #expect(event?.properties["swipe_directions"] as? String == "down,left")
    #expect(event?.properties["corner_radius"] as? Double == 12.5)
    #expect(event?.properties.count == 5)
    #expect(event?.contextObject["campaign_id"] as? String == "100")
    #expect(event?.contextObject["story_id"] == nil)
  }

  @Test(
    arguments: [
      ("com.apple.UNNotificationDefaultActionIdentifier", "7", "default", "7", nil),
      ("com.apple.UNNotificationDismissActionIdentifier", "", "dismiss", nil, nil),
      ("3", "7", "button", "7", "3"),
    ] as [(String, String, String, String?, String?)])
  func `a response is a session of one event`(
    identifier: String, category: String, action: String, categoryID: String?, buttonID: String?
  ) {
    client.recordResponse(
      NotificationResponse(actionIdentifier: identifier, categoryIdentifier: category, userInfo: ["p": "abc"]))
    let events = client.waiting()
    #expect(events.map(\.type) == ["notification_response"])
    #expect(events.first?["action"] as? String == action)
    #expect(events.first?["category_id"] as? String == categoryID)
    #expect(events.first?["button_id"] as? String == buttonID)
    #expect(events.first?.contextObject["message_hash"] as? String == "abc")
    #expect(phone.names.contains { $0.hasSuffix(".closed") })
  }

  @Test func `a button without a category cannot be told, and is counted`() {
    client.recordResponse(NotificationResponse(actionIdentifier: "3", categoryIdentifier: "", userInfo: [:]))
    client.recordResponse(NotificationResponse(actionIdentifier: "\0", categoryIdentifier: "7", userInfo: [:]))
    #expect(client.queue == QueueSummary(waitingEvents: 0, droppedEvents: 2, damagedEntries: 0))
  }
}
