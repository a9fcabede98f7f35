import FunnelDocument
import LocalTime
import Postgres
import SessionMetrics

/// One report under way: reads the sessions of a scope, counts them, and puts the numbers together.
struct FunnelReading {
  private let scope: ReportScope
  private let apps: AppDirectory
  /// The apps of the scope; nil for all.
  private let appIDs: [Int32]?
  private var tallies: GroupedTallies
  private var environments = NameCounter<String>(capacity: 100)
  private var stories = NameCounter<StoryKey>(capacity: 10_000)
  private var firstStart = Int64.max
  private var lastStart = Int64.min

  /// A story of an app. Stories are told apart by their bytes, as in the database.
  private struct StoryKey: Hashable {
    var appID: Int32
    var story: String?

    static func == (left: StoryKey, right: StoryKey) -> Bool {
      left.appID == right.appID && left.story.map { Array($0.utf8) } == right.story.map { Array($0.utf8) }
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(appID)
      hasher.combine(story.map { Array($0.utf8) })
    }
  }

  /// Where the sessions of a cohort are counted.
  private struct Places {
    var group: Int?
    var environment: Int?
    var story: Int?
    var hasSuspectClock: Bool
  }

  init(_ scope: ReportScope, _ connection: inout PostgresConnection) throws {
    self.scope = scope
    apps = try AppDirectory(&connection)
    appIDs = try apps.numbers(of: scope)
    tallies = GroupedTallies(scope)
  }

  /// Reads and counts; once.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  consuming func funnel(nowMicroseconds: Int64, _ connection: inout PostgresConnection) throws -> Funnel {
    try readSessions(&connection)
    if firstStart == .max, case .named(let story) = scope.story {
      try StoryDirectory.requireStory(story, appIDs: appIDs, &connection)
    }
    let countedStories = stories.sorted { ($0.story ?? "", $0.appID) < ($1.story ?? "", $1.appID) }
    let titles = try readTitles(countedStories.map(\.name), &connection)
    let lost = try LostEvents(scope, appIDs: appIDs, &connection)
    let report = try report(titles: titles, lost, nowMicroseconds: nowMicroseconds)
    return Funnel(
      report: report, groupedBy: scope.groupBy?.name, coversAllApps: appIDs == nil,
      environments: environments.sorted(by: <).map { CountedName(name: $0.name, sessions: $0.sessions) },
      stories: countedStories.map {
        StoryCount(app: apps.names[$0.name.appID] ?? "(removed)", story: $0.name.story, sessions: $0.sessions)
      },
      otherStorySessions: stories.otherCount,
      observed: firstStart == .max
        ? nil
        : ObservedRange(
          first: TimestampText.rfc3339(firstStart, in: scope.timeZone),
          last: TimestampText.rfc3339(lastStart, in: scope.timeZone)),
      explanation: report.total.presentations == 0 ? explanation(of: report.scope) : nil)
  }

  // MARK: Sessions

  private mutating func readSessions(_ connection: inout PostgresConnection) throws {
    var history = SessionHistory()
    var judge = SessionJudge()
    var cohorts = CohortCache<Places>()
    let access = try SessionAccess(for: scope, appIDs: appIDs, &connection)
    let sql = try SessionQuery.sql(scope, appIDs: appIDs, access)
    // A scope with few sessions among very many may take long to find the first.
    try connection.copyOut(sql, timeout: .seconds(600)) { message in
      guard let row = try FunnelRow(message: message, into: &history) else { return }
      judge.judge(history)
      guard judge.session.isPresentation else { return }
      let places = try cohorts.value(for: row.cohort) { try self.places(of: Cohort(row.cohort)) }
      let group = try places.group ?? tallies.place(startedAtMicroseconds: row.startedAtMicroseconds)
      tallies.count(judge.session, hasSuspectClock: places.hasSuspectClock, at: group)
      firstStart = min(firstStart, row.startedAtMicroseconds)
      lastStart = max(lastStart, row.startedAtMicroseconds)
      guard judge.session.isStorySession else { return }
      environments.count(at: places.environment)
      stories.count(at: places.story)
    }
  }

  private mutating func places(of cohort: Cohort) throws -> Places {
    Places(
      group: try tallies.place(named: scope.groupBy == .app ? apps.names[cohort.appID] : cohort.group),
      environment: environments.place(of: cohort.environment ?? StorySelection.noneText),
      story: stories.place(of: StoryKey(appID: cohort.appID, story: cohort.storyID)),
      hasSuspectClock: cohort.hasSuspectClock)
  }

  // MARK: The report

  /// The titles of the pages, where the report is about one story.
  private func readTitles(
    _ counted: [StoryKey], _ connection: inout PostgresConnection
  ) throws(PostgresError) -> [Int: String] {
    let story: String?
    switch scope.story {
    case .named(let name): story = name
    case .withoutStory: story = nil
    case .all:
      guard let first = counted.first, counted.allSatisfy({ $0 == StoryKey(appID: $0.appID, story: first.story) })
      else { return [:] }
      story = first.story
    }
    return try StoryDirectory.titles(ofStory: story, appIDs: appIDs, &connection)
  }

  private func report(
    titles: [Int: String], _ lost: LostEvents, nowMicroseconds: Int64
  ) throws(ReportError) -> FunnelReport {
    var total = tallies.total().counts(titles: titles)
    lost.add(to: &total.completeness)
    var groups = tallies.groups(titles: titles)
    if scope.groupBy == .app, let named = groups {
      groups = named.map { group in
        var group = group
        lost.add(to: &group.counts.completeness) {
          apps.names[$0]?.utf8.elementsEqual(group.name.utf8) ?? false
        }
        return group
      }
    }
    let zone = scope.timeZone
    let appNames = appIDs.map { $0.compactMap { apps.names[$0] } } ?? Array(apps.names.values)
    let report = FunnelReport(
      generatedAt: TimestampText.rfc3339(nowMicroseconds / 1_000_000 * 1_000_000, in: .utc),
      dataThrough: apps.dataThroughMicroseconds.map { TimestampText.rfc3339($0, in: .utc) },
      scope: FunnelScope(
        apps: appNames.sorted(), story: scope.story.name,
        from: scope.range.fromMicroseconds.map { TimestampText.rfc3339($0, in: zone) },
        to: scope.range.toMicroseconds.map { TimestampText.rfc3339($0, in: zone) }, timeZone: zone.name,
        order: scope.order, minimumCount: scope.minimumCount),
      total: total, groups: groups)
    let faults = report.conservationFaults()
    guard faults.isEmpty else { throw .conservation(faults) }
    return report
  }

  private func explanation(of scope: FunnelScope) -> String {
    if apps.names.isEmpty { return "No app has sent anything yet." }
    if apps.dataThroughMicroseconds == nil { return "No event has arrived yet." }
    let isNarrowed = self.scope.story != .all || scope.from != nil || scope.to != nil || !self.scope.apps.isEmpty
    return isNarrowed
      ? "No story was shown here; widen --from, --to, --story or --app to see what there is."
      : "No story was shown yet."
  }
}
