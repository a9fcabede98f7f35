import FunnelDocument
import LocalTime
import Postgres
import SessionMetrics

/// One report under way: reads the sessions of a scope, counts them, and puts the numbers together.
struct QualityReading {
  private let frame: ReportFrame
  private let nowMicroseconds: Int64
  private var scope: ReportScope { frame.scope }
  private var calendar: LocalDays
  private var tally = QualityTally()
  private var fallbacks = FallbackLookup()
  /// Nil where the range does not touch yesterday.
  private var yesterday: YesterdayTally?

  /// What is asked of each session. The app and its version stand last, where they are a key for the place of both.
  private static let columns: [SessionColumn] = [
    .arrivedAt, .clockOffset, .sessionID, .hasSuspectClock, .appID, .context(.appVersion),
  ]

  init(_ scope: ReportScope, nowMicroseconds: Int64, _ connection: inout PostgresConnection) throws {
    frame = try ReportFrame(scope, &connection)
    self.nowMicroseconds = nowMicroseconds
    calendar = LocalDays(scope.timeZone)
    let yesterday = YesterdayTally(scope.timeZone, nowMicroseconds: nowMicroseconds)
    let day = yesterday.range(in: scope.timeZone)
    let isTouched =
      (scope.range.fromMicroseconds ?? .min) < day.upperBound && (scope.range.toMicroseconds ?? .max) > day.lowerBound
    self.yesterday = isTouched ? yesterday : nil
  }

  /// Reads and counts; once.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  consuming func report(_ connection: inout PostgresConnection) throws -> QualityReport {
    try readSessions(&connection)
    try readEarlierDays(&connection)
    if tally.presentations == 0 { try frame.requireStory(&connection) }
    let reasons = try fallbacks.reasons(scope, appIDs: frame.appIDs, &connection)
    let lost = try LostEvents(scope, appIDs: frame.appIDs, &connection)
    let accounts = try EventAccounts(scope, apps: frame.apps, appIDs: frame.appIDs, &connection)
    var report = QualityReport(
      generatedAt: ReportFrame.generatedAt(nowMicroseconds), dataThrough: frame.dataThrough, scope: frame.funnelScope,
      coversAllApps: frame.appIDs == nil, observed: observed, verdict: [], presentations: tally.presentations,
      total: tally.total, versions: tally.listedVersions(frame.apps), days: tally.listedDays(),
      cells: tally.listedCells(frame.apps), clocks: tally.clocks.offsets,
      delay: tally.delays.delay,
      yesterday: yesterday?.estimate(dataThroughMicroseconds: accounts.dataThroughMicroseconds),
      fates: accounts.fates, rejected: accounts.rejected, removedRejections: accounts.removedRejections,
      fallbacks: reasons,
      dropped: lost.dropped.map { DroppedEvents(app: frame.appName($0.key), events: $0.value) }
        .filter { $0.events > 0 }.sorted { $0.app < $1.app },
      explanation: tally.presentations == 0 ? frame.explanationOfNothing() : nil)
    var faults = report.conservationFaults(fallbacks: fallbacks.count, lost)
    if tally.cellsTotal != tally.total { faults.append("the cells do not add up to the total") }
    guard faults.isEmpty else { throw ReportError.conservation(faults) }
    report.verdict =
      QualityVerdict(
        report, nowMicroseconds: nowMicroseconds, endMicroseconds: scope.range.toMicroseconds,
        accounts.dataThroughMicroseconds
      ).findings
    return report
  }

  // MARK: Sessions

  private mutating func readSessions(_ connection: inout PostgresConnection) throws {
    var versionPlaces = CohortCache<Int>()
    var stream = try SessionStream(scope, appIDs: frame.appIDs, columns: Self.columns)
    try stream.read(&connection) { session, _, row in
      guard session.isPresentation else { return }
      var columns = CopyRowReader(bytes: row.columns)
      let arrivedAt = try columns.instant()
      let clockOffset = try columns.int64()
      guard let idBytes = try columns.field(), let id = PostgresUUID(bytes: idBytes) else {
        throw CopyRowReader.Damaged()
      }
      let timing = SessionTiming(
        startedAtMicroseconds: row.startedAtMicroseconds, arrivedAtMicroseconds: arrivedAt,
        clockOffsetMicroseconds: clockOffset, hasSuspectClock: try columns.flag())
      let place = try versionPlaces.value(for: columns.remainder) {
        let appID = try columns.int32()
        return tally.place(ofVersion: try columns.text(), appID: appID)
      }
      let day = calendar.date(atMicroseconds: row.startedAtMicroseconds).dayNumber
      tally.count(session, timing, versionPlace: place, dayNumber: day)
      if session.isFallback { fallbacks.add(id) }
      if session.isStorySession { yesterday?.count(dayNumber: day, arrivedAtMicroseconds: arrivedAt) }
    }
  }

  /// Of the days that yesterday is judged by, what the scope's range leaves out: each session is read at most once.
  private mutating func readEarlierDays(_ connection: inout PostgresConnection) throws {
    guard let window = yesterday?.window, let start = window.fromMicroseconds, let end = window.toMicroseconds else {
      return
    }
    let before = (from: start, to: min(scope.range.fromMicroseconds ?? .min, end))
    let after = (from: max(scope.range.toMicroseconds ?? .max, start), to: end)
    for part in [before, after] where part.from < part.to {
      var partScope = scope
      partScope.range = TimeRange(fromMicroseconds: part.from, toMicroseconds: part.to)
      var stream = try SessionStream(partScope, appIDs: frame.appIDs, columns: [.arrivedAt])
      try stream.read(&connection) { session, _, row in
        guard session.isStorySession else { return }
        var columns = CopyRowReader(bytes: row.columns)
        let day = calendar.date(atMicroseconds: row.startedAtMicroseconds).dayNumber
        yesterday?.count(dayNumber: day, arrivedAtMicroseconds: try columns.instant())
      }
    }
  }

  // MARK: Headings

  private var observed: ObservedRange? {
    guard tally.presentations > 0 else { return nil }
    return ObservedRange(
      first: frame.local(tally.firstStartMicroseconds), last: frame.local(tally.lastStartMicroseconds))
  }
}
