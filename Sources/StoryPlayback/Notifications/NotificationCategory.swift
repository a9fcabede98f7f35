/// A category of interactive notifications, as the phone registers it (playback §3).
public struct NotificationCategory: Equatable, Sendable {
  /// Its id: the decimal digits of the number that the server sent.
  public var id: String
  /// Its buttons, in their order; none is possible.
  public var buttons: [NotificationButton]

  /// Makes a category.
  public init(id: String, buttons: [NotificationButton]) {
    self.id = id
    self.buttons = buttons
  }
}

/// A button of a category.
public struct NotificationButton: Equatable, Sendable {
  /// Its id within the category, as the response carries it.
  public var id: String
  /// What it says; not empty.
  public var label: String
  /// Whether the system shows it as destructive.
  public var isDestructive: Bool
  /// Whether it opens the app; else the response is handled in the background.
  public var opensApp: Bool

  /// Makes a button.
  public init(id: String, label: String, isDestructive: Bool = false, opensApp: Bool = false) {
    self.id = id
    self.label = label
    self.isDestructive = isDestructive
    self.opensApp = opensApp
  }
}
