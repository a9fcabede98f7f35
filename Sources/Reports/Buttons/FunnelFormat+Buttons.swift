import FunnelDocument

extension FunnelFormat {
  /// The answers to notifications in this form, with a newline at its end.
  ///
  /// - Parameter isCSVSafe: of CSV, whether a `'` is put before texts that a spreadsheet would take for a formula.
  public func render(_ buttons: Buttons, style: TextStyle = TextStyle(), isCSVSafe: Bool = true) -> String {
    switch self {
    case .table: ButtonsTable(buttons, style).text
    case .json: Self.json(buttons)
    case .csv: ButtonsCSV(buttons, isSafe: isCSVSafe).text
    case .markdown: ButtonsMarkdown(buttons).text
    }
  }

  /// The form of docs/buttons.md, with the field that groups are made by as a further key.
  private static func json(_ buttons: Buttons) -> String {
    var report = buttons.report
    if let groupedBy = buttons.groupedBy {
      report.additionalMembers.append(JSONMember("grouped_by", .string(groupedBy)))
    }
    return report.json.printed()
  }
}
