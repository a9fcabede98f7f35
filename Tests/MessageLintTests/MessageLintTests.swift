import Foundation
import FunnelDocument
import Testing

@testable import MessageLint

/// The project's folder.
let projectFolder = String(
  #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/"))

/// A file of the project.
func projectFile(_ path: String) throws -> [UInt8] {
  Array(try Data(contentsOf: URL(fileURLWithPath: "\(projectFolder)/\(path)")))
}

/// What is found in a text.
func lint(_ text: String, options: LintOptions = LintOptions()) -> LintedFile {
  MessageLint(options: options).lint(Array(text.utf8), name: "message.json")
}

/// A finding without its message.
struct CodeAndPlace: Equatable, CustomStringConvertible {
  let code: LintCode
  let pointer: String

  init(_ code: LintCode, _ pointer: String) {
    self.code = code
    self.pointer = pointer
  }

  init(_ finding: LintFinding) { self.init(finding.code, finding.pointer) }

  var description: String { "\(code.rawValue) at \(pointer)" }
}

/// Everything that a good message has around its pages.
enum GoodMessage {
  /// A request with one notification.
  static func request(pages: String, notification: String = "", block: String = "") -> String {
    """
    {"request":{"notifications":[{"content":"x","ios_category_custom":"PW_STORIES",\(notification)
    "ios_root_params":{"aps":{"mutable-content":1}},
    "data":{"pw_stories":{"story_id":"s",\(block)"pages":[\(pages)]}}}]}}
    """
  }

  static let page = #"{"image":"https://e.example/1.jpg","title":"A"}"#
}

@Suite struct MessageLintTests {
  @Test func `a good message has no findings`() {
    let file = lint(GoodMessage.request(pages: GoodMessage.page))
    #expect(file.form == .request)
    #expect(file.findings == [] && file.notifications.map(\.findings) == [[]])
    #expect(file.notifications.first?.storyID == "s")
    #expect(file.notifications.first?.playSeconds == 5)
  }

  @Test func `the documented example lacks a story_id and nothing else`() throws {
    let file = MessageLint().lint(try projectFile("Examples/seed-message.json"), name: "seed-message.json")
    let notification = try #require(file.notifications.first)
    #expect(
      notification.findings.map { CodeAndPlace($0) } == [
        CodeAndPlace(.storyIDMissing, "/request/notifications/0/data/pw_stories")
      ])
    #expect(notification.pages.map(\.showsButton) == [true, true])
    #expect(notification.playSeconds == 9)
  }

  @Test func `every notification of a request is looked at, and each is found under its own place`() {
    let page = #"{"image":"https://e.example/1.jpg","duration":0}"#
    let one = #"{"ios_category_custom":"PW_STORIES","data":{"pw_stories":{"story_id":"s","pages":[\#(page)]}}}"#
    let file = lint(#"{"notifications":[\#(one),{"content":"plain"},7,\#(one)]}"#)
    #expect(file.notifications.map(\.index) == [0, 1, 3])
    #expect(file.findings.map { CodeAndPlace($0) } == [CodeAndPlace(.notificationNotAnObject, "/notifications/2")])
    #expect(file.notifications[1].findings.map(\.code) == [.noStory])
    for notification in [file.notifications[0], file.notifications[2]] {
      #expect(
        notification.findings.map { CodeAndPlace($0) } == [
          CodeAndPlace(
            .durationNotPositive, "/notifications/\(notification.index)/data/pw_stories/pages/0/duration"),
          CodeAndPlace(.mutableContentMissing, "/notifications/\(notification.index)"),
        ])
    }
  }

  @Test(arguments: [
    ("", LintCode.notJSON, ""), ("{", .notJSON, ""), ("[1]", .notAnObject, ""), ("null", .notAnObject, ""),
    (#"{"request":{}}"#, .noNotification, "/request"),
    (#"{"request":{"notifications":[]}}"#, .noNotification, "/request/notifications"),
    (#"{"notifications":{}}"#, .noNotification, "/notifications"),
    (String(repeating: "[", count: 200_000), .notJSON, ""),
    (#"{"u":"# + String(repeating: #"{"a":"#, count: 100) + "1" + String(repeating: "}", count: 101), .notJSON, ""),
    ("{\"a\":1}\u{0}", .notJSON, ""),
  ]) func `what is no message is one finding of the file`(text: String, code: LintCode, pointer: String) {
    let file = lint(text)
    #expect(file.findings.map { CodeAndPlace($0) } == [CodeAndPlace(code, pointer)])
    #expect(file.notifications.isEmpty && file.form == nil)
    #expect(file.count(.error) == 1)
  }

  @Test func `a byte order mark in front is passed over`() {
    #expect(lint("\u{FEFF}" + GoodMessage.request(pages: GoodMessage.page)).findings == [])
  }

  @Test func `a file that is too large is not read`() {
    let file = MessageLint().lint([UInt8](repeating: 0x20, count: MessageLint.maximumBytes + 1), name: "large")
    #expect(file.findings.map(\.code) == [.fileTooLarge])
  }

  @Test func `findings of one kind are told up to a bound, and the rest is counted`() {
    let file = lint(#"{"pages":[\#(Array(repeating: "{}", count: 1000).joined(separator: ","))]}"#)
    let dropped = file.notifications[0].findings.filter { $0.code == .missingImage }
    #expect(dropped.count == FindingList.mostOfOneCode + 1)
    #expect(dropped.last?.message == "And 950 more of these.")
    let many = Array(repeating: #"{"content":"x"}"#, count: 1001).joined(separator: ",")
    let request = lint(#"{"notifications":[\#(many)]}"#)
    #expect(request.notifications.count == 1000)
    #expect(request.findings.map(\.code) == [.tooManyNotifications])
  }

  @Test func `the gravest comes first, and within a severity the order of the message`() {
    let pages = #"{"image":"http://e.example/1","title":""},{}"#
    let findings = lint(GoodMessage.request(pages: pages)).notifications[0].findings
    #expect(findings.map(\.code) == [.missingImage, .imageNotHTTPS, .textEmpty])
    #expect(findings.map(\.severity) == [.error, .warning, .note])
  }
}
