import FunnelDocument

extension FunnelFormat {
  /// Rich media in this form, with a newline at its end.
  ///
  /// - Parameter isCSVSafe: of CSV, whether a `'` is put before texts that a spreadsheet would take for a formula.
  public func render(_ richMedia: RichMedia, style: TextStyle = TextStyle(), isCSVSafe: Bool = true) -> String {
    switch self {
    case .table: RichMediaTable(richMedia, style).text
    case .json: Self.json(richMedia)
    case .csv: RichMediaCSV(richMedia, isSafe: isCSVSafe).text
    case .markdown: RichMediaMarkdown(richMedia).text
    }
  }

  /// The form of docs/rich-media.md, with the field that groups are made by as a further key.
  private static func json(_ richMedia: RichMedia) -> String {
    var report = richMedia.report
    if let groupedBy = richMedia.groupedBy {
      report.additionalMembers.append(JSONMember("grouped_by", .string(groupedBy)))
    }
    return report.json.printed()
  }
}
