import EventStore
import Postgres
import Reports
import StoryEvents
import StoryPlayback

/// `pagefall story register`: tells the reports what the pages of a story are called, from the message itself.
enum StoryRegisterCommand {
  static let app = Option("app", takes: "NAME", help: "the app that shows the story (default demo)")
  static let story = Option("story", takes: "ID", help: "the story_id (default: that of the message)")

  static let command = Command(
    "story", "register", summary: "Name the pages of a story from its message", operands: "FILE|-",
    options: [app, story],
    discussion: """
      Reads a createMessage request, a payload or a pw_stories block, and keeps the titles, links and
      images of the pages that would play. Reports show the newest: what a message says here, or what
      events say later. Where that changes over time, reports say so.
      """,
    examples: ["pagefall story register Examples/seed-message.json --story spring-sale"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    guard invocation.operands.count == 1 else {
      throw .usage("name one message file: story register FILE (or - for standard input)")
    }
    let path = invocation.operands[0]
    let app = invocation.value(app) ?? "demo"
    guard AppStore.isName(app) else { throw .usage("\(EventStoreError.invalidAppName)") }
    let payload = try payload(path)
    let pages: [StoryPage]
    switch payload.outcome {
    case .story(let playing): pages = playing
    case .fallback(let reason):
      throw .dataFault(
        "\(quoted(path)) falls back on a phone (\(reason.rawValue)), so it has no pages; see pagefall lint")
    }
    guard ContractLimits.pageCount.contains(pages.count) else {
      throw .dataFault(
        "\(quoted(path)) has \(pages.count) pages; events can tell of \(ContractLimits.pageCount.upperBound)")
    }
    guard let story = invocation.value(story) ?? payload.storyID else {
      throw .usage("the message names no story_id; say which story it is: --story ID")
    }
    guard story.utf8.count <= ContractLimits.storyIDBytes, !story.utf8.contains(0) else {
      throw .usage("a story id is at most \(ContractLimits.storyIDBytes) bytes without U+0000")
    }
    let access = try DatabaseAccess.open(invocation, for: .writing)
    var connection = try access.connect()
    let changed: Int
    do {
      let appID = try AppStore.findOrCreate(app, &connection)
      changed = try StoryPageStore.register(
        pages.enumerated().map { RegisteredPage($0.element, index: $0.offset) },
        ofStory: story == StorySelection.noneText ? "" : story, appID: appID,
        nowMicroseconds: invocation.environment.nowMicroseconds(), &connection)
    } catch {
      throw DatabaseFailure.commandError(error)
    }
    let count = pages.count == 1 ? "1 page" : "\(pages.count) pages"
    try Console.print("\(count) of \(quoted(story)) in \(quoted(app)): \(changed) new or changed\n")
    return .success
  }

  private static func payload(_ path: String) throws(CommandError) -> StoryPayload {
    let bytes = try MessageFile.readAll(path)
    do {
      return try StoryPayload(bytes: bytes)
    } catch {
      throw .dataFault("\(quoted(path)): \(error)")
    }
  }
}

extension RegisteredPage {
  /// A page as events would tell of it: what the contract would refuse is left out.
  fileprivate init(_ page: StoryPage, index: Int) {
    func told(_ text: String?) -> String? {
      text.flatMap { $0.utf8.count <= ContractLimits.textBytes && !$0.utf8.contains(0) ? $0 : nil }
    }
    self.init(
      index: index, title: told(page.title), subtitle: told(page.subtitle), link: told(page.link?.absoluteString),
      imageURL: told(page.imageURL.absoluteString), buttonTitle: told(page.buttonTitle),
      durationSeconds: page.durationSeconds, payloadIndex: page.payloadIndex)
  }
}
