import Foundation
import StoryEvents
import TestSupport
import Testing

@testable import StoryClient

/// Nothing that the contract refuses is ever written, whatever payload and app say (contract §1, "Limits").
@Suite struct RecorderLimitsTests {
  /// What the contract would say against an event, field by field: code of the test's own.
  private func faults(_ event: WaitingEvent) -> [String] {
    var faults: [String] = []
    if event.json.count > 32_768 { faults.append("event_too_large") }
    if event.object.isEmpty { faults.append("invalid_json") }
    if event.contextObject.isEmpty { faults.append("context") }
    for bytes in [event.json, event.context] {
      if String(validating: bytes, as: UTF8.self) == nil { faults.append("not UTF-8") }
      if String(decoding: bytes, as: UTF8.self).contains(#"\u0000"#) { faults.append("invalid_text") }
    }
    faults += text(event.object, most: 1_024)
    for page in [event["page"]].compactMap({ $0 as? [String: Any] }) + (event["pages"] as? [[String: Any]] ?? []) {
      faults += text(page, most: 1_024)
      if let duration = page["duration"] as? Double, !duration.isFinite { faults.append("duration") }
    }
    if let pages = event["pages"] as? [Any], pages.count > 1_000 { faults.append("pages") }
    if let index = event["page_index"] as? Int, !(0...999).contains(index) { faults.append("page_index") }
    if let count = event["page_count"] as? Int, !(1...1_000).contains(count) { faults.append("page_count") }
    var context = event.contextObject
    if let id = context["story_id"] as? String, id.utf8.count > 200 { faults.append("story_id") }
    context["properties"] = nil
    faults += text(context, most: 1_024)
    if event.properties.count > 32 { faults.append("too_many_properties") }
    for (name, value) in event.properties {
      if name.isEmpty || name.utf8.count > 60 { faults.append("property name") }
      if let value = value as? String, value.utf8.count > 256 || value.isEmpty { faults.append("property value") }
    }
    return faults
  }

  private func text(_ object: [String: Any], most: Int) -> [String] {
    object.compactMap { name, value in
      guard let value = value as? String else { return nil }
      return value.isEmpty || value.utf8.count > most ? "\(name) has \(value.utf8.count) bytes" : nil
    }
  }

  private static let texts = [
    "", " ", "\0", "a\0b", "\"\\/\u{8}\u{1E}\u{7F}", "ä\u{301}", "👩‍👩‍👧", "\u{FFFD}\u{FFFF}", "\n\r\u{2028}", "{\"a\":1}",
  ]

  private func text(_ generator: inout SeededGenerator) -> String {
    let base = Self.texts.randomElement(using: &generator) ?? ""
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: return base
    case 1: return String(repeating: base + "x", count: Int.random(in: 0..<80, using: &generator))
    case 2: return String(repeating: base + "ü", count: Int.random(in: 0..<3_000, using: &generator))
    default: return base + "https://example.com/ä b"
    }
  }

  private func payload(_ generator: inout SeededGenerator) -> [AnyHashable: Any] {
    let pages = (0..<Int.random(in: 0..<12, using: &generator)).map { page -> [String: Any] in
      [
        "image": "https://example.com/\(page)" + (Bool.random(using: &generator) ? text(&generator) : ""),
        "title": text(&generator), "subtitle": text(&generator), "button_title": text(&generator),
        "link": "app://" + text(&generator),
        "duration": [0.001, -1, 1e300, Double.infinity, 4.25, 29.999].randomElement(using: &generator) ?? 1,
      ]
    }
    return [
      "pw_stories": ["pages": pages, "story_id": text(&generator)], "p": text(&generator) + "_1C_2a_000-0", 7: "x",
    ]
  }

  @Test(arguments: 0..<4) func `payloads and settings of all kinds become events that the contract takes`(stream: Int)
    throws
  {
    var generator = SeededGenerator(seed: SeededGenerator.worldsSeed, stream: UInt64(stream))
    let phone = try TestPhone(seed: UInt64(stream))
    for _ in 0..<25 {
      phone.configuration.userID = text(&generator)
      phone.configuration.appVersion = text(&generator)
      phone.configuration.installIdentifier = .custom(text(&generator))
      for _ in 0..<3 {
        let value: [PropertyValue] = [
          .text(text(&generator)), .number(.nan), .number(1e-300), .number(-0.0), .number(1e17), .bool(true),
        ]
        phone.configuration.properties[text(&generator)] = value.randomElement(using: &generator)
      }
      let client = phone.client()
      let settings = StorySettings(
        loopsAfterLastPage: true, messageID: text(&generator),
        campaignID: Bool.random(using: &generator) ? text(&generator) : nil)
      let story = client.beginStory(userInfo: payload(&generator), settings: settings)
      story.didStart(pageCount: Int.random(in: -1...1_002, using: &generator))
      for _ in 0..<4 { story.didShow(pageIndex: Int.random(in: -1...12, using: &generator)) }
      story.didShowFallback()
      story.didDismiss()
      let content = RichMediaContent(code: text(&generator), userInfo: payload(&generator))
      let window = RichMediaWindow(
        position: text(&generator), swipeDirections: [text(&generator)], cornerRadius: .nan, autoCloseSeconds: 1e308)
      client.richMedia.didPresent(content, window: window)
      client.richMedia.didFail(content, error: text(&generator))
      client.recordResponse(
        NotificationResponse(
          actionIdentifier: text(&generator), categoryIdentifier: text(&generator), userInfo: payload(&generator)))
    }
    let client = phone.client()
    let events = client.waiting()
    #expect(events.count > 150)
    for event in events {
      #expect(faults(event) == [], "seed \(SeededGenerator.worldsSeed), stream \(stream)")
    }
    // Each callback is either there or counted.
    #expect(events.count + client.queue.droppedEvents == 25 * 10)
  }

  @Test func `a thousand pages are told with their impressions where the start has no room for them`() throws {
    let phone = try TestPhone()
    let client = phone.client()
    let pages = (0..<1_200).map {
      ["image": "https://example.com/\($0).jpg", "title": String(repeating: "t", count: 900)]
    }
    let story = client.beginStory(userInfo: ["pw_stories": ["pages": pages]])
    story.didStart(pageCount: 1_000)
    story.didShow(pageIndex: 999)
    story.didShow(pageIndex: 1_100)
    let events = client.waiting()
    #expect(events.map(\.type) == ["start", "page_shown"])
    #expect(events[0]["pages"] == nil)
    let page = events[1]["page"] as? [String: Any]
    #expect((page?["title"] as? String)?.count == 900 && page?["payload_index"] as? Int == 999)
    #expect(events.allSatisfy { faults($0) == [] })
  }

  @Test func `texts are cut between characters, and 32 properties are kept, ours first`() throws {
    let phone = try TestPhone()
    for number in 0..<50 { phone.configuration.properties["name \(number + 10)"] = .number(Double(number) + 0.5) }
    phone.configuration.properties["story_id_source"] = "mine"
    phone.configuration.userID = String(repeating: "é", count: 600)
    let client = phone.client()
    client.beginStory(userInfo: storyPayload()).didStart(pageCount: 3)
    let event = try #require(client.waiting().first)
    #expect(event.properties.count == 32 && event.properties["story_id_source"] as? String == "payload")
    #expect(event.properties["name 10"] as? Double == 0.5)
    #expect(event.contextObject["user_id"] as? String == String(repeating: "é", count: 512))
    #expect(faults(event) == [])
  }
}
