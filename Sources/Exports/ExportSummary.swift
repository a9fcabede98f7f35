/// What a run did, or would do.
package struct ExportSummary: Sendable {
  /// A day of the run.
  package struct Day: Sendable {
    /// `2026-11-29`.
    package var day: String
    /// 1 for a day's first set.
    package var revision: Int
    /// Sessions in the set; of a dry run by the account of changes.
    package var sessions: Int
    /// Events in the set; of a dry run by the account of changes.
    package var events: Int
    /// Rows by file; empty in a dry run.
    package var rows: [(content: ExportContent, rows: Int)] = []
    /// Why it was written anew, with the sessions and events that changed; empty for a first set.
    package var causes: [RevisionCause] = []
  }

  /// The days written, oldest first.
  package var days: [Day] = []
  /// Days that were looked at and had not changed.
  package var unchangedCount = 0
  /// Days that were left because the retention line removed events of them.
  package var keptCount = 0

  /// Of a run that has done nothing yet.
  package init() {}
}

/// How far a run is.
package struct ExportProgress: Sendable {
  /// The day under way, from 1.
  package var day: Int
  /// Days in all.
  package var dayCount: Int
  /// Events written so far.
  package var events: Int
  /// Events in all.
  package var eventCount: Int
}
