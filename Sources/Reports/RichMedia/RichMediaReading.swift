import FunnelDocument
import Postgres
import SessionMetrics
import StoryEvents

/// A report of rich media under way: reads the sessions of a scope that have such events, and counts them.
struct RichMediaReading {
  /// The sessions that are read.
  static let narrowing = SessionNarrowing.holding([
    .richMediaDeferred, .richMediaPresented, .richMediaClosed, .richMediaFailed,
  ])

  private let frame: ReportFrame
  private var scope: ReportScope { frame.scope }
  private var groups: GroupPlaces
  private var cells = RichMediaCells()
  private var suspectClockSessions = 0
  private var firstStart = Int64.max
  private var lastStart = Int64.min

  /// Where sessions that count alike are counted.
  private struct Places {
    var content: Int
    /// Nil where each session has to be asked.
    var group: Int?
    var hasSuspectClock: Bool
  }

  init(_ scope: ReportScope, _ connection: inout PostgresConnection) throws {
    let frame = try ReportFrame(scope, &connection)
    // Where the largest are asked for they are found first: a content code of every value of a field may be too many.
    let largest = try scope.mostGroups.map {
      try LargestGroupsReading(frame, narrowing: Self.narrowing).largest($0, &connection)
    }
    groups = GroupPlaces(scope, largest: largest)
    self.frame = frame
  }

  /// Reads and counts; once.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  consuming func report(
    _ order: RichMediaOrder, limit: Int?, nowMicroseconds: Int64, _ connection: inout PostgresConnection
  ) throws -> RichMedia {
    do { try readSessions(&connection) } catch is GroupPlaces.TooMany {
      throw GroupPlaces.tooMany(scope.groupBy, choosesStory: false)
    }
    if firstStart == .max { try frame.requireStory(&connection) }
    let lost = try LostEvents(scope, appIDs: frame.appIDs, &connection)
    let report = try report(order, limit: limit, lost, nowMicroseconds: nowMicroseconds)
    return RichMedia(
      report: report, groupedBy: scope.groupBy?.name, coversAllApps: frame.appIDs == nil,
      observed: firstStart == .max
        ? nil : ObservedRange(first: frame.local(firstStart), last: frame.local(lastStart)),
      explanation: firstStart == .max
        ? frame.explanationOfNothing(
          narrowed: "No rich media was presented here; widen --from, --to, --app or --where to see what there is.",
          empty: "No rich media was presented yet: no rich_media event has arrived (docs/rich-media.md).") : nil)
  }

  // MARK: Sessions

  private mutating func readSessions(_ connection: inout PostgresConnection) throws {
    var cohorts = CohortCache<Places>()
    let columns: [SessionColumn] = [.property(AutoCloseTimer.property), .appID, .hasSuspectClock, .contentCode]
    let groupColumn = Cohort.groupColumn(scope.groupBy)
    var stream = try SessionStream(
      scope, appIDs: frame.appIDs, columns: columns + (groupColumn.map { [$0] } ?? []), narrowing: Self.narrowing)
    try stream.read(&connection) { session, history, row in
      var rest = CopyRowReader(bytes: row.columns)
      let timer = AutoCloseTimer.seconds(try rest.text())
      guard let presentation = RichMediaPresentation(history.events, autoCloseSeconds: timer) else { return }
      let places = try cohorts.value(for: rest.remainder) {
        try self.places(rest.remainder, hasGroup: groupColumn != nil)
      }
      let start = row.startedAtMicroseconds
      let group =
        try places.group
        ?? groups.place(of: session, startedAtMicroseconds: start, hasSuspectClock: places.hasSuspectClock)
      try cells.count(presentation, content: places.content, group: group)
      if places.hasSuspectClock { suspectClockSessions += 1 }
      firstStart = min(firstStart, start)
      lastStart = max(lastStart, start)
    }
  }

  private mutating func places(_ bytes: UnsafeRawBufferPointer, hasGroup: Bool) throws -> Places {
    var row = CopyRowReader(bytes: bytes)
    let appID = try row.int32()
    let hasSuspectClock = try row.flag()
    let code = try row.text() ?? ""
    let group = hasGroup ? try row.text() : nil
    return Places(
      content: try cells.place(of: ContentKey(appID: appID, code: ByteText(code))),
      group: try groups.place(named: scope.groupBy == .app ? frame.appName(appID) : group),
      hasSuspectClock: hasSuspectClock)
  }

  // MARK: The report

  private func report(
    _ order: RichMediaOrder, limit: Int?, _ lost: LostEvents, nowMicroseconds: Int64
  ) throws(ReportError) -> RichMediaReport {
    let byContent = cells.byContent()
    var report = RichMediaReport(
      generatedAt: ReportFrame.generatedAt(nowMicroseconds), dataThrough: frame.dataThrough, scope: frame.funnelScope,
      total: sum(byContent).counts, contents: lines(byContent, order), groups: groups(order),
      losses: lost.losses(suspectClockSessions: suspectClockSessions))
    let faults = report.conservationFaults()
    guard faults.isEmpty else { throw .conservation(faults) }
    if let limit { report.keepFirst(limit) }
    return report
  }

  private func groups(_ order: RichMediaOrder) -> [RichMediaGroup]? {
    let sizes = cells.presentationsByGroup
    guard let shown = groups.shown(size: { sizes[$0] ?? 0 }) else { return nil }
    return zip(shown, cells.byGroup(shown.map(\.places))).map { group, contents in
      RichMediaGroup(
        name: group.name, mergedGroups: group.mergedGroups, counts: sum(contents).counts,
        contents: lines(contents, order))
    }
  }

  private func sum(_ contents: [(content: Int, tally: RichMediaTally)]) -> RichMediaTally {
    var sum = RichMediaTally()
    for content in contents { sum.add(content.tally) }
    return sum
  }

  private func lines(
    _ contents: [(content: Int, tally: RichMediaTally)], _ order: RichMediaOrder
  ) -> [RichMediaLine] {
    order.sorted(
      contents.map { place, tally in
        let key = cells.contents[place]
        return RichMediaLine(app: frame.appName(key.appID), contentCode: key.code.text, counts: tally.counts)
      }, minimumCount: scope.minimumCount)
  }
}

extension RichMediaReport {
  /// Leaves out lines at the end.
  fileprivate mutating func keepFirst(_ limit: Int) {
    hiddenContents = max(0, contents.count - limit)
    contents.removeLast(hiddenContents)
    for place in (groups ?? []).indices {
      let hidden = max(0, (groups?[place].contents.count ?? 0) - limit)
      groups?[place].hiddenContents = hidden
      groups?[place].contents.removeLast(hidden)
    }
  }
}
