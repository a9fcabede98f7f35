/// What is counted of the answers to interactive notifications (buttons §1): each session is one answer.
public struct ResponseCounts: Equatable, Sendable {
  /// Sessions with at least one `notification_response`.
  public var responses = 0

  // Each response is exactly one of these three, that of its first event.

  /// By a button.
  public var buttonResponses = 0
  /// A plain open.
  public var opens = 0
  /// A dismissal.
  public var dismissals = 0
  /// `seq` values from 0 to each session's highest, summed.
  public var expectedEvents = 0
  /// Of them, those that are absent.
  public var missingEvents = 0

  /// All zero.
  public init() {}

  /// The sum of both.
  public static func + (left: ResponseCounts, right: ResponseCounts) -> ResponseCounts {
    var sum = left
    sum.responses += right.responses
    sum.buttonResponses += right.buttonResponses
    sum.opens += right.opens
    sum.dismissals += right.dismissals
    sum.expectedEvents += right.expectedEvents
    sum.missingEvents += right.missingEvents
    return sum
  }
}

/// The responses to notifications of one category.
public struct CategoryLine: Equatable, Sendable {
  /// The app; nil where lines of all apps are told apart by nothing else.
  public var app: String?
  /// The category's id; nil for responses that carry none.
  public var categoryID: String?
  /// Whether it was imported (`pagefall category import`).
  public var isKnown: Bool
  /// What was counted.
  public var counts: ResponseCounts
  /// Its buttons: those that it has now, in their order, then those of before and unknown ones that were pressed.
  public var buttons: [ButtonLine]

  /// Makes a line.
  public init(
    app: String? = nil, categoryID: String?, isKnown: Bool = false, counts: ResponseCounts = ResponseCounts(),
    buttons: [ButtonLine] = []
  ) {
    self.app = app
    self.categoryID = categoryID
    self.isKnown = isKnown
    self.counts = counts
    self.buttons = buttons
  }
}

/// The responses by one button.
public struct ButtonLine: Equatable, Sendable {
  /// The button's id.
  public var buttonID: String
  /// What it says; nil for a button that was never imported.
  public var label: String?
  /// Whether it is destructive; nil for a button that was never imported.
  public var isDestructive: Bool?
  /// Whether it opens the app; nil for a button that was never imported.
  public var opensApp: Bool?
  /// Whether the category has it now; false for one of before, and for an unknown one.
  public var isCurrent: Bool
  /// How many responses.
  public var responses: Int

  /// Makes a line.
  public init(
    buttonID: String, label: String? = nil, isDestructive: Bool? = nil, opensApp: Bool? = nil, isCurrent: Bool = false,
    responses: Int = 0
  ) {
    self.buttonID = buttonID
    self.label = label
    self.isDestructive = isDestructive
    self.opensApp = opensApp
    self.isCurrent = isCurrent
    self.responses = responses
  }
}
