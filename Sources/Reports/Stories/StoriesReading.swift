import FunnelDocument
import LocalTime
import Postgres
import SessionMetrics

/// A report of stories under way: reads the sessions of a scope and counts them by app and story.
struct StoriesReading {
  /// The most stories of a report.
  static let mostStories = 10_000
  /// The most days of the sparklines, and of the numbers of sessions a day over all stories together.
  static let mostDays = 1_000
  static let mostDayCounts = 1_000_000

  private let frame: ReportFrame
  private var scope: ReportScope { frame.scope }
  private var keys: [StoryKey] = []
  private var tallies: [StoryTally] = []
  private var places: [StoryKey: Int] = [:]
  private var total = StoryTally()
  private var days: LocalDays

  init(_ scope: ReportScope, _ connection: inout PostgresConnection) throws {
    frame = try ReportFrame(scope, &connection)
    days = LocalDays(scope.timeZone)
  }

  /// Reads and counts; once.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  consuming func report(
    _ order: StoriesOrder, limit: Int?, nowMicroseconds: Int64, _ connection: inout PostgresConnection
  ) throws -> StoriesReport {
    guard scope.countsDevices || (order.column != .devices && order.column != .deviceShare) else {
      throw ReportError.usage(
        "\(order.column.rawValue) are counted with --devices alone; add it, or sort by another column")
    }
    try readSessions(&connection)
    if tallies.isEmpty { try frame.requireStory(&connection) }
    let lost = try LostEvents(scope, appIDs: frame.appIDs, &connection)
    return try report(order, limit: limit, lost, nowMicroseconds: nowMicroseconds)
  }

  // MARK: Sessions

  private mutating func readSessions(_ connection: inout PostgresConnection) throws {
    var cohorts = CohortCache<(place: Int, hasSuspectClock: Bool)>()
    let columns: [SessionColumn] = [.appID, .context(.storyID), .hasSuspectClock]
    var stream = try SessionStream(
      scope, appIDs: frame.appIDs, columns: scope.countsDevices ? [.context(.deviceID)] + columns : columns)
    try stream.read(&connection) { session, _, row in
      guard session.isPresentation else { return }
      var rest = CopyRowReader(bytes: row.columns)
      let device = scope.countsDevices ? try rest.field().map { TextHash($0) } : nil
      let cohort = try cohorts.value(for: rest.remainder) { try self.cohort(rest.remainder) }
      let start = row.startedAtMicroseconds
      let day = days.date(atMicroseconds: start).dayNumber
      tallies[cohort.place].count(
        session, hasSuspectClock: cohort.hasSuspectClock, startedAtMicroseconds: start, day: day)
      total.count(session, hasSuspectClock: cohort.hasSuspectClock, startedAtMicroseconds: start, day: day)
      if scope.countsDevices { tallies[cohort.place].count(device: device) }
    }
  }

  private mutating func cohort(_ bytes: UnsafeRawBufferPointer) throws -> (place: Int, hasSuspectClock: Bool) {
    var row = CopyRowReader(bytes: bytes)
    let key = StoryKey(appID: try row.int32(), story: try row.text())
    return (try place(of: key), try row.flag())
  }

  private mutating func place(of key: StoryKey) throws(ReportError) -> Int {
    if let place = places[key] { return place }
    guard keys.count < Self.mostStories else {
      throw .usage(
        "there are more than \(Self.mostStories) stories here; narrow the report with --app, --where, --from and --to")
    }
    places[key] = keys.count
    keys.append(key)
    tallies.append(StoryTally())
    return keys.count - 1
  }

  // MARK: The report

  private mutating func report(
    _ order: StoriesOrder, limit: Int?, _ lost: LostEvents, nowMicroseconds: Int64
  ) throws(ReportError) -> StoriesReport {
    for tally in tallies { total.addDevices(tally) }
    let shown = shownDays
    let stories = zip(keys, tallies).map { key, tally in
      CountedStory(
        line: tally.line(
          app: frame.appName(key.appID), story: key.story, days: shown, countsDevices: scope.countsDevices, frame),
        firstStart: tally.firstStart, lastStart: tally.lastStart)
    }
    var report = StoriesReport(
      generatedAt: ReportFrame.generatedAt(nowMicroseconds), dataThrough: frame.dataThrough, scope: frame.funnelScope,
      coversAllApps: frame.appIDs == nil, stories: order.sorted(stories, minimumCount: scope.minimumCount),
      total: total.line(app: nil, story: nil, days: shown, countsDevices: scope.countsDevices, frame),
      days: shown?.map { CivilDate(dayNumber: $0).text } ?? [],
      explanation: keys.isEmpty ? frame.explanationOfNothing() : nil)
    lost.add(to: &report.total.counts.completeness)
    let faults = report.conservationFaults()
    guard faults.isEmpty else { throw .conservation(faults) }
    if let limit, report.stories.count > limit {
      report.hiddenStories = report.stories.count - limit
      report.stories.removeSubrange(limit...)
    }
    return report
  }

  /// From the first to the last day with a session, as many of the latest as a report can hold for each story.
  private var shownDays: ClosedRange<Int64>? {
    guard let all = total.days.days else { return nil }
    let most = min(Self.mostDays, max(62, Self.mostDayCounts / max(1, keys.count)))
    return max(all.lowerBound, all.upperBound - Int64(most) + 1)...all.upperBound
  }
}
