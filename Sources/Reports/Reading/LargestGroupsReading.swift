import Postgres
import SessionMetrics

/// Finds the largest of very many groups, exactly: reads the sessions of the scope and counts presentations alone.
struct LargestGroupsReading {
  private let frame: ReportFrame
  private let narrowing: SessionNarrowing
  private var grouping: SessionGrouping
  private var sizes = GroupSizes()

  /// - Parameter narrowing: where not all of the scope's sessions are read, each that is counts, whether it told a story or not.
  init(_ frame: ReportFrame, narrowing: SessionNarrowing = .all) {
    self.frame = frame
    self.narrowing = narrowing
    grouping = SessionGrouping(frame.scope)
  }

  /// Reads; once.
  ///
  /// - Throws: `ReportError`, `PostgresError`, `CopyRowReader.Damaged`.
  consuming func largest(_ most: Int, _ connection: inout PostgresConnection) throws -> LargestGroups {
    try read(&connection)
    return sizes.largest(most)
  }

  private mutating func read(_ connection: inout PostgresConnection) throws {
    let scope = frame.scope
    let column = Cohort.groupColumn(scope.groupBy)
    let isNarrowed = narrowing != .all
    let none = TextHash(StorySelection.noneText)
    var stream = try SessionStream(
      scope, appIDs: frame.appIDs, columns: [.appID, .hasSuspectClock] + (column.map { [$0] } ?? []),
      narrowing: narrowing)
    try stream.read(&connection) { session, _, row in
      guard isNarrowed || session.isPresentation else { return }
      // By the bytes as they came: there may be as many values as sessions.
      var columns = CopyRowReader(bytes: row.columns)
      let appID = try columns.int32()
      let number = grouping.number(
        of: session, startedAtMicroseconds: row.startedAtMicroseconds, hasSuspectClock: try columns.flag())
      let value: TextHash
      if let number {
        value = TextHash(number: number)
      } else if column != nil {
        value = try columns.field().map { TextHash($0) } ?? none
      } else {
        value = TextHash(frame.appName(appID))
      }
      try sizes.count(value, of: scope.groupBy)
    }
  }
}
