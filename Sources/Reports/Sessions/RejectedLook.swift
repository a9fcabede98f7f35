import LocalTime
import Postgres

/// Rejected events whose bytes name a session, as far as a bounded look finds them.
public struct RejectedLook: Sendable, Equatable {
  /// A rejected event.
  public struct Event: Sendable, Equatable {
    /// The beginning of the SHA-256 of its bytes, as `pagefall rejected` takes it.
    public var handle: String
    /// Why it was refused.
    public var code: String
    /// The field at fault; nil: the event as a whole.
    public var field: String?
    /// What was found and what is expected.
    public var message: String
    /// How often it came.
    public var count: Int64
    /// When it came first, in microseconds since 1970.
    public var firstReceivedAtMicroseconds: Int64
  }

  /// What was found, the first received first, at most `mostShown`.
  public var events: [Event] = []
  /// How many were found.
  public var found = 0
  /// How many rejected events were looked at.
  public var lookedAt = 0
  /// Whether there were more in that time than are looked at.
  public var isCutShort = false

  /// The most that are listed.
  public static let mostShown = 20
  /// The most that are looked at: their bytes have to be read.
  public static let mostLookedAt = 5_000
  /// The days around a session's arrival in which rejected events are looked at.
  static let daysBefore: Int64 = 1
  static let daysAfter: Int64 = 7

  /// Nothing was looked at.
  init() {}

  /// Looks at the rejected events of an app that came around the arrival of a session.
  ///
  /// - Parameter id: as it was sent, in lower case.
  init(
    forSession id: String, appID: Int32, arrivedAtMicroseconds: Int64, _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    let day: Int64 = 86_400_000_000
    try self.init(
      id,
      "r.app_id = $4 AND r.first_received_at BETWEEN $2 AND $3 ORDER BY r.first_received_at",
      [
        .timestamp(PostgresTimestamp(microsecondsSince1970: arrivedAtMicroseconds &- Self.daysBefore * day)),
        .timestamp(PostgresTimestamp(microsecondsSince1970: arrivedAtMicroseconds &+ Self.daysAfter * day)),
        .int32(appID),
      ], &connection)
  }

  /// Looks at the newest rejected events of the last day, of all apps: for a session of which nothing is stored.
  init(forUnknown id: String, _ connection: inout PostgresConnection) throws(PostgresError) {
    try self.init(id, "r.kept_since > now() - interval '1 day' ORDER BY r.kept_since DESC", [], &connection)
  }

  private init(
    _ id: String, _ choice: String, _ parameters: [PostgresValue], _ connection: inout PostgresConnection
  ) throws(PostgresError) {
    // Bytes that are no text are escaped, so an id stays readable between them. An event has at most 32 KiB.
    let result = try connection.execute(
      """
      WITH chosen AS (
        SELECT * FROM pagefall.rejected r WHERE octet_length(r.body) <= 32768 AND \(choice)
        LIMIT \(Self.mostLookedAt + 1)
      ), looked AS MATERIALIZED (
        SELECT sha256, code, field, message, count, first_received_at,
          position($1 IN lower(encode(body, 'escape') COLLATE "C")) > 0 AS names_it
        FROM chosen
      )
      SELECT (SELECT count(*) FROM looked), (SELECT count(*) FROM looked WHERE names_it),
        encode(substring(l.sha256 FROM 1 FOR 6), 'hex'), l.code, l.field, l.message, l.count, l.first_received_at
      FROM (SELECT) one LEFT JOIN looked l ON l.names_it ORDER BY l.first_received_at, l.sha256 LIMIT \(Self.mostShown)
      """, [.text(id)] + parameters)
    for row in 0..<result.rowCount {
      let looked: Int64 = try result[row, 0]
      lookedAt = min(Int(looked), Self.mostLookedAt)
      isCutShort = looked > Int64(Self.mostLookedAt)
      let count: Int64 = try result[row, 1]
      found = Int(count)
      guard let handle: String = try result[row, 2] else { continue }
      let first: PostgresTimestamp = try result[row, 7]
      events.append(
        Event(
          handle: handle, code: try result[row, 3], field: try result[row, 4], message: try result[row, 5],
          count: try result[row, 6], firstReceivedAtMicroseconds: first.microsecondsSince1970))
    }
  }
}
