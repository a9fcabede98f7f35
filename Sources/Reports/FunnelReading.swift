import FunnelDocument
import Postgres
import SessionMetrics

/// One report under way: reads the sessions of a scope, counts them, and puts the numbers together.
struct FunnelReading {
  private let frame: ReportFrame
  private var scope: ReportScope { frame.scope }
  private var tallies: GroupedTallies
  private var environments = NameCounter<ByteText>(capacity: 100)
  private var stories = NameCounter<StoryKey>(capacity: 10_000)
  private var firstStart = Int64.max
  private var lastStart = Int64.min

  /// Where the sessions of a cohort are counted.
  private struct Places {
    var group: Int?
    var environment: Int?
    var story: Int?
    var hasSuspectClock: Bool
  }

  init(_ scope: ReportScope, _ connection: inout PostgresConnection) throws {
    frame = try ReportFrame(scope, &connection)
    tallies = GroupedTallies(scope)
  }

  /// Reads and counts; once.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  consuming func funnel(nowMicroseconds: Int64, _ connection: inout PostgresConnection) throws -> Funnel {
    try countSessions(&connection)
    if firstStart == .max { try frame.requireStory(&connection) }
    let countedStories = stories.sorted { left, right in
      let names = (left.story ?? "", right.story ?? "")
      return names.0.isSameBytes(as: names.1) ? left.appID < right.appID : names.0.precedes(names.1)
    }
    let directory = try readPages(countedStories.map(\.name), &connection)
    let lost = try LostEvents(scope, appIDs: frame.appIDs, &connection)
    let report = try report(directory.pages, lost, nowMicroseconds: nowMicroseconds)
    return Funnel(
      report: report, groupedBy: scope.groupBy?.name, coversAllApps: frame.appIDs == nil,
      environments: environments.sorted(by: <).map { CountedName(name: $0.name.text, sessions: $0.sessions) },
      stories: countedStories.map {
        StoryCount(app: frame.appName($0.name.appID), story: $0.name.story, sessions: $0.sessions)
      },
      otherStorySessions: stories.otherCount, pageChanges: directory.changes,
      observed: firstStart == .max
        ? nil
        : ObservedRange(first: frame.local(firstStart), last: frame.local(lastStart)),
      explanation: report.total.presentations == 0 ? frame.explanationOfNothing() : nil)
  }

  // MARK: Sessions

  private mutating func countSessions(_ connection: inout PostgresConnection) throws {
    guard let most = scope.mostGroups else {
      do { return try readSessions(&connection) } catch is GroupPlaces.TooMany {
        throw GroupPlaces.tooMany(scope.groupBy)
      }
    }
    // Where there are more groups than can be counted at once, the largest are found first. What is broken off fails a
    // transaction, up to the savepoint.
    try connection.execute("SAVEPOINT all_groups")
    do { return try readSessions(&connection) } catch is GroupPlaces.TooMany {
      try connection.execute("ROLLBACK TO SAVEPOINT all_groups")
    }
    tallies = GroupedTallies(scope, largest: try LargestGroupsReading(frame).largest(most, &connection))
    environments = NameCounter(capacity: environments.capacity)
    stories = NameCounter(capacity: stories.capacity)
    (firstStart, lastStart) = (.max, .min)
    try readSessions(&connection)
  }

  private mutating func readSessions(_ connection: inout PostgresConnection) throws {
    var cohorts = CohortCache<Places>()
    let columns = Cohort.columns(groupedBy: scope.groupBy)
    var stream = try SessionStream(
      scope, appIDs: frame.appIDs, columns: scope.countsDevices ? [.context(.deviceID)] + columns : columns)
    try stream.read(&connection) { session, _, row in
      guard session.isPresentation else { return }
      var rest = CopyRowReader(bytes: row.columns)
      let device = scope.countsDevices ? try rest.field().map { TextHash($0) } : nil
      let places = try cohorts.value(for: rest.remainder) { try self.places(of: Cohort(rest.remainder)) }
      let group =
        try places.group
        ?? tallies.place(
          of: session, startedAtMicroseconds: row.startedAtMicroseconds, hasSuspectClock: places.hasSuspectClock)
      tallies.count(session, hasSuspectClock: places.hasSuspectClock, device: device, at: group)
      firstStart = min(firstStart, row.startedAtMicroseconds)
      lastStart = max(lastStart, row.startedAtMicroseconds)
      guard session.isStorySession else { return }
      environments.count(at: places.environment)
      stories.count(at: places.story)
    }
  }

  private mutating func places(of cohort: Cohort) throws -> Places {
    Places(
      group: try tallies.place(named: scope.groupBy == .app ? frame.appName(cohort.appID) : cohort.group),
      environment: environments.place(of: ByteText(cohort.environment ?? StorySelection.noneText)),
      story: stories.place(of: StoryKey(appID: cohort.appID, story: cohort.storyID)),
      hasSuspectClock: cohort.hasSuspectClock)
  }

  // MARK: The report

  /// What the pages look like, where the report is about one story.
  private func readPages(
    _ counted: [StoryKey], _ connection: inout PostgresConnection
  ) throws(PostgresError) -> PageDirectory {
    let story: String?
    switch scope.story {
    case .named(let name): story = name
    case .withoutStory: story = nil
    case .all:
      guard let first = counted.first, counted.allSatisfy({ $0 == StoryKey(appID: $0.appID, story: first.story) })
      else { return .nothing }
      story = first.story
    }
    return try PageDirectory(ofStory: story, appIDs: frame.appIDs, scope, &connection)
  }

  private func report(
    _ pages: [Int: PageDirectory.Page], _ lost: LostEvents, nowMicroseconds: Int64
  ) throws(ReportError) -> FunnelReport {
    let titles = pages.compactMapValues(\.title)
    var total = tallies.total().counts(titles: titles)
    total.setLinks(of: pages)
    lost.add(to: &total.completeness)
    var groups = tallies.groups(titles: titles)
    if scope.groupBy == .app, let named = groups {
      groups = named.map { group in
        var group = group
        lost.add(to: &group.counts.completeness) {
          frame.apps.names[$0]?.isSameBytes(as: group.name) ?? false
        }
        return group
      }
    }
    for place in (groups ?? []).indices { groups?[place].counts.setLinks(of: pages) }
    let report = FunnelReport(
      generatedAt: ReportFrame.generatedAt(nowMicroseconds), dataThrough: frame.dataThrough, scope: frame.funnelScope,
      total: total, devices: tallies.totalDevices(), groups: groups)
    let faults = report.conservationFaults()
    guard faults.isEmpty else { throw .conservation(faults) }
    return report
  }
}

extension FunnelCounts {
  /// Says where the buttons of pages lead.
  fileprivate mutating func setLinks(of pages: [Int: PageDirectory.Page]) {
    for place in self.pages.indices { self.pages[place].link = pages[place]?.link }
  }
}
