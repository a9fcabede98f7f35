import FunnelDocument
import Testing

@testable import MessageLint

/// Findings of what brings the story to the phone: category, `mutable-content`, size.
@Suite struct DeliveryFindingTests {
  private static let data = #""data":{"pw_stories":{"story_id":"s","pages":[\#(GoodMessage.page)]}}"#
  private static let mutable = #""ios_root_params":{"aps":{"mutable-content":1}}"#

  /// Members of a notification beside its data, and what is found.
  static let cases: [(members: String, findings: [(LintCode, String)])] = [
    (mutable, [(.categoryMissing, "")]),
    (mutable + #","ios_category":"123""#, [(.categoryMissing, "")]),
    (mutable + #","ios_category_custom":null"#, [(.categoryMissing, "")]),
    (mutable + #","ios_category_custom":"""#, [(.categoryMissing, "")]),
    (mutable + #","ios_category_custom":"pw_stories""#, [(.categoryNotStories, "/ios_category_custom")]),
    (mutable + #","ios_category_custom":7"#, [(.categoryNotStories, "/ios_category_custom")]),
    (
      mutable + #","ios_categroy_custom":"PW_STORIES""#,
      [
        (.categoryMissing, ""), (.keyLooksMistyped, "/ios_categroy_custom"),
      ]
    ),
    (#""ios_root_params":{"aps":{"mutable-content":1,"category":"PW_STORIES"}}"#, []),
    (
      #""ios_root_params":{"aps":{"mutable-content":1,"category":"X"}}"#,
      [(.categoryNotStories, "/ios_root_params/aps/category")]
    ),
    (
      #""ios_root_params":{"aps":{"mutable-content":1,"category":"X"}},"ios_category_custom":"PW_STORIES""#,
      [(.categoryConflict, "/ios_root_params/aps/category")]
    ),
    (#""ios_category_custom":"PW_STORIES""#, [(.mutableContentMissing, "")]),
    (
      #""ios_category_custom":"PW_STORIES","ios_root_params":{"aps":{}}"#,
      [(.mutableContentMissing, "/ios_root_params/aps")]
    ),
    (
      #""ios_category_custom":"PW_STORIES","ios_root_params":{"aps":{"mutable-content":"1"}}"#,
      [(.mutableContentMissing, "/ios_root_params/aps/mutable-content")]
    ),
    (
      #""ios_category_custom":"PW_STORIES","ios_root_params":{"aps":{"mutable_content":1}}"#,
      [(.mutableContentMissing, "/ios_root_params/aps"), (.keyLooksMistyped, "/ios_root_params/aps/mutable_content")]
    ),
    (
      #""ios_category_custom":"PW_STORIES","ios_root_params":"x""#,
      [(.rootParamsNotAnObject, "/ios_root_params"), (.mutableContentMissing, "")]
    ),
    (
      #""ios_category_custom":"PW_STORIES","ios_root_params":{"aps":1}"#,
      [(.rootParamsNotAnObject, "/ios_root_params/aps"), (.mutableContentMissing, "/ios_root_params/aps")]
    ),
  ]

  @Test(arguments: cases.indices) func `what keeps a story from being shown is found at its place`(index: Int) {
    let (members, expected) = Self.cases[index]
    let findings = lint(#"{"notifications":[{\#(members),\#(Self.data)}]}"#).notifications[0].findings
    #expect(
      findings.map { CodeAndPlace($0) } == expected.map { CodeAndPlace($0.0, "/notifications/0\($0.1)") }, "\(members)")
  }

  @Test(arguments: [
    ("{}", [(LintCode.categoryMissing, "/aps"), (.mutableContentMissing, "/aps")]),
    (#"{"category":"X","mutable-content":1}"#, [(.categoryNotStories, "/aps/category")]),
    (#"{"category":"PW_STORIES","mutable-content":0}"#, [(.mutableContentMissing, "/aps/mutable-content")]),
    (#"{"category":"PW_STORIES","mutable-content":1.0}"#, []),
  ]) func `an arrived payload has its category in aps`(aps: String, expected: [(LintCode, String)]) {
    let text = #"{"aps":\#(aps),"u":{"pw_stories":{"story_id":"s","pages":[\#(GoodMessage.page)]}}}"#
    let findings = lint(text).notifications[0].findings
    #expect(findings.map { CodeAndPlace($0) } == expected.map { CodeAndPlace($0.0, $0.1) })
  }

  @Test func `that mutable-content is absent is graver where images are to be fetched ahead`() {
    let text = #"{"notifications":[{"ios_category_custom":"PW_STORIES",\#(Self.data)}]}"#
    #expect(lint(text).notifications[0].findings.map(\.severity) == [.note])
    let wanted = lint(text, options: LintOptions(wantsPrecache: true))
    #expect(wanted.notifications[0].findings.map(\.severity) == [.warning])
  }

  // MARK: Size

  /// A request whose payload has so many bytes.
  private func request(payloadBytes: Int) -> String {
    let empty = lint(GoodMessage.request(pages: GoodMessage.page)).notifications[0].payloadBytes
    let filling = String(repeating: "x", count: payloadBytes - empty)
    return GoodMessage.request(pages: GoodMessage.page.replacing("\"A\"", with: "\"A\(filling)\""))
  }

  @Test(arguments: [
    (3000, nil), (3840, nil), (3841, LintCode.payloadNearLimit), (4096, .payloadNearLimit), (4097, .payloadTooLarge),
    (60_000, .payloadTooLarge),
  ]) func `a payload that the push service refuses is an error, and a near one a warning`(
    bytes: Int, code: LintCode?
  ) {
    let notification = lint(request(payloadBytes: bytes)).notifications[0]
    #expect(notification.payloadBytes == bytes)
    #expect(notification.findings.map(\.code).filter { $0 != .textLeftOutOfEvents } == (code.map { [$0] } ?? []))
  }

  @Test func `the payload of a request is what its parts make`() throws {
    let text = """
      {"notifications":[{"title":"T","ios_title":"iT","subtitle":{"de":"dS","en":"eS"},"content":{"de":"dB"},
      "ios_badges":3,"ios_sound":"s.caf","ios_category_custom":"PW_STORIES",
      "ios_root_params":{"aps":{"mutable-content":1,"sound":"own"},"attachment":"a","u":"gone"},"data":{"x":1}}]}
      """
    let document = try MessageDocument(bytes: text.utf8)
    let expected = """
      {"aps":{"mutable-content":1,"sound":"own","alert":{"title":"iT","subtitle":"eS","body":"dB"},"badge":3,\
      "category":"PW_STORIES"},"attachment":"a","u":{"x":1}}
      """
    #expect(document.notifications[0].payload.value.text(layout: .compact) == expected)
    #expect(document.notifications[0].payload.byteCount == expected.utf8.count)
  }

  @Test func `bytes are counted, not characters, and blanks between them are not`() {
    let plain = #"{"aps":{"alert":"a"}}"#
    #expect(lint(plain).notifications[0].payloadBytes == plain.utf8.count)
    #expect(lint(#" { "aps" : { "alert" : "\u00e4/\u65e5" } } "#).notifications[0].payloadBytes == plain.utf8.count + 5)
  }

  @Test func `what data grow to as a string of JSON is told where it does not fit`() {
    let pages = Array(repeating: #"{"image":"https://e.example/1.jpg","title":"A"}"#, count: 76).joined(separator: ",")
    let notification = lint(GoodMessage.request(pages: pages)).notifications[0]
    #expect(notification.payloadBytes < 3840)
    #expect(notification.findings.map(\.code) == [.payloadNearLimit])
    #expect(notification.findings.first?.message.contains("as a string of JSON") == true)
  }
}
