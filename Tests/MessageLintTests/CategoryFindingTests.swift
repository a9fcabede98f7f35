import FunnelDocument
import StoryPlayback
import Testing

@testable import MessageLint

/// Findings of the category of buttons that a notification names.
@Suite struct CategoryFindingTests {
  private static let known = KnownCategories(
    categories: [
      NotificationCategory(
        id: "65",
        buttons: [
          NotificationButton(id: "0", label: "Rate", isDestructive: true, opensApp: true),
          NotificationButton(id: "1", label: "Later"),
        ]),
      NotificationCategory(id: "66", buttons: []), NotificationCategory(id: "-7", buttons: []),
    ], endedIDs: ["64", "65"], origin: "the categories imported for 'shop'")

  /// Members of a notification without a story, and what is found where no categories are known, and where they are.
  static let cases: [(members: String, alone: [LintCode], known: [LintCode])] = [
    (#""ios_category":65"#, [.noStory], [.noStory]),
    (#""ios_category":"65""#, [.noStory], [.noStory]),
    (#""ios_category":65.0"#, [.noStory], [.noStory]),
    (#""ios_category":67"#, [.noStory], [.iosCategoryUnknown, .noStory]),
    (#""ios_category":"64""#, [.noStory], [.iosCategoryUnknown, .noStory]),
    (#""ios_category":66"#, [.noStory], [.iosCategoryWithoutButtons, .noStory]),
    (#""ios_category":-7"#, [.noStory], [.iosCategoryWithoutButtons, .noStory]),
    (#""ios_category":"065""#, [.noStory], [.iosCategoryUnknown, .noStory]),
    (#""ios_category_custom":"65""#, [.noStory], [.noStory]),
    (#""ios_root_params":{"aps":{"category":"65"}}"#, [.noStory], [.noStory]),
    (
      #""ios_category":65,"ios_category_custom":"66""#, [.iosCategoryBesideCustom, .noStory],
      [.iosCategoryBesideCustom, .noStory]
    ),
  ]

  @Test(arguments: cases.indices) func `a notification with buttons is no broken story`(index: Int) {
    let (members, alone, known) = Self.cases[index]
    let text = #"{"notifications":[{"content":"x",\#(members)}]}"#
    #expect(lint(text).notifications[0].findings.map(\.code) == alone, "\(members)")
    let options = LintOptions(categories: Self.known)
    #expect(lint(text, options: options).notifications[0].findings.map(\.code) == known, "\(members)")
  }

  @Test(arguments: ["true", "1.5", "[]", "{}", "\"\"", "\"abc\"", "\"6 5\"", "\"PW_STORIES\"", "1e300", "\"٦٥\""])
  func `a category that is no number is told, with and without known ones`(value: String) {
    let text = #"{"notifications":[{"content":"x","ios_category":\#(value)}]}"#
    for options in [LintOptions(), LintOptions(categories: Self.known)] {
      let findings = lint(text, options: options).notifications[0].findings
      let finding = findings.first { $0.code == .iosCategoryUnusable }
      #expect(finding?.pointer == "/notifications/0/ios_category" && finding?.severity == .warning, "\(value)")
      #expect(!findings.contains { $0.code == .iosCategoryUnknown })
    }
  }

  @Test(arguments: ["1.5", "1e300", "99999999999999999999"])
  func `a number that cannot be one is told as that`(value: String) {
    let text = #"{"notifications":[{"content":"x","ios_category":\#(value)}]}"#
    let finding = lint(text).notifications[0].findings.first { $0.code == .iosCategoryUnusable }
    #expect(finding?.message.contains("a number with a fraction, or too large to be kept exactly") == true)
  }

  @Test func `beside a story's own category it is a finding, and without that the story is not shown`() {
    let beside = GoodMessage.request(pages: GoodMessage.page, notification: #""ios_category":65,"#)
    let findings = lint(beside, options: LintOptions(categories: Self.known)).notifications[0].findings
    #expect(findings.map(\.code) == [.iosCategoryBesideCustom])
    #expect(findings[0].message.contains("A story needs that of ios_category_custom: remove ios_category."))
    let alone = beside.replacing(#""ios_category_custom":"PW_STORIES","#, with: "")
    #expect(lint(alone).notifications[0].findings.map(\.code) == [.categoryMissing])
  }

  @Test func `one that is unknown says which there are, and one that has ended says so`() {
    func message(_ id: String) -> String {
      lint(
        #"{"notifications":[{"content":"x","ios_category":\#(id)}]}"#, options: LintOptions(categories: Self.known)
      ).notifications[0].findings.first?.message ?? ""
    }
    #expect(
      message("67")
        == "There is no category \"67\" among the categories imported for 'shop', so phones show no buttons. "
        + "There is 65, 66, -7. Where it is new, bring in the categories again.")
    #expect(
      message("64").hasPrefix("There is no category \"64\" among the categories imported for 'shop' any more, so"))
  }

  @Test func `a payload that arrived names it in aps`() {
    let options = LintOptions(categories: Self.known)
    let good = lint(#"{"aps":{"alert":"x","category":"65"}}"#, options: options).notifications[0]
    #expect(good.findings.map(\.code) == [.noStory] && good.category?.id == "65")
    let unknown = lint(#"{"aps":{"alert":"x","category":"99"}}"#, options: options).notifications[0]
    #expect(unknown.findings.first?.pointer == "/aps/category" && unknown.category == nil)
    // An app's own category is none of buttons.
    let own = lint(#"{"aps":{"alert":"x","category":"CHAT"}}"#, options: options).notifications[0]
    #expect(own.findings.map(\.code) == [.missingBlock, .categoryNotStories, .mutableContentMissing])
  }

  @Test func `the report shows its buttons, for people and for programs`() throws {
    let file = lint(
      #"{"notifications":[{"content":"x","ios_category":65}]}"#, options: LintOptions(categories: Self.known))
    let text = LintReport(files: [file]).text(columns: 80)
    #expect(text.hasPrefix("message.json, notification 0: shows the notification with 2 buttons; payload "))
    #expect(
      text.contains(
        "\nbuttons of category 65\n  0 \"Rate\": opens the app, destructive\n  1 \"Later\": in the background\n"))
    let json = try JSONValue(text: LintReport(files: [file]).json)
    let notification = json["files"]?.arrayValue?.first?["notifications"]?.arrayValue?.first
    #expect(
      notification?.objectValue?.map(\.key) == [
        "index", "fallback", "story_id", "play_seconds", "payload_bytes", "category", "findings",
      ])
    #expect(
      notification?["category"]?.text(layout: .compact)
        == #"{"category_id":"65","buttons":[{"button_id":"0","label":"Rate","opens_app":true,"destructive":true},"#
        + #"{"button_id":"1","label":"Later","opens_app":false,"destructive":false}]}"#)
  }

  @Test func `the payload of a request has it in aps`() throws {
    let payload = try MessageDocument(bytes: #"{"notifications":[{"content":"x","ios_category":65}]}"#.utf8)
      .notifications[0].payload.value
    #expect(payload.text(layout: .compact) == #"{"aps":{"alert":{"body":"x"},"category":"65"}}"#)
  }
}
