import Postgres
import StoryEvents

/// A row of `pagefall.sessions` in COPY's binary format.
enum SessionRow {
  static let copyStatement = """
    COPY pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, \
    \(ContextField.allCases.map(\.name).joined(separator: ", "))) FROM STDIN (FORMAT binary)
    """

  /// The bit of `flags` for a clock that was not believable.
  static let suspectClock: Int16 = 1

  /// All but the context's fields, which have to follow.
  @inline(__always)
  static func encode(_ session: BatchSession, _ encoder: inout BinaryCopyEncoder) {
    encoder.beginRow(fieldCount: 6 + Int16(ContextField.allCases.count))
    encoder.append(PostgresUUID(high: session.high, low: session.low))
    encoder.append(session.claimedBy)
    encoder.append(timestampMicrosecondsSince1970: session.startedAtMicroseconds)
    encoder.append(timestampMicrosecondsSince1970: session.arrivedAtMicroseconds)
    encoder.append(session.clockOffsetMicroseconds)
    encoder.append(session.hasSuspectClock ? suspectClock : Int16(0))
  }
}

/// Context that came after a session was stored: an UPDATE of many sessions that only ever sets what is null.
struct SessionFill {
  private var ids: [PostgresUUID?] = []
  private var values: [[String?]] = Array(repeating: [], count: ContextField.allCases.count)

  /// Sessions in one statement.
  private static let maximumRows = 1000

  var isFull: Bool { ids.count >= Self.maximumRows }

  mutating func begin(high: UInt64, low: UInt64) {
    ids.append(PostgresUUID(high: high, low: low))
    for index in values.indices { values[index].append(nil) }
  }

  /// Sets a field of the session begun last.
  mutating func set(_ field: ContextField, _ value: UnsafeRawBufferPointer) {
    values[Int(field.rawValue)][ids.count - 1] = String(decoding: value, as: UTF8.self)
  }

  /// Runs it, and starts anew.
  mutating func run(_ connection: inout PostgresConnection) throws(EventStoreError) {
    if ids.isEmpty { return }
    let result = try connection.run(Self.statement, [.uuidArray(ids)] + values.map { .textArray($0) })
    if result.affectedRows != ids.count { throw .rowsMissing(sent: ids.count, stored: result.affectedRows) }
    self = SessionFill()
  }

  private static let statement: String = {
    let fields = ContextField.allCases
    let sets = fields.map { field in
      let cast = field == .properties ? "::jsonb" : ""
      return "\(field.name) = COALESCE(s.\(field.name), u.\(field.name)\(cast))"
    }
    let arrays = fields.map { "$\($0.rawValue + 2)::text[]" }
    return """
      UPDATE pagefall.sessions s SET \(sets.joined(separator: ", "))
      FROM (SELECT * FROM unnest($1::uuid[], \(arrays.joined(separator: ", ")))
        AS v(session_id, \(fields.map(\.name).joined(separator: ", "))) ORDER BY session_id) u
      WHERE s.session_id = u.session_id
      """
  }()
}
