import Postgres
import Reports
import SessionMetrics

/// The lines of events and of sessions of a day under way, and the counts of its stories.
///
/// Takes the rows of `DayQuery` one after the other: each a whole session, or one event of a large session.
struct DayFiles: ~Copyable {
  /// The counts so far.
  private(set) var tallies: StoryTallies
  /// Sessions and events so far.
  private(set) var sessions = 0
  private(set) var events = 0
  /// A session had more events than are packed.
  private(set) var sawLargeSession = false

  private let apps: AppDirectory
  private var eventLines: EventLines?
  private var sessionLines: SessionLines?
  private var cells: SessionCells
  private let needsCells: Bool
  private var rowEvents = SessionEvents()
  private var history = SessionHistory()
  private var judge = SessionJudge()
  /// The session under way had a start.
  private var hasSeenStart = false
  /// The large session under way.
  private var largeSession: LargeSession?

  private struct LargeSession {
    let idHigh: UInt64
    let idLow: UInt64
    let facts: SessionFacts
  }

  init(
    _ day: ExportDay, _ apps: AppDirectory, _ options: ExportOptions, in directory: borrowing OpenDirectory,
    _ limits: DayLimits
  ) throws(ExportError) {
    tallies = StoryTallies(limits)
    var eventLines: EventLines?
    var sessionLines: SessionLines?
    if options.contents.contains(.events) { eventLines = try EventLines(options, in: directory, day.zone) }
    if options.contents.contains(.sessions) { sessionLines = try SessionLines(options, in: directory) }
    needsCells = options.contents.contains(.events) || options.contents.contains(.sessions)
    cells = SessionCells(options, day.zone)
    self.apps = apps
    self.eventLines = eventLines
    self.sessionLines = sessionLines
  }

  /// Takes a row of `DayQuery.sessions`.
  ///
  /// - Throws: `.file`; `.database` where the row is damaged.
  mutating func takeSession(_ message: UnsafeRawBufferPointer) throws(ExportError) {
    guard let row = try DayRow.read(message) else { return }
    if row.isLarge {
      sawLargeSession = true
      return
    }
    let facts = try begin(row)
    try takeEvents(of: row)
    try finishSession(facts)
  }

  /// Takes a row of `DayQuery.largeSessions`.
  ///
  /// - Throws: `.file`; `.database` where the row is damaged.
  mutating func takeEvent(_ message: UnsafeRawBufferPointer) throws(ExportError) {
    guard let row = try DayRow.read(message) else { return }
    if let session = largeSession, session.idHigh != row.idHigh || session.idLow != row.idLow {
      try finishLargeSession()
    }
    if largeSession == nil {
      largeSession = LargeSession(idHigh: row.idHigh, idLow: row.idLow, facts: try begin(row))
    }
    try takeEvents(of: row)
  }

  /// Ends the files.
  ///
  /// - Throws: `.file`.
  mutating func finish() throws(ExportError) -> [WrittenFile] {
    try finishLargeSession()
    var files: [WrittenFile] = []
    if let file = try eventLines?.finish() { files.append(file) }
    if let file = try sessionLines?.finish() { files.append(file) }
    return files
  }

  private mutating func begin(_ row: DayRow) throws(ExportError) -> SessionFacts {
    sessions += 1
    history.removeAll()
    hasSeenStart = false
    if needsCells {
      do { try cells.make(row, app: apps.name(of: row.appID)) } catch { throw ExportError(error) }
    }
    return SessionFacts(
      story: tallies.place(of: row), startedAtMicroseconds: row.startedAtMicroseconds,
      hasSuspectClock: row.hasSuspectClock, hasDevice: row.hasDevice)
  }

  private mutating func takeEvents(of row: DayRow) throws(ExportError) {
    do { try rowEvents.read(row) } catch { throw ExportError(error) }
    events += rowEvents.events.count
    for event in rowEvents.events {
      let details = rowEvents.takeDetails(of: event)
      let stored = event.stored
      history.append(stored)
      if stored.type == .start { try takePageDurations(details) }
      try eventLines?.write(event, details, cells)
    }
    guard rowEvents.hasNoDetailsLeft else { throw ExportError(CopyRowReader.Damaged()) }
  }

  /// The durations that the first start gave count for the whole session (metrics §2).
  private mutating func takePageDurations(_ details: EventDetails?) throws(ExportError) {
    defer { hasSeenStart = true }
    guard !hasSeenStart, let array = details?.pageDurations else { return }
    do {
      var durations = try FloatArrayReader(array)
      while durations.remaining > 0 { history.startPageDurations.append(try durations.next()) }
    } catch {
      throw ExportError(error)
    }
  }

  private mutating func finishLargeSession() throws(ExportError) {
    guard let session = largeSession else { return }
    largeSession = nil
    try finishSession(session.facts)
  }

  private mutating func finishSession(_ facts: SessionFacts) throws(ExportError) {
    judge.judge(history)
    tallies.count(judge.session, of: facts)
    try sessionLines?.write(judge.session, events: history.events.count, cells)
  }
}

extension DayRow {
  /// Reads a message; nil where it holds no session.
  fileprivate static func read(_ message: UnsafeRawBufferPointer) throws(ExportError) -> DayRow? {
    do { return try DayRow(message: message) } catch { throw ExportError(error) }
  }
}

extension AppDirectory {
  /// Reads the apps, and finds the numbers of some of them; nil where none are named, which means all.
  ///
  /// - Throws: `.usage` for an app that is not there; `.database`.
  static func read(
    _ names: [String], _ connection: inout PostgresConnection
  ) throws(ExportError) -> (apps: AppDirectory, appIDs: [Int32]?) {
    let apps = try reading { () throws(PostgresError) in try AppDirectory(&connection) }
    do { return (apps, try apps.numbers(of: ReportScope(apps: names))) } catch { throw ExportError(error) }
  }

  /// The name of an app.
  func name(of appID: Int32) -> String { names[appID] ?? "(removed)" }
}
