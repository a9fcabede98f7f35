import Postgres
import StoryEvents

/// Context that came after a session was stored: an UPDATE of many sessions that only ever sets what is null.
///
/// Another collector may have filled the same fields meanwhile. So a row that gains nothing stays untouched, and the statement
/// says which rows gained something: PostgreSQL judges its condition anew by the row as it is once others have committed.
struct SessionFill {
  /// Where the sessions stand in the table of the batch.
  private var places: [Int32?] = []
  private var ids: [PostgresUUID?] = []
  private var values: [[String?]] = Array(repeating: [], count: ContextField.allCases.count)

  /// Sessions in one statement.
  private static let maximumRows = 1000

  var isFull: Bool { ids.count >= Self.maximumRows }

  mutating func begin(high: UInt64, low: UInt64, place: Int32) {
    places.append(place)
    ids.append(PostgresUUID(high: high, low: low))
    for index in values.indices { values[index].append(nil) }
  }

  /// Sets a field of the session begun last.
  mutating func set(_ field: ContextField, _ value: UnsafeRawBufferPointer) {
    values[Int(field.rawValue)][ids.count - 1] = String(decoding: value, as: UTF8.self)
  }

  /// Runs it, notes which sessions got a value, and starts anew.
  ///
  /// - Throws: `.rowsMissing` where one of the sessions is not there.
  mutating func run(
    _ connection: inout PostgresConnection, _ sessions: inout BatchSessions
  ) throws(EventStoreError) {
    if ids.isEmpty { return }
    let result = try connection.run(
      Self.statement, [.int32Array(places), .uuidArray(ids)] + values.map { .textArray($0) })
    for row in 0..<result.rowCount {
      let place = try decoding { () throws(PostgresError) -> Int32 in try result[row, 0] }
      sessions.sessions.base[Int(place)].gotValue = true
    }
    if result.rowCount != ids.count { try requireAll(&connection) }
    self = SessionFill()
  }

  private func requireAll(_ connection: inout PostgresConnection) throws(EventStoreError) {
    let result = try connection.run(
      "SELECT count(*) FROM pagefall.sessions WHERE session_id = ANY ($1)", [.uuidArray(ids)])
    let found = Int(try decoding { () throws(PostgresError) -> Int64 in try result[0, 0] })
    if found != ids.count { throw .rowsMissing(sent: ids.count, stored: found) }
  }

  private static let statement: String = {
    let fields = ContextField.allCases
    let sets = fields.map { field in
      let cast = field == .properties ? "::jsonb" : ""
      return "\(field.name) = COALESCE(s.\(field.name), u.\(field.name)\(cast))"
    }
    let gains = fields.map { "(s.\($0.name) IS NULL AND u.\($0.name) IS NOT NULL)" }
    let arrays = fields.map { "$\($0.rawValue + 3)::text[]" }
    return """
      UPDATE pagefall.sessions s SET \(sets.joined(separator: ", "))
      FROM (SELECT * FROM unnest($1::int4[], $2::uuid[], \(arrays.joined(separator: ", ")))
        AS v(place, session_id, \(fields.map(\.name).joined(separator: ", "))) ORDER BY session_id) u
      WHERE s.session_id = u.session_id AND (\(gains.joined(separator: " OR ")))
      RETURNING u.place
      """
  }()
}
