import Postgres
import StoryEvents

/// A row of `pagefall.sessions` in COPY's binary format.
enum SessionRow {
  static let copyStatement = """
    COPY pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags, history, \
    \(ContextField.allCases.map(\.name).joined(separator: ", "))) FROM STDIN (FORMAT binary)
    """

  /// The bit of `flags` for a clock that was not believable.
  static let suspectClock: Int16 = 1

  /// All but the context's fields, which have to follow.
  @inline(__always)
  static func encode(
    _ session: BatchSession, history: UnsafeRawBufferPointer?, _ encoder: inout BinaryCopyEncoder
  ) {
    encoder.beginRow(fieldCount: 7 + Int16(ContextField.allCases.count))
    encoder.append(PostgresUUID(high: session.high, low: session.low))
    encoder.append(session.claimedBy)
    encoder.append(timestampMicrosecondsSince1970: session.startedAtMicroseconds)
    encoder.append(timestampMicrosecondsSince1970: session.arrivedAtMicroseconds)
    encoder.append(session.clockOffsetMicroseconds)
    encoder.append(session.hasSuspectClock ? suspectClock : Int16(0))
    if let history { encoder.append(bytes: history) } else { encoder.appendNull() }
  }
}
