import FunnelDocument
import LocalTime
import Postgres
import PrintedText
import Reports

/// Writes the files of a day.
enum DayWriter {
  /// Reads the sessions that started on a day and writes them, and what they count for, into a directory that exists and is
  /// empty. The files are synced; the directory is not.
  ///
  /// Takes time in proportion to the day's events, and memory in proportion to its stories × pages.
  ///
  /// - Parameters:
  ///   - apps: as the same transaction sees them.
  ///   - appIDs: those that count; nil for all.
  ///   - connection: in a transaction that is repeatable read and read only.
  ///   - progress: is told the number of events so far, now and then.
  /// - Throws: `.file`, `.database`, `.conservation`.
  static func write(
    _ day: ExportDay, _ apps: AppDirectory, appIDs: [Int32]?, _ options: ExportOptions,
    into directory: borrowing OpenDirectory,
    _ connection: inout PostgresConnection, limits: DayLimits = DayLimits(),
    progress: (_ events: Int) -> Void = { _ in }
  ) throws(ExportError) -> WrittenDay {
    let scope = ReportScope(
      range: TimeRange(fromMicroseconds: day.fromMicroseconds, toMicroseconds: day.toMicroseconds), timeZone: day.zone)
    let query = try reading { () throws(PostgresError) in
      // Compiling the statement costs more than it saves; each month's events are packed by themselves.
      try connection.execute("SET LOCAL jit = off")
      try connection.execute("SET LOCAL enable_partitionwise_aggregate = on")
      let access = try SessionAccess(for: scope, appIDs: appIDs, &connection)
      return try DayQuery(scope, appIDs: appIDs, access, mostEvents: limits.packedEvents)
    }
    var files = try DayFiles(day, apps, options, in: directory, limits)
    try read(query, into: &files, &connection, progress)
    var written = try files.finish()
    var counts = try StoryFiles.write(files.tallies, day, apps, options, into: directory, &connection, &written)
    let lost = try reading { () throws(PostgresError) in try LostEvents(scope, appIDs: appIDs, &connection) }
    lost.add(to: &counts.completeness)
    progress(files.events)
    return WrittenDay(files: written, sessions: files.sessions, events: files.events, counts: counts)
  }

  private static func read(
    _ query: DayQuery, into files: inout DayFiles, _ connection: inout PostgresConnection,
    _ progress: (_ events: Int) -> Void
  ) throws(ExportError) {
    var nextMark = eventsBetweenMarks
    try connection.copyDay(query.sessions) { (message) throws(ExportError) in
      try files.takeSession(message)
      if files.events >= nextMark {
        nextMark = files.events + eventsBetweenMarks
        progress(files.events)
      }
    }
    guard files.sawLargeSession else { return }
    try connection.copyDay(query.largeSessions) { (message) throws(ExportError) in
      try files.takeEvent(message)
      if files.events >= nextMark {
        nextMark = files.events + eventsBetweenMarks
        progress(files.events)
      }
    }
  }

  private static let eventsBetweenMarks = 20_000
}
