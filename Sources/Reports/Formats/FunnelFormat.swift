import FunnelDocument

/// The forms in which a funnel can be printed (`--format`).
public enum FunnelFormat: String, CaseIterable, Sendable {
  /// For people, on a terminal.
  case table
  /// For programs: the form of metrics §5.
  case json
  /// For spreadsheets.
  case csv
  /// For issues, pages and chats.
  case markdown

  /// The funnel in this form, with a newline at its end.
  ///
  /// - Parameter isCSVSafe: of CSV, whether a `'` is put before texts that a spreadsheet would take for a formula.
  public func render(_ funnel: Funnel, style: TextStyle = TextStyle(), isCSVSafe: Bool = true) -> String {
    switch self {
    case .table: FunnelTable(funnel, style).text
    case .json: FunnelJSON(funnel).text
    case .csv: FunnelCSV(funnel, isSafe: isCSVSafe).text
    case .markdown: FunnelMarkdown(funnel).text
    }
  }
}

/// What a form for people may use.
public struct TextStyle: Sendable, Equatable {
  /// How wide lines may be, in columns of a terminal.
  public var columns: Int
  /// Whether colours are wanted: never where they are not seen (`NO_COLOR`, no terminal).
  public var usesColor: Bool

  /// Makes a style; 80 columns without colours unless said otherwise.
  public init(columns: Int = 80, usesColor: Bool = false) {
    self.columns = columns
    self.usesColor = usesColor
  }

  /// The columns to lay a table out for: beyond some widths it only becomes harder to read, below others it cannot be laid
  /// out.
  func columns(within useful: ClosedRange<Int>) -> Int { min(max(columns, useful.lowerBound), useful.upperBound) }
}
