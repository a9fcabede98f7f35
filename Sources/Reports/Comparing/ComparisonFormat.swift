/// The forms in which a comparison can be printed (`--format`).
public enum ComparisonFormat: String, CaseIterable, Sendable {
  /// For people, on a terminal.
  case table
  /// For programs: the form of metrics §6.
  case json
  /// For spreadsheets: a line a rate.
  case csv
  /// For issues, pages and chats.
  case markdown

  /// The comparison in this form, with a newline at its end.
  ///
  /// - Parameter isCSVSafe: of CSV, whether a `'` is put before texts that a spreadsheet would take for a formula.
  public func render(_ comparison: Comparison, style: TextStyle = TextStyle(), isCSVSafe: Bool = true) -> String {
    switch self {
    case .table: ComparisonTable(comparison, style).text
    case .json: comparison.json.printed()
    case .csv: ComparisonCSV(comparison, isSafe: isCSVSafe).text
    case .markdown: ComparisonMarkdown(comparison).text
    }
  }
}
