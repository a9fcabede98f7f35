import Foundation

/// What a phone makes of a message (playback §1.1, playback §1.2): the pages that play, or the fallback and why.
public struct StoryPayload: Equatable, Sendable {
  /// What the bytes were.
  public var source: PayloadSource
  /// What the phone shows.
  public var outcome: StoryOutcome
  /// `story_id` in the block: a key of the sender's own, which the SDK ignores and reports group by. Not empty.
  public var storyID: String?
  /// The pages that would not play, in the order of the payload. Empty for a fallback other than `noUsablePage`.
  public var droppedPages: [DroppedPage]

  /// Reads a payload as the phone's delegate gets it (`notification.request.content.userInfo`). Never fails: what cannot
  /// be read is a fallback.
  public init(userInfo: [String: Any]) {
    self.init(userInfo: userInfo, source: .userInfo)
  }

  init(userInfo: [String: Any], source: PayloadSource) {
    self.init(block: Self.findBlock(in: userInfo), source: source)
  }

  init(block: [String: Any]?, source: PayloadSource) {
    self.source = source
    droppedPages = []
    guard let block else {
      outcome = .fallback(.missingBlock)
      return
    }
    if let text = block["story_id"] as? String, !text.isEmpty { storyID = text }
    // One element that is no object spoils the list: the SDK casts it as a whole.
    guard let elements = block["pages"] as? [Any], let objects = Self.objects(elements) else {
      outcome = .fallback(.badPageList)
      return
    }
    var pages: [StoryPage] = []
    for (payloadIndex, object) in objects.enumerated() {
      switch StoryPage.read(object, payloadIndex: payloadIndex) {
      case .success(let page): pages.append(page)
      case .failure(let reason): droppedPages.append(DroppedPage(payloadIndex: payloadIndex, reason: reason))
      }
    }
    outcome = pages.isEmpty ? .fallback(.noUsablePage) : .story(pages)
  }

  /// Look-up order: the root, which wins if it is an object; then `u`, then `userdata`, each an object or a string of
  /// JSON that holds an object.
  private static func findBlock(in userInfo: [String: Any]) -> [String: Any]? {
    if let block = userInfo["pw_stories"] as? [String: Any] { return block }
    for key in ["u", "userdata"] {
      if let block = customData(userInfo[key])?["pw_stories"] as? [String: Any] { return block }
    }
    return nil
  }

  private static func customData(_ value: Any?) -> [String: Any]? {
    if let object = value as? [String: Any] { return object }
    guard let text = value as? String else { return nil }
    return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
  }

  private static func objects(_ elements: [Any]) -> [[String: Any]]? {
    var objects: [[String: Any]] = []
    objects.reserveCapacity(elements.count)
    for element in elements {
      guard let object = element as? [String: Any] else { return nil }
      objects.append(object)
    }
    return objects
  }
}

/// What the phone shows on receipt.
public enum StoryOutcome: Equatable, Sendable {
  /// The story, with these pages; at least one.
  case story([StoryPage])
  /// The default content.
  case fallback(FallbackReason)
}

/// Why the whole story falls back (playback §1.2). The raw values are the contract's (contract §1, `fallback`).
public enum FallbackReason: String, Equatable, Sendable, CaseIterable {
  /// No `pw_stories`, or it is not an object.
  case missingBlock = "missing_block"
  /// `pages` is missing or is not an array of objects.
  case badPageList = "bad_page_list"
  /// No page survives.
  case noUsablePage = "no_usable_page"
}

/// What a message's bytes turned out to be.
public enum PayloadSource: Equatable, Sendable {
  /// A `createMessage` request; the story is that of this element of `notifications`.
  case request(notificationIndex: Int)
  /// A payload as it arrives on the phone.
  case userInfo
  /// A bare `pw_stories` block.
  case block
}
