import Postgres
import Reports
import StoryEvents

/// The statements that deliver the sessions of a day.
///
/// A row is a session: what is known about it, and its events packed in one value. So its context crosses the wire once and
/// not with every event, and the server has a third of the work that a row an event is.
struct DayQuery {
  /// The context that is text, in the order of its columns; story and properties stand before and behind it.
  static let contextTexts = ContextField.allCases.filter { $0 != .storyID && $0 != .properties }

  /// How many columns a row has.
  static let columnCount = facts.count + packedColumnCount + context.count

  /// What few events have, as a record with their seq in front: `record_send`'s form.
  static let detailColumns = ["seq", "page_durations", "reason", "content_code", "error", "category_id", "button_id"]

  private let conditions: String
  private let access: SessionAccess
  /// Events from this seq on are not packed; their session is a large one.
  private let mostEvents: Int

  /// Packing all events of a session without bound, someone who sends long texts in one endless session would reach the
  /// 1 GB that a value of PostgreSQL can have, or our memory. So many events of the contract's size (17 KB) are 9 MB.
  static let mostPackedEvents = 512

  init(
    _ scope: ReportScope, appIDs: [Int32]?, _ access: SessionAccess, mostEvents: Int = mostPackedEvents
  ) throws(PostgresError) {
    conditions = try SessionQuery.conditions(scope, appIDs: appIDs).joined(separator: " AND ")
    self.access = access
    self.mostEvents = mostEvents
  }

  /// All sessions of the day. Large ones say so, and their events have to be read by `largeSessions`.
  var sessions: String {
    """
    COPY (
      SELECT \(Self.list(Self.facts)), coalesce(packed.is_large, false), packed.events, packed.details,
        \(Self.list(Self.context))
      FROM \(joined)
      WHERE \(conditions)
    ) TO STDOUT (FORMAT binary)
    """
  }

  /// The large sessions of the day, a row an event, in the order of session and seq.
  var largeSessions: String {
    """
    COPY (
      SELECT \(Self.list(Self.facts)), true, \(Self.packedEvent),
        CASE WHEN \(Self.hasDetails) THEN \(Self.packedDetails) END, \(Self.list(Self.context))
      FROM (
        SELECT * FROM pagefall.sessions s WHERE \(conditions) AND EXISTS (
          SELECT FROM pagefall.stored_events e WHERE e.session_id = s.session_id AND e.seq >= \(mostEvents)) OFFSET 0
      ) s CROSS JOIN LATERAL (
        SELECT * FROM pagefall.stored_events e WHERE e.session_id = s.session_id OFFSET 0) e
      ORDER BY s.session_id, e.seq
    ) TO STDOUT (FORMAT binary)
    """
  }

  private var joined: String {
    switch access {
    case .bySession:
      // Cannot be turned into anything but one look into the key for each session.
      """
      pagefall.sessions s CROSS JOIN LATERAL (
        SELECT \(packed) FROM pagefall.stored_events e WHERE e.session_id = s.session_id) packed
      """
    case .inKeyOrder:
      // Both sides say that they are in the order of the key, so that they are merged and neither is sorted or hashed.
      """
      (SELECT * FROM pagefall.sessions ORDER BY session_id OFFSET 0) s LEFT JOIN (
        SELECT e.session_id, \(packed) FROM pagefall.stored_events e
        GROUP BY e.session_id ORDER BY e.session_id) packed USING (session_id)
      """
    }
  }

  private var packed: String {
    """
    bool_or(e.seq >= \(mostEvents)) AS is_large,
    string_agg(\(Self.packedEvent), '') FILTER (WHERE e.seq < \(mostEvents)) AS events,
    string_agg(\(Self.packedDetails), '') FILTER (WHERE e.seq < \(mostEvents) AND (\(Self.hasDetails))) AS details
    """
  }

  private static let facts = [
    "s.session_id", "s.started_at", "s.arrived_at", "s.clock_offset_us", "(s.flags & 1) = 1",
  ]

  /// Between the facts and the context: whether the session is a large one, its events, their details.
  private static let packedColumnCount = 3

  private static let context =
    ["s.app_id", "s.\(ContextField.storyID.name)"] + contextTexts.map { "s.\($0.name)" }
    + ["s.\(ContextField.properties.name)::text"]

  private static let packedEvent = """
    int8send(
      (e.seq::bigint << \(PackedEvent.seq.shift)) | (e.type::bigint << \(PackedEvent.type.shift))
      | (coalesce(e.page_index + 1, 0)::bigint << \(PackedEvent.pagePlace.shift))
      | ((coalesce(e.page_count, 0) << \(PackedEvent.pageCount.shift))
        | (coalesce(e.source + 1, 0) << \(PackedEvent.sourcePlace.shift))
        | (coalesce(e.action + 1, 0) << \(PackedEvent.actionPlace.shift)))::bigint)
    || timestamptz_send(e.at) || float8send(coalesce(e.duration, 'NaN'))
    """

  private static let packedDetails =
    "record_send(ROW(\(list(detailColumns.map { "e." + $0 }))))"

  private static let hasDetails =
    detailColumns.dropFirst().map { "e.\($0) IS NOT NULL" }.joined(separator: " OR ")

  private static func list(_ columns: [String]) -> String { columns.joined(separator: ", ") }
}
