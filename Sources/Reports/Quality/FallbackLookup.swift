import Postgres
import StoryEvents

/// Why the presentations of a scope fell back.
///
/// The reason of a fallback stands with its event and not with what a report reads of each session, so the few sessions that
/// fell back are remembered by their ids and looked up afterwards. Where they are not few, the scope is read once more.
struct FallbackLookup {
  /// The most reasons that are told apart, and that are listed.
  private static let mostReasons = 1_000
  private static let mostListed = 20

  private let mostRemembered: Int
  private var sessions: [PostgresUUID] = []
  private(set) var count = 0

  /// Begins with none.
  ///
  /// - Parameter mostRemembered: how many sessions are remembered at the most, 16 bytes each.
  init(mostRemembered: Int = 250_000) {
    self.mostRemembered = mostRemembered
  }

  /// Remembers a session that fell back, by its id as it was sent.
  mutating func add(_ session: PostgresUUID) {
    count += 1
    if sessions.count < mostRemembered { sessions.append(session) }
  }

  /// The reasons, the most frequent first, the rest as one.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  func reasons(
    _ scope: ReportScope, appIDs: [Int32]?, _ connection: inout PostgresConnection
  ) throws -> [FallbackReason] {
    var counter = NameCounter<ByteText>(capacity: Self.mostReasons)
    if count == sessions.count {
      for start in stride(from: 0, to: sessions.count, by: 10_000) {
        let part = sessions[start..<min(start + 10_000, sessions.count)]
        let result = try connection.execute(Self.sql, [.uuidArray(Array(part))], timeout: .seconds(600))
        for row in 0..<result.rowCount {
          let place = counter.place(of: ByteText(try result[row, 0]))
          counter.count(try result[row, 1], at: place)
        }
      }
    } else {
      var fallbacks = scope
      fallbacks.add([try SessionCondition(.fact(.fallback), values: [SessionField.yes])])
      var stream = try SessionStream(fallbacks, appIDs: appIDs, columns: [.fallbackReason])
      try stream.read(&connection) { _, _, row in
        var columns = CopyRowReader(bytes: row.columns)
        counter.count(at: counter.place(of: ByteText(try columns.text() ?? "")))
      }
    }
    return Self.listed(counter)
  }

  private static func listed(_ counter: NameCounter<ByteText>) -> [FallbackReason] {
    let sorted = counter.sorted(by: <)
    let rest = sorted.dropFirst(mostListed).reduce(counter.otherCount) { $0 + $1.sessions }
    return sorted.prefix(mostListed).map {
      FallbackReason(reason: $0.name.text, presentations: $0.sessions)
    } + (rest > 0 ? [FallbackReason(reason: nil, presentations: rest)] : [])
  }

  /// Each session by its key.
  private static let sql = """
    SELECT coalesce(f.reason, '\(StorySelection.noneText)'), count(*)
    FROM unnest($1::uuid[]) AS s(id) CROSS JOIN LATERAL (
      SELECT e.reason FROM pagefall.stored_events e
      WHERE e.session_id = pagefall.stored_session_id(s.id) AND e.type = \(EventType.fallback.rawValue)
      ORDER BY e.seq LIMIT 1) f
    GROUP BY 1
    """
}
