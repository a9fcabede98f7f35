/// The forms in which a quality report can be printed (`--format`).
public enum QualityFormat: String, CaseIterable, Sendable {
  /// For people, on a terminal.
  case table
  /// For programs: docs/quality.md §8.
  case json
  /// For spreadsheets: what was counted of sessions.
  case csv

  /// The report in this form, with a newline at its end.
  ///
  /// - Parameter isCSVSafe: of CSV, whether a `'` is put before texts that a spreadsheet would take for a formula.
  public func render(_ report: QualityReport, style: TextStyle = TextStyle(), isCSVSafe: Bool = true) -> String {
    switch self {
    case .table: QualityTable(report, style).text
    case .json: QualityJSON(report).text
    case .csv: QualityCSV(report, isSafe: isCSVSafe).text
    }
  }
}
