/// What happened on the phone: one case a callback (contract §1, "Event types").
///
/// The raw value is stored in PostgreSQL and in the spool, so it never changes and is never reused.
public enum EventType: UInt8, CaseIterable, Sendable {
  /// A story began; carries its page count.
  case start = 1
  /// A page was entered, before its image had loaded.
  case pageShown = 2
  /// The call-to-action button was tapped.
  case actionTap = 3
  /// The last page's timer ran out.
  case finish = 4
  /// The story could not be read and the default content was shown instead.
  case fallback = 5
  /// The notification was closed (observed by our client; the SDK has no callback for it).
  case dismiss = 6
  /// A rich media was told to wait, because another is open.
  case richMediaDeferred = 7
  /// A rich media was presented.
  case richMediaPresented = 8
  /// A rich media was closed.
  case richMediaClosed = 9
  /// A rich media could not be presented.
  case richMediaFailed = 10
  /// A notification was answered: a button, a plain open, or its dismissal.
  case notificationResponse = 11

  /// The name as it is sent and reported.
  public var name: String {
    switch self {
    case .start: "start"
    case .pageShown: "page_shown"
    case .actionTap: "action_tap"
    case .finish: "finish"
    case .fallback: "fallback"
    case .dismiss: "dismiss"
    case .richMediaDeferred: "rich_media_deferred"
    case .richMediaPresented: "rich_media_presented"
    case .richMediaClosed: "rich_media_closed"
    case .richMediaFailed: "rich_media_failed"
    case .notificationResponse: "notification_response"
    }
  }

  /// The type of this name, or nil where there is none.
  public init?(name: String) {
    guard let match = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = match
  }
}

/// Where a rich media came from (playback §2).
public enum RichMediaSource: UInt8, CaseIterable, Sendable {
  /// With a push notification.
  case push = 0
  /// From inside the app.
  case inApp = 1

  /// The name as it is sent.
  public var name: String {
    switch self {
    case .push: "push"
    case .inApp: "in_app"
    }
  }
}

/// How a notification was answered (contract §1, `notification_response`).
public enum ResponseAction: UInt8, CaseIterable, Sendable {
  /// One of the category's buttons; `category_id` and `button_id` say which.
  case button = 0
  /// A plain open.
  case `default` = 1
  /// The notification was dismissed.
  case dismiss = 2

  /// The name as it is sent.
  public var name: String {
    switch self {
    case .button: "button"
    case .default: "default"
    case .dismiss: "dismiss"
    }
  }
}
