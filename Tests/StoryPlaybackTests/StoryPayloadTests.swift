import Foundation
import StoryPlayback
import Testing

@Suite struct StoryPayloadTests {
  private func read(_ text: String) throws -> StoryPayload { try StoryPayload(bytes: Data(text.utf8)) }

  private func onePage(_ members: String) throws -> StoryPage {
    let payload = try read(#"{"pw_stories":{"pages":[{"image":"https://e.example/1.jpg",\#(members)}]}}"#)
    guard case .story(let pages) = payload.outcome else {
      Issue.record("falls back")
      throw CancellationError()
    }
    return try #require(pages.first)
  }

  @Test func `the documented example message plays two pages`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let file = folder.appendingPathComponent("../../Examples/seed-message.json")
    let payload = try StoryPayload(bytes: Data(contentsOf: file))
    #expect(payload.source == .request(notificationIndex: 0))
    guard case .story(let pages) = payload.outcome else {
      Issue.record("falls back")
      return
    }
    #expect(pages.map(\.title) == ["Welcome", "Stay in the loop"])
    #expect(pages.map(\.durationSeconds) == [5, 4])
    #expect(pages.map(\.link?.absoluteString) == ["yourapp://page1", "yourapp://page2"])
    #expect(pages.map(\.showsButton) == [true, true])
    #expect(payload.storyID == nil)
  }

  @Test(arguments: [
    (#"{"pages":[{"image":"a:b"}],"story_id":"s"}"#, PayloadSource.block),
    (#"{"aps":{},"pw_stories":{"story_id":"s","pages":[{"image":"a:b"}]}}"#, .userInfo),
    (#"{"u":{"pw_stories":{"story_id":"s","pages":[{"image":"a:b"}]}}}"#, .userInfo),
    (#"{"userdata":"{\"pw_stories\":{\"story_id\":\"s\",\"pages\":[{\"image\":\"a:b\"}]}}"}"#, .userInfo),
    (
      #"{"request":{"notifications":[{"data":{"pw_stories":{"story_id":"s","pages":[{"image":"a:b"}]}}}]}}"#,
      .request(notificationIndex: 0)
    ),
    (
      #"{"notifications":[{"content":"x"},{"data":{"pw_stories":{"story_id":"s","pages":[{"image":"a:b"}]}}}]}"#,
      .request(notificationIndex: 1)
    ),
    (
      #"{"notifications":[{"ios_root_params":{"pw_stories":{"story_id":"s","pages":[{"image":"a:b"}]}}}]}"#,
      .request(notificationIndex: 0)
    ),
  ]) func `every form of a message is read`(text: String, source: PayloadSource) throws {
    let payload = try read(text)
    #expect(payload.source == source)
    #expect(payload.storyID == "s")
    #expect(payload.outcome != .fallback(.missingBlock))
  }

  @Test func `the root wins even if its pages are unusable`() throws {
    let payload = try read(#"{"pw_stories":{"pages":7},"u":{"pw_stories":{"pages":[{"image":"a:b"}]}}}"#)
    #expect(payload.outcome == .fallback(.badPageList))
  }

  @Test func `a root that is no object leaves the custom data its turn`() throws {
    let payload = try read(#"{"pw_stories":"x","u":{"pw_stories":{"pages":[{"image":"a:b"}]}}}"#)
    #expect(payload.outcome != .fallback(.missingBlock))
  }

  @Test func `u comes before userdata, and userdata follows where u has no block`() throws {
    let both = try read(#"{"u":{"pw_stories":{"pages":[]}},"userdata":{"pw_stories":{"pages":[{"image":"a:b"}]}}}"#)
    #expect(both.outcome == .fallback(.noUsablePage))
    let second = try read(#"{"u":"not json","userdata":{"pw_stories":{"pages":[{"image":"a:b"}]}}}"#)
    #expect(second.outcome != .fallback(.missingBlock))
  }

  @Test(arguments: [
    (#""duration":true"#, 1.0), (#""duration":false"#, 5), (#""duration":null"#, 5), (#""duration":"7""#, 5),
    (#""duration":[3]"#, 5), (#""duration":0.001"#, 0.001), (#""duration":30"#, 30), (#""duration":30.01"#, 30),
    (#""duration":1e300"#, 30), (#""duration":-1e-300"#, 5), (#""duration":-0"#, 5),
    (#""duration":123456789012345678901234567890"#, 30), (#""x":1"#, 5),
  ]) func `only a number counts as a duration, and it is kept in its limits`(members: String, seconds: Double) throws {
    #expect(try onePage(members).durationSeconds == seconds)
  }

  @Test(arguments: [
    (#""image":null"#, PageDropReason.missingImage), (#""x":1"#, .missingImage), (#""image":7"#, .imageNotText),
    (#""image":["a:b"]"#, .imageNotText), (#""image":"""#, .imageNotURL), (#""image":"ht tp://x""#, .imageNotURL),
    (#""image":"https://[::1""#, .imageNotURL), (#""image":"e.example/1.jpg""#, .imageWithoutScheme),
    (#""image":"//e.example/1.jpg""#, .imageWithoutScheme), (#""image":"://x""#, .imageWithoutScheme),
    (#""image":"/1.jpg""#, .imageWithoutScheme),
  ]) func `a page without a usable image is dropped, and the reason is known`(
    members: String, reason: PageDropReason
  ) throws {
    let payload = try read(#"{"pages":[{"image":"a:b"},{\#(members)}]}"#)
    #expect(payload.droppedPages == [DroppedPage(payloadIndex: 1, reason: reason)])
  }

  @Test func `an image with a space is encoded, as phones since iOS 17 do`() throws {
    let payload = try read(#"{"pages":[{"image":"https://e.example/a b.jpg"}]}"#)
    guard case .story(let pages) = payload.outcome else {
      Issue.record("falls back")
      return
    }
    #expect(pages.first?.imageURL.absoluteString == "https://e.example/a%20b.jpg")
  }

  @Test(arguments: [#""link":7,"button_title":"Go""#, #""link":"","button_title":"Go""#, #""link":"a:b""#])
  func `without both a link and a title there is no button`(members: String) throws {
    #expect(try !onePage(members).showsButton)
  }

  @Test func `texts that are no texts are none`() throws {
    let page = try onePage(#""title":7,"subtitle":{},"button_title":true"#)
    #expect(page.title == nil && page.subtitle == nil && page.buttonTitle == nil)
  }

  @Test(arguments: ["null", "[1]", "7", "\"a\"", "[[]]"]) func `one element that is no object spoils the list`(
    element: String
  ) throws {
    let payload = try read(#"{"pages":[{"image":"a:b"},\#(element)]}"#)
    #expect(payload.outcome == .fallback(.badPageList))
    #expect(payload.droppedPages == [])
  }

  @Test(arguments: ["7", "\"\"", "null", "[]", "{}"]) func `a story id that is no text, or empty, is none`(
    value: String
  ) throws {
    #expect(try read(#"{"pages":[{"image":"a:b"}],"story_id":\#(value)}"#).storyID == nil)
  }

  @Test func `pages without number are all played`() throws {
    let list = Array(repeating: #"{"image":"a:b"}"#, count: 5_000).joined(separator: ",")
    guard case .story(let pages) = try read(#"{"pages":[\#(list)]}"#).outcome else {
      Issue.record("falls back")
      return
    }
    #expect(pages.count == 5_000)
  }

  @Test(arguments: [
    ("[]", PayloadError.notAnObject), ("7", .notAnObject), ("null", .notAnObject),
    (#"{"request":{}}"#, .noNotification), (#"{"request":{"notifications":[]}}"#, .noNotification),
    (#"{"notifications":{}}"#, .noNotification), (#"{"notifications":[7]}"#, .notificationNotAnObject(index: 0)),
  ]) func `what is no message is an error that says so`(text: String, error: PayloadError) {
    #expect(throws: error) { try read(text) }
    #expect(!error.description.contains("\n"))
  }

  @Test(arguments: ["", "{", "{]", "nul", "NaN"]) func `what is not JSON is an error in one line`(text: String) {
    expectNotJSON(text)
  }

  // Not an argument of the test above: a hundred thousand brackets would stand in every log.
  @Test func `what nests too deeply, or holds a NUL, is an error in one line`() {
    expectNotJSON(String(repeating: "[", count: 100_000))
    expectNotJSON("\u{0}")
  }

  private func expectNotJSON(_ text: String) {
    do {
      _ = try read(text)
      Issue.record("was read")
    } catch {
      #expect("\(error)".hasPrefix("the message is not JSON"))
      #expect(!"\(error)".contains("\n"))
    }
  }

  @Test func `a request without a story falls back on the phone`() throws {
    let payload = try read(#"{"request":{"notifications":[{"content":"x"}]}}"#)
    #expect(payload.outcome == .fallback(.missingBlock))
  }

  @Test func `a string of JSON nested too deeply is no block, not a crash`() throws {
    let deep = String(repeating: "[", count: 10_000)
    #expect(try read(#"{"u":"\#(deep)"}"#).outcome == .fallback(.missingBlock))
  }
}
