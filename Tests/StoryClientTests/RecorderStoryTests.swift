import Foundation
import StoryEvents
import Testing

@testable import StoryClient

/// A story's callbacks as events.
@Suite struct RecorderStoryTests {
  private let phone: TestPhone
  private let client: StoryClient

  init() throws {
    phone = try TestPhone()
    client = phone.client()
  }

  @Test func `a whole story, byte for byte`() throws {
    let story = client.beginStory(userInfo: storyPayload(2))
    story.didStart(pageCount: 2)
    phone.clock.advance(microseconds: 4_000)
    story.didShow(pageIndex: 0)
    phone.clock.advance(microseconds: 2_500_001)
    story.didTapAction(pageIndex: 0)
    story.didFinish()
    story.didDismiss()
    let id = story.sessionID
    let lines = client.waiting().map { String(decoding: $0.json, as: UTF8.self) }
    let pages = (0..<2).map {
      #"{"image_url":"https://example.com/\#($0).jpg","title":"Page \#($0)","payload_index":\#($0),"duration":4.5}"#
    }
    #expect(
      lines == [
        #"{"type":"start","session_id":"\#(id)","seq":0,"at":"2026-11-30T12:00:00.000000Z","page_count":2,"pages":["#
          + pages.joined(separator: ",") + "]}",
        #"{"type":"page_shown","session_id":"\#(id)","seq":1,"at":"2026-11-30T12:00:00.004000Z","page_index":0,"#
          + #""page":{"payload_index":0,"duration":4.5}}"#,
        #"{"type":"action_tap","session_id":"\#(id)","seq":2,"at":"2026-11-30T12:00:02.504001Z","page_index":0}"#,
        #"{"type":"finish","session_id":"\#(id)","seq":3,"at":"2026-11-30T12:00:02.504001Z"}"#,
        #"{"type":"dismiss","session_id":"\#(id)","seq":4,"at":"2026-11-30T12:00:02.504001Z"}"#,
      ])
    #expect(SessionID(id)?.version == 7)
    #expect(SessionID(id)?.timeMilliseconds == SetClock.noon / 1_000)
    #expect(
      client.waiting().map { String(decoding: $0.context, as: UTF8.self) }.first
        == #"{"story_id":"spring-sale","message_hash":"_1C_2a_000-000000-000000","message_id":"134","#
        + #""campaign_id":"100","device_id":"\#(try deviceID())","app_version":"4.2.0","os_version":"26.1","#
        + #""device_model":"iPhone17,1","locale":"de_DE","environment":"production","#
        + #""properties":{"story_id_source":"payload"}}"#)
  }

  private func deviceID() throws -> String {
    let text = String(decoding: phone.bytes("identifier"), as: UTF8.self)
    return String(try #require(text.split(separator: "\n").first))
  }

  @Test func `a clock that is set meanwhile changes nothing within the session`() {
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    phone.clock.set(0)
    phone.clock.advance(microseconds: 1_000_000)
    story.didShow(pageIndex: 0)
    #expect(client.waiting().last?["at"] as? String == "2026-11-30T12:00:01.000000Z")
  }

  @Test(arguments: [Int64.min / 4, -1, 0, 999, 253_402_300_799_999_999, Int64.max / 4])
  func `whatever the clock says, the time is one of the contract's years`(wall: Int64) throws {
    let phone = try TestPhone(clock: SetClock(wall))
    let client = phone.client()
    let story = client.beginStory(userInfo: storyPayload())
    story.didStart(pageCount: 3)
    phone.clock.advance(microseconds: 1_000)
    story.didShow(pageIndex: 0)
    let at = client.waiting().compactMap { $0["at"] as? String }
    #expect(at.count == 2 && at.allSatisfy { $0.utf8.count == 27 && ("1970"..."9999").contains($0.prefix(4)) })
    #expect(SessionID(story.sessionID)?.version == 7)
  }

  @Test func `the payload index is that of the payload where a page was dropped`() {
    let pages: [[String: Any]] = [
      ["image": "no scheme"], ["image": "https://example.com/1.jpg", "duration": 60], ["title": "no image"],
      ["image": "https://example.com/3.jpg"],
    ]
    let story = client.beginStory(userInfo: ["pw_stories": ["pages": pages]])
    story.didStart(pageCount: 2)
    story.didShow(pageIndex: 0)
    story.didShow(pageIndex: 1)
    // Not ours to judge: the SDK may show what we do not know.
    story.didShow(pageIndex: 2)
    let shown = client.waiting().filter { $0.type == "page_shown" }.map { $0["page"] as? [String: Any] }
    #expect(shown.map { $0?["payload_index"] as? Int } == [1, 3, nil])
    #expect(shown.map { $0?["duration"] as? Double } == [30, 5, nil])
  }

  @Test(
    arguments: [
      ([:], "missing_block"), (["pw_stories": ["pages": ["x"]]], "bad_page_list"),
      (["u": #"{"pw_stories":{"pages":[{}]}}"#], "no_usable_page"),
    ] as [([String: any Sendable], String)])
  func `a fallback's reason is our own reading's`(userInfo: [String: any Sendable], reason: String) {
    let story = client.beginStory(userInfo: userInfo)
    story.didShowFallback()
    #expect(client.waiting().map(\.type) == ["fallback"])
    #expect(client.waiting().first?["reason"] as? String == reason)
  }

  @Test func `a fallback that we would not have has no reason`() {
    client.beginStory(userInfo: storyPayload()).didShowFallback()
    #expect(client.waiting().first?["reason"] == nil)
  }

  @Test func `the switches of the player go along as properties`() {
    let settings = StorySettings(
      loopsAfterLastPage: true, longPressToPauseEnabled: false, crossfadesBetweenPages: true, messageID: "77",
      campaignID: "88")
    client.beginStory(userInfo: storyPayload(storyID: nil), settings: settings).didStart(pageCount: 3)
    let event = client.waiting().first
    #expect(event?.properties["loops_after_last_page"] as? Bool == true)
    #expect(event?.properties["long_press_to_pause"] as? Bool == false)
    #expect(event?.properties["crossfades_between_pages"] as? Bool == true)
    #expect(event?.properties["haptics"] == nil)
    #expect(event?.contextObject["message_id"] as? String == "77")
    #expect(event?.contextObject["campaign_id"] as? String == "88")
    #expect(event?.contextObject["story_id"] as? String == "88")
    #expect(event?.properties["story_id_source"] as? String == "campaign")
  }

  @Test func `many threads record one session without a gap`() async {
    let story = client.beginStory(userInfo: storyPayload())
    await withTaskGroup { group in
      for thread in 0..<8 { group.addTask { for _ in 0..<50 { story.didShow(pageIndex: thread % 3) } } }
    }
    #expect(client.waiting().map(\.seq) == Array(0..<400))
  }
}
