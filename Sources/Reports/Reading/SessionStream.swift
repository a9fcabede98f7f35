import Postgres
import SessionMetrics

/// Streams the sessions of a scope out of PostgreSQL, judged one by one: what every report stands on.
package struct SessionStream {
  private let sql: String
  private let columnCount: Int
  private var chooser: SessionChooser

  /// Prepares the reading.
  ///
  /// - Parameters:
  ///   - appIDs: the apps of the scope; nil for all.
  ///   - columns: what is asked of each session beside its history and its start.
  ///   - narrowing: which of the scope's sessions.
  /// - Throws: `.usage` where a text of the scope cannot stand in SQL.
  package init(
    _ scope: ReportScope, appIDs: [Int32]?, columns: [SessionColumn], narrowing: SessionNarrowing = .all
  ) throws(PostgresError) {
    sql = try SessionQuery.sql(scope, appIDs: appIDs, columns: columns, narrowing: narrowing)
    columnCount = columns.count
    chooser = SessionChooser(scope)
  }

  /// Reads every session of the scope, in no promised order. Memory does not grow with their number.
  ///
  /// - Parameter body: gets each session with its row; the row's bytes are only good until it returns. Sessions that are no
  ///   presentations come as well.
  /// - Throws: `PostgresError`, `CopyRowReader.Damaged`, and what `body` throws.
  package mutating func read(
    _ connection: inout PostgresConnection,
    _ body: (_ session: borrowing JudgedSession, _ history: borrowing SessionHistory, _ row: SessionRow) throws -> Void
  ) throws {
    var history = SessionHistory()
    var judge = SessionJudge()
    var chooser = chooser
    let columnCount = columnCount
    // A scope with few sessions among very many may take long to find the first.
    try connection.copyOut(sql, timeout: .seconds(600)) { message in
      guard let row = try SessionRow(message: message, columnCount: columnCount, into: &history) else { return }
      judge.judge(history)
      guard chooser.accepts(judge.session, startedAtMicroseconds: row.startedAtMicroseconds) else { return }
      try body(judge.session, history, row)
    }
  }
}
