import Postgres
import StoryEvents

/// What a reader can ask to know about each session beside its history and its start.
package enum SessionColumn: Sendable, Equatable {
  /// `integer`.
  case appID
  /// One `boolean`: the clock was not believable (contract §3).
  case hasSuspectClock
  /// `text`, or null: all fields but `properties`.
  case context(ContextField)
  /// `text`, or null.
  case property(String)
  /// `text`, a JSON object, or null: all properties.
  case properties
  /// `text`: the reason of the first `fallback`; `(none)` without one, `SessionField.noFallback` without a fallback.
  case fallbackReason
  /// `text`: the content code of the first event of rich media; null without one.
  case contentCode
  /// `integer`, or null: the action of the first `notification_response` (`ResponseAction`).
  case responseAction
  /// `text`, or null: the category that the first `notification_response` names.
  case responseCategory
  /// `text`, or null: the button that the first `notification_response` names.
  case responseButton
  /// `uuid`, as it was sent.
  case sessionID
  /// `timestamptz`: when the first event was received.
  case arrivedAt
  /// `bigint`, microseconds.
  case clockOffset

  /// The expression over `pagefall.sessions s`.
  ///
  /// - Throws: `.usage` where a name cannot stand in SQL.
  func sql() throws(PostgresError) -> String {
    switch self {
    case .appID: "s.app_id"
    case .hasSuspectClock: "((s.flags & 1) = 1)"
    case .context(let field): "s.\(try SQLText.identifier(field.name))"
    case .property(let name): "(s.properties ->> \(try SQLText.literal(name)))"
    case .properties: "s.properties::text"
    case .fallbackReason: Self.fallbackReasonSQL
    case .contentCode: Self.contentCodeSQL
    case .responseAction: Self.firstResponseSQL("e.action::integer")
    case .responseCategory: Self.firstResponseSQL("e.category_id")
    case .responseButton: Self.firstResponseSQL("e.button_id")
    case .sessionID: "pagefall.sent_session_id(s.session_id)"
    case .arrivedAt: "s.arrived_at"
    case .clockOffset: "s.clock_offset_us"
    }
  }

  private static func firstResponseSQL(_ value: String) -> String {
    """
    (SELECT \(value) FROM pagefall.stored_events e
      WHERE e.session_id = s.session_id AND e.type = \(EventType.notificationResponse.rawValue) ORDER BY e.seq LIMIT 1)
    """
  }

  private static let fallbackReasonSQL = """
    coalesce((SELECT coalesce(e.reason, '\(StorySelection.noneText)') FROM pagefall.stored_events e
      WHERE e.session_id = s.session_id AND e.type = \(EventType.fallback.rawValue) ORDER BY e.seq LIMIT 1),
      '\(SessionField.noFallback)')
    """

  /// The condition on the type is also that of the index of such events.
  private static let contentCodeSQL = """
    (SELECT e.content_code FROM pagefall.stored_events e
      WHERE e.session_id = s.session_id AND e.type >= \(EventType.richMediaDeferred.rawValue)
        AND e.type <= \(EventType.richMediaFailed.rawValue) ORDER BY e.seq LIMIT 1)
    """
}
