import Testing

@testable import MessageLint

/// Findings of the block: fallbacks, hidden blocks, what reports need.
@Suite struct BlockFindingTests {
  private static let page = GoodMessage.page

  /// A payload without the block's surroundings being at fault, and what is found.
  static let cases: [(payload: String, findings: [(LintCode, String)])] = [
    ("", [(.missingBlock, "")]),
    (#""u":{}"#, [(.missingBlock, "/u")]), (#""u":7"#, [(.missingBlock, "/u")]),
    (#""u":null,"userdata":{"x":1}"#, [(.missingBlock, "/userdata")]),
    (#""u":"not json""#, [(.missingBlock, "/u")]), (#""u":"{}""#, [(.missingBlock, "/u")]),
    (#""u":{"pw_stories":[]}"#, [(.missingBlock, "/u/pw_stories")]),
    (#""u":"{\"pw_stories\":7}""#, [(.missingBlock, "/u")]),
    (#""pw_stories":"x""#, [(.missingBlock, "/pw_stories")]),
    (#""u":{"pwStories":{}}"#, [(.missingBlock, "/u"), (.keyLooksMistyped, "/u/pwStories")]),
    (#""pw_stories":{"story_id":"s"}"#, [(.badPageList, "/pw_stories")]),
    (#""pw_stories":{"story_id":"s","pages":{}}"#, [(.badPageList, "/pw_stories/pages")]),
    (
      #""pw_stories":{"story_id":"s","pages":["x",\#(page),null]}"#,
      [(.badPageList, "/pw_stories/pages/0"), (.badPageList, "/pw_stories/pages/2")]
    ),
    (#""pw_stories":{"story_id":"s","pages":[]}"#, [(.noUsablePage, "/pw_stories/pages")]),
    (
      #""pw_stories":{"story_id":"s","pages":[\#(page)]},"u":{"pw_stories":{}},"userdata":"{\"pw_stories\":1}""#,
      [(.shadowedBlock, "/u/pw_stories"), (.shadowedBlock, "/userdata")]
    ),
    (
      #""pw_stories":7,"u":{"pw_stories":{"story_id":"s","pages":[\#(page)]}}"#,
      [(.blockNotAnObject, "/pw_stories")]
    ),
    (#""pw_stories":{"pages":[\#(page)]}"#, [(.storyIDMissing, "/pw_stories")]),
    (#""pw_stories":{"pages":[\#(page)],"story_id":null}"#, [(.storyIDMissing, "/pw_stories")]),
    (#""pw_stories":{"pages":[\#(page)],"story_id":7}"#, [(.storyIDUnusable, "/pw_stories/story_id")]),
    (#""pw_stories":{"pages":[\#(page)],"story_id":""}"#, [(.storyIDUnusable, "/pw_stories/story_id")]),
    (#""pw_stories":{"pages":[\#(page)],"story_id":"a\u0000"}"#, [(.storyIDUnusable, "/pw_stories/story_id")]),
    (
      #""pw_stories":{"pages":[\#(page)],"story_id":"\#(String(repeating: "x", count: 201))"}"#,
      [(.storyIDTooLong, "/pw_stories/story_id")]
    ),
    (#""pw_stories":{"pages":[\#(page)],"story_id":"\#(String(repeating: "x", count: 200))"}"#, []),
    (
      #""pw_stories":{"pages":[\#(page)],"storyID":"x"}"#,
      [(.storyIDMissing, "/pw_stories"), (.keyLooksMistyped, "/pw_stories/storyID")]
    ),
  ]

  @Test(arguments: cases.indices) func `what is odd around the pages is found at its place`(index: Int) {
    let (payload, expected) = Self.cases[index]
    let members = [#""aps":{"category":"PW_STORIES","mutable-content":1}"#, payload].filter { !$0.isEmpty }
    let findings = lint("{\(members.joined(separator: ","))}").notifications[0].findings
    #expect(findings.map { CodeAndPlace($0) } == expected.map { CodeAndPlace($0.0, $0.1) }, "\(payload)")
  }

  @Test func `a block at the root of a request's parameters hides that of the data`() {
    let message = GoodMessage.request(pages: Self.page).replacing(
      #""ios_root_params":{"#, with: #""ios_root_params":{"pw_stories":{"story_id":"r","pages":[]},"#)
    let notification = lint(message).notifications[0]
    let place = "/request/notifications/0"
    #expect(notification.outcome == .fallback(.noUsablePage))
    #expect(
      notification.findings.map { CodeAndPlace($0) } == [
        CodeAndPlace(.noUsablePage, "\(place)/ios_root_params/pw_stories/pages"),
        CodeAndPlace(.shadowedBlock, "\(place)/data/pw_stories"),
      ])
  }

  @Test func `a bare block is looked at from the root, and its delivery is not`() {
    let file = lint(
      #"{"pages":[{"image":"https://e.example/1.jpg","duration":0}]}"#, options: .init(wantsPrecache: true))
    #expect(file.form == .block)
    #expect(
      file.notifications[0].findings.map { CodeAndPlace($0) } == [
        CodeAndPlace(.durationNotPositive, "/pages/0/duration"), CodeAndPlace(.storyIDMissing, ""),
      ])
  }

  @Test func `more pages than events can tell of are told`() {
    let pages = Array(repeating: #"{"image":"https://e/"}"#, count: 1001).joined(separator: ",")
    let codes = lint(#"{"story_id":"s","pages":[\#(pages)]}"#).notifications[0].findings.map(\.code)
    #expect(codes == [.payloadTooLarge, .tooManyPages])
  }

  @Test func `custom data that only a phone can read are said to be unchecked`() {
    let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
    let data = #""{\"x\":\#(deep),\"pw_stories\":{\"pages\":[{\"image\":\"https://e/\"}]}}""#
    let notification = lint(#"{"aps":{"category":"PW_STORIES","mutable-content":1},"u":\#(data)}"#).notifications[0]
    #expect(notification.pages.count == 1)
    #expect(notification.findings.map(\.code) == [.customDataUnchecked])
  }

  @Test(arguments: [
    ("", ""), ("a", "/a"), ("a/b", "/a~1b"), ("m~n", "/m~0n"), ("~1", "/~01"), (" ", "/ "), ("/\u{301}", "/~1\u{301}"),
  ]) func `pointers are written as RFC 6901 says`(key: String, text: String) {
    #expect(JSONPointer().appending(key).text == (key.isEmpty ? "/" : text))
    #expect(JSONPointer().appending("x").appending(3).text == "/x/3")
  }
}
