/// How a story plays, and what the app knows of its message. The four switches are the view controller's (playback §1.4); they
/// go along as properties, nil not at all.
public struct StorySettings: Sendable, Equatable {
  /// Property `loops_after_last_page`.
  public var loopsAfterLastPage: Bool?
  /// Property `long_press_to_pause`.
  public var longPressToPauseEnabled: Bool?
  /// Property `crossfades_between_pages`.
  public var crossfadesBetweenPages: Bool?
  /// Property `haptics`.
  public var hapticsEnabled: Bool?
  /// The message, where the app knows it.
  public var messageID: String?
  /// The campaign, where the app knows it.
  public var campaignID: String?

  /// Says what is known; nothing by default.
  public init(
    loopsAfterLastPage: Bool? = nil, longPressToPauseEnabled: Bool? = nil, crossfadesBetweenPages: Bool? = nil,
    hapticsEnabled: Bool? = nil, messageID: String? = nil, campaignID: String? = nil
  ) {
    self.loopsAfterLastPage = loopsAfterLastPage
    self.longPressToPauseEnabled = longPressToPauseEnabled
    self.crossfadesBetweenPages = crossfadesBetweenPages
    self.hapticsEnabled = hapticsEnabled
    self.messageID = messageID
    self.campaignID = campaignID
  }

  var properties: [(String, PropertyValue)] {
    [
      ("loops_after_last_page", loopsAfterLastPage), ("long_press_to_pause", longPressToPauseEnabled),
      ("crossfades_between_pages", crossfadesBetweenPages), ("haptics", hapticsEnabled),
    ].compactMap { name, value in value.map { (name, .bool($0)) } }
  }
}
