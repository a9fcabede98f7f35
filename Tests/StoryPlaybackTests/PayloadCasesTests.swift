import Foundation
import StoryPlayback
import Testing

/// `Tests/Fixtures/payload-cases.json`: what phones do with payloads, case by case.
@Suite struct PayloadCasesTests {
  @Test(arguments: try PayloadCase.all()) func `a phone reads the payload as the case says`(payload: PayloadCase) throws
  {
    let read = try StoryPayload(bytes: payload.userInfo)
    if let fallback = payload.fallback {
      #expect(read.outcome == .fallback(fallback))
      return
    }
    guard case .story(let pages) = read.outcome else {
      Issue.record("falls back: \(read.outcome)")
      return
    }
    #expect(pages.count == payload.pages.count)
    for (page, expected) in zip(pages, payload.pages) { expected.check(page) }
  }
}

/// One case of the file.
struct PayloadCase: Sendable, CustomTestStringConvertible {
  let name: String
  let userInfo: Data
  let fallback: FallbackReason?
  let pages: [ExpectedPage]

  var testDescription: String { name }

  static func all() throws -> [PayloadCase] {
    let root = try JSONSerialization.jsonObject(with: fixture("payload-cases.json"))
    return try #require(root as? [[String: Any]]).map { object in
      PayloadCase(
        name: try #require(object["name"] as? String),
        userInfo: try JSONSerialization.data(withJSONObject: try #require(object["userInfo"])),
        fallback: (object["fallback"] as? String).flatMap(FallbackReason.init(rawValue:)),
        pages: try (object["pages"] as? [[String: Any]] ?? []).map(ExpectedPage.init(object:)))
    }
  }
}

/// The keys of a page that a case names.
struct ExpectedPage: Sendable {
  let texts: [String: String?]
  let duration: Double?
  let payloadIndex: Int?
  let showsButton: Bool?

  init(object: [String: Any]) throws {
    let names = ["image", "link", "button_title", "title", "subtitle"].filter { object[$0] != nil }
    texts = Dictionary(uniqueKeysWithValues: names.map { ($0, object[$0] as? String) })
    duration = (object["duration"] as? NSNumber)?.doubleValue
    payloadIndex = (object["payload_index"] as? NSNumber)?.intValue
    showsButton = (object["shows_button"] as? NSNumber)?.boolValue
  }

  func check(_ page: StoryPage) {
    let played: [String: String?] = [
      "image": page.imageURL.absoluteString, "link": page.link?.absoluteString, "button_title": page.buttonTitle,
      "title": page.title, "subtitle": page.subtitle,
    ]
    for (name, text) in texts { #expect(played[name] == .some(text), "\(name)") }
    if let duration { #expect(page.durationSeconds == duration) }
    if let payloadIndex { #expect(page.payloadIndex == payloadIndex) }
    if let showsButton { #expect(page.showsButton == showsButton) }
  }
}
