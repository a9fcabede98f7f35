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
    case .sessionID: "pagefall.sent_session_id(s.session_id)"
    case .arrivedAt: "s.arrived_at"
    case .clockOffset: "s.clock_offset_us"
    }
  }

  private static let fallbackReasonSQL = """
    coalesce((SELECT coalesce(e.reason, '\(StorySelection.noneText)') FROM pagefall.stored_events e
      WHERE e.session_id = s.session_id AND e.type = \(EventType.fallback.rawValue) ORDER BY e.seq LIMIT 1),
      '\(SessionField.noFallback)')
    """
}
