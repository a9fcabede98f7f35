import FunnelDocument
import Postgres
import SessionMetrics
import StoryEvents

/// A report of responses under way: reads the sessions of a scope that have a response and counts them (buttons §1).
struct ButtonsReading {
  /// The sessions that are read.
  static let narrowing = SessionNarrowing.holding([.notificationResponse])
  /// The most lines of buttons in all groups together: buttons without responses have lines too.
  static let mostLines = 1_000_000

  private let frame: ReportFrame
  private var scope: ReportScope { frame.scope }
  private var keys = ResponseKeys()
  private var total = ResponseTally()
  private var groups: ResponseGroups
  private var suspectClockSessions = 0
  private var firstStart = Int64.max
  private var lastStart = Int64.min

  /// What sessions with the same columns have in common.
  private struct ResponseCohort {
    var action: ResponseAction
    var category: Int
    var button: Int?
    var hasSuspectClock: Bool
    var group: Int?
  }

  init(_ scope: ReportScope, _ connection: inout PostgresConnection) throws {
    let frame = try ReportFrame(scope, &connection)
    // Where the largest are asked for they are found first: the buttons of every value of a field may be too many.
    let largest = try scope.mostGroups.map {
      try LargestGroupsReading(frame, narrowing: Self.narrowing).largest($0, &connection)
    }
    groups = ResponseGroups(scope, largest: largest)
    self.frame = frame
  }

  /// Reads and counts; once.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  consuming func report(
    _ order: ButtonsOrder, limit: Int?, nowMicroseconds: Int64, _ connection: inout PostgresConnection
  ) throws -> Buttons {
    do { try readSessions(&connection) } catch is GroupPlaces.TooMany {
      throw GroupPlaces.tooMany(scope.groupBy, choosesStory: false)
    }
    if firstStart == .max { try frame.requireStory(&connection) }
    let directory = try CategoryDirectory(keys, &connection)
    let lost = try LostEvents(scope, appIDs: frame.appIDs, &connection)
    var report = try report(directory, order, lost, nowMicroseconds: nowMicroseconds)
    if let limit { report.hideCategories(beyond: limit) }
    return Buttons(
      report: report, groupedBy: scope.groupBy?.name, coversAllApps: frame.appIDs == nil,
      observed: firstStart == .max
        ? nil : ObservedRange(first: frame.local(firstStart), last: frame.local(lastStart)),
      explanation: firstStart == .max
        ? frame.explanationOfNothing(
          narrowed: "No notification was answered here; widen --from, --to, --app or --where to see what there is.",
          empty: "No notification was answered yet: no notification_response has arrived (docs/buttons.md).") : nil)
  }

  // MARK: Sessions

  private mutating func readSessions(_ connection: inout PostgresConnection) throws {
    var cohorts = CohortCache<ResponseCohort?>()
    let columns: [SessionColumn] = [.appID, .responseAction, .responseCategory, .responseButton, .hasSuspectClock]
    let groupColumn = Cohort.groupColumn(scope.groupBy)
    var stream = try SessionStream(
      scope, appIDs: frame.appIDs, columns: columns + (groupColumn.map { [$0] } ?? []), narrowing: Self.narrowing)
    try stream.read(&connection) { session, _, row in
      guard let cohort = try cohorts.value(for: row.columns, make: { try self.cohort(row.columns) }) else { return }
      let response = CountedResponse(
        action: cohort.action, category: cohort.category, button: cohort.button,
        expectedEvents: session.expectedEvents, missingEvents: session.missingEvents)
      total.count(response)
      let start = row.startedAtMicroseconds
      let group =
        try cohort.group
        ?? groups.place(of: session, startedAtMicroseconds: start, hasSuspectClock: cohort.hasSuspectClock)
      try groups.count(response, at: group)
      if cohort.hasSuspectClock { suspectClockSessions += 1 }
      firstStart = min(firstStart, start)
      lastStart = max(lastStart, start)
    }
  }

  private mutating func cohort(_ bytes: UnsafeRawBufferPointer) throws -> ResponseCohort? {
    var row = CopyRowReader(bytes: bytes)
    let appID = try row.int32()
    guard let number = try row.field(), number.count == 4 else { return nil }
    guard
      let action = UInt8(exactly: Int32(bigEndian: number.loadUnaligned(as: Int32.self)))
        .flatMap(ResponseAction.init(rawValue:))
    else { throw CopyRowReader.Damaged() }
    let categoryID = try row.text().map(ByteText.init)
    let buttonID = try row.text()
    let hasSuspectClock = try row.flag()
    let group = row.remainder.isEmpty ? nil : try row.text()
    let category = try keys.place(of: ResponseKeys.Category(appID: appID, id: categoryID))
    var button: Int?
    if action == .button {
      button = try keys.place(of: ResponseKeys.Button(category: category, id: ByteText(buttonID ?? "")))
    }
    return ResponseCohort(
      action: action, category: category, button: button, hasSuspectClock: hasSuspectClock,
      group: try groups.place(named: scope.groupBy == .app ? frame.appName(appID) : group))
  }

  // MARK: The report

  private func report(
    _ directory: CategoryDirectory, _ order: ButtonsOrder, _ lost: LostEvents, nowMicroseconds: Int64
  ) throws(ReportError) -> ButtonsReport {
    var lineCount = 0
    func lines(_ tally: ResponseTally) throws(ReportError) -> [CategoryLine] {
      let lines = directory.lines(of: tally, keys, appName: frame.appName)
      lineCount += lines.reduce(0) { $0 + $1.buttons.count }
      guard lineCount <= Self.mostLines else {
        throw .usage(
          "the buttons of all groups are more than \(Self.mostLines) lines; show the largest groups with --top N, or "
            + "narrow the report with --app, --where, --from and --to")
      }
      return order.sorted(lines, minimumCount: scope.minimumCount)
    }
    let categories = try lines(total)
    var shown: [ButtonsGroup]?
    if let groups = groups.shown() {
      shown = []
      for (group, tally) in groups {
        shown?.append(
          ButtonsGroup(
            name: group.name, mergedGroups: group.mergedGroups, counts: tally.counts, categories: try lines(tally)))
      }
    }
    let report = ButtonsReport(
      generatedAt: ReportFrame.generatedAt(nowMicroseconds), dataThrough: frame.dataThrough, scope: frame.funnelScope,
      total: total.counts, categories: categories, groups: shown,
      losses: lost.losses(suspectClockSessions: suspectClockSessions))
    let faults = report.conservationFaults()
    guard faults.isEmpty else { throw .conservation(faults) }
    return report
  }
}

extension ButtonsReport {
  /// Leaves out the categories at the end, and says how many.
  fileprivate mutating func hideCategories(beyond limit: Int) {
    hiddenCategories = max(0, categories.count - limit)
    categories.removeLast(hiddenCategories)
    for place in (groups ?? []).indices {
      let hidden = max(0, (groups?[place].categories.count ?? 0) - limit)
      groups?[place].hiddenCategories = hidden
      groups?[place].categories.removeLast(hidden)
    }
  }
}
