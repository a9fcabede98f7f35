import Foundation
import FunnelDocument
import Postgres

/// Writes sets of days.
package enum Exporter {
  /// Finds the days that are due, and writes a set of each; blocks until it is done.
  ///
  /// Each day is read in a read-only snapshot of its own. Memory does not grow with the number of events. Whatever ends the
  /// run, each day shows its old set or its new one.
  ///
  /// - Parameters:
  ///   - waits: whether to wait for another run in this directory.
  ///   - isDryRun: finds the days and writes nothing.
  ///   - note: gets a sentence for people, such as that it waits.
  ///   - progress: is called now and then.
  /// - Throws: `ExportError`.
  package static func run(
    _ request: ExportRequest, into places: ExportPlaces, waits: Bool, isDryRun: Bool,
    _ connection: inout PostgresConnection, note: (String) -> Void, progress: (ExportProgress) -> Void
  ) throws(ExportError) -> ExportSummary {
    try request.check()
    try places.check()
    let began = ContinuousClock.now
    // Opened first: that there is no place for it is better known before hours of work.
    let metrics =
      isDryRun ? nil : try places.metricsFile.map { (path) throws(ExportError) in try MetricsFile(path: path) }
    var run = try ExportRun(request, places, waits: waits, isDryRun: isDryRun, note: note, &connection)
    let summary = try run.writeDueDays(&connection, progress: progress)
    try metrics?.write(
      ExportFigures(summary, directory: places.directory, took: ContinuousClock.now - began, ended: Date()))
    return summary
  }

  /// The version of the numbers' definitions.
  static let definitions = FunnelReport.definitions
}

extension ExportFigures {
  fileprivate init(_ summary: ExportSummary, directory: String, took: Duration, ended: Date) {
    let parts = took.components
    var rows: [ExportContent: Int] = [:]
    for file in summary.days.flatMap(\.rows) { rows[file.content, default: 0] += file.rows }
    self.init(
      directory: directory, lastSuccessSeconds: ended.timeIntervalSince1970.rounded(),
      durationSeconds: Double(parts.seconds) + Double(parts.attoseconds) * 1e-18, daysWritten: summary.days.count,
      rows: rows)
  }
}
