import LocalTime
import Postgres
import Reports
import TestSupport

/// Sessions with their arrivals and clocks, in a database.
final class QualityWorld {
  /// A session as a test of quality writes it down.
  struct Session {
    var session: WorldSession
    /// Microseconds from its start to its arrival.
    var delayMicroseconds: Int64 = 2_000_000
    /// Microseconds that were added to the device's clock.
    var clockOffsetMicroseconds: Int64 = 0

    var startedAtMicroseconds: Int64 {
      (try? TimeExpression(session.startedAt).startMicroseconds(in: .utc, nowMicroseconds: 0)) ?? 0
    }
    var arrivedAtMicroseconds: Int64 { startedAtMicroseconds + delayMicroseconds }
  }

  let world: StoredWorld
  private(set) var sessions: [Session] = []

  init(_ sessions: [Session] = []) throws {
    world = try StoredWorld()
    try store(sessions)
  }

  func store(_ added: [Session]) throws {
    guard !added.isEmpty else { return }
    try world.store(added.map(\.session))
    let first = sessions.count
    sessions += added
    let rows = added.enumerated().map { index, session in
      "(\(first + index + 1), '\(TimestampText.rfc3339(session.arrivedAtMicroseconds, in: .utc))'::timestamptz, "
        + "\(session.clockOffsetMicroseconds)::bigint)"
    }
    // The ids of a world grow from session to session.
    try world.execute(
      """
      UPDATE pagefall.sessions s SET arrived_at = v.arrived_at, clock_offset_us = v.clock_offset_us
      FROM (VALUES \(rows.joined(separator: ",\n"))) AS v(number, arrived_at, clock_offset_us),
        (SELECT session_id, row_number() OVER (ORDER BY session_id) AS number FROM pagefall.sessions) n
      WHERE n.number = v.number AND n.session_id = s.session_id;
      """)
  }

  func report(
    _ scope: ReportScope = ReportScope(), nowMicroseconds: Int64 = reportTimeMicroseconds
  ) throws -> QualityReport {
    var connection = try world.connect()
    return try QualityReporter.run(scope, on: &connection, nowMicroseconds: nowMicroseconds)
  }
}

/// An instant as RFC 3339, in microseconds since 1970.
func instant(_ text: String) throws -> Int64 {
  try TimeExpression(text).startMicroseconds(in: .utc, nowMicroseconds: 0)
}

extension TimeRange {
  /// Local days, as a command line says them.
  static func days(_ from: String, _ to: String, _ zone: ReportTimeZone = .utc) throws -> TimeRange {
    try TimeRange(from: from, to: to, timeZone: zone, nowMicroseconds: reportTimeMicroseconds)
  }
}
