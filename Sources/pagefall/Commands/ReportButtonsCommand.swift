import Reports

/// `pagefall report buttons`: a line a category and button, how notifications were answered (docs/buttons.md).
enum ReportButtonsCommand {
  private typealias Printing = ReportPrinting<FunnelFormat>
  static let sort = Option(
    "sort", takes: "COLUMN",
    help: "categories by this column, the largest first; -COLUMN turns it round (default responses)")
  static let limit = Option("limit", takes: "N", help: "show the first N categories; the total has all")
  static let minimumCount = Option(
    "min-count", takes: "N", help: "hide the rates of categories and groups with fewer responses (default 1)")

  static let command = Command(
    "report", "buttons", summary: "Show how notifications with buttons were answered",
    options: ScopeOptions.choosingWithoutStory + [
      ScopeOptions.by, ScopeOptions.top, sort, limit, minimumCount, Printing.format, ReportOutput.csvExact,
      ReportOutput.file,
    ],
    discussion: """
      Labels are those of `pagefall category import`. Shares are of all responses of the
      category, plain opens and dismissals included. With --by, the table shows how each
      group answered; json and csv have the buttons of each group.
      Columns are \(ButtonsOrder.Column.allCases.map(\.rawValue).joined(separator: ", ")).
      \(ScopeOptions.fieldHelp)
      """,
    examples: [
      "pagefall report buttons --app shop --from 30d", "pagefall report buttons --by app_version --format json",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let now = invocation.environment.nowMicroseconds()
    let scope = try invocation.scope(nowMicroseconds: now)
    let printing = try Printing(invocation, standard: .table)
    let limit = try invocation.lineLimit(limit)
    let order = try invocation.lineOrder(sort, ButtonsOrder.init(argument:)) ?? ButtonsOrder()
    let buttons = try invocation.report { connection throws(ReportError) in
      try ButtonsReporter.run(scope, order: order, limit: limit, on: &connection, nowMicroseconds: now)
    }
    try printing.write { format, style, isCSVSafe in format.render(buttons, style: style, isCSVSafe: isCSVSafe) }
    return .success
  }
}
