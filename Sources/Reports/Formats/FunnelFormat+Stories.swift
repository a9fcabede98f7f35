extension FunnelFormat {
  /// The stories in this form, with a newline at its end.
  ///
  /// - Parameter isCSVSafe: of CSV, whether a `'` is put before texts that a spreadsheet would take for a formula.
  public func render(_ report: StoriesReport, style: TextStyle = TextStyle(), isCSVSafe: Bool = true) -> String {
    switch self {
    case .table: StoriesTable(report, style).text
    case .json: StoriesJSON(report).text
    case .csv: StoriesCSV(report, isSafe: isCSVSafe).text
    case .markdown: StoriesMarkdown(report).text
    }
  }
}
