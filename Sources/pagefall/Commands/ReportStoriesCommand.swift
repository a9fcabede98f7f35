import ReportPages
import Reports

/// `pagefall report stories`: a line a story, what is in use and how it does (docs/reports.md).
enum ReportStoriesCommand {
  private typealias Printing = ReportPrinting<PrintedForm<FunnelFormat>>
  static let sort = Option(
    "sort", takes: "COLUMN",
    help: "by this column, the largest or newest first; -COLUMN turns it round (default sessions)")
  static let limit = Option("limit", takes: "N", help: "show the first N stories; the total has all")

  static let command = Command(
    "report", "stories", summary: "List the stories in use with their rates",
    options: ScopeOptions.choosing + [
      sort, limit, ScopeOptions.devices, ScopeOptions.minimumCount, Printing.format, ReportOutput.csvExact,
      ReportOutput.file,
    ],
    discussion: """
      Pictures show the sessions of each local day of --tz; the JSON form has their numbers.
      A narrow terminal shows fewer columns; json, csv and markdown have all.
      Columns are \(StoriesOrder.Column.allCases.map(\.rawValue).joined(separator: ", ")).
      \(ScopeOptions.fieldHelp)
      """,
    examples: [
      "pagefall report stories --from 30d",
      "pagefall report stories --sort completion_rate --min-count 100",
      "pagefall report stories --where 'locale=de_DE|de_AT' --devices --format json",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let now = invocation.environment.nowMicroseconds()
    let scope = try invocation.scope(nowMicroseconds: now)
    let printing = try Printing(invocation, standard: .text(.table))
    let limit = try invocation.lineLimit(limit)
    let order = try invocation.lineOrder(sort, StoriesOrder.init(argument:)) ?? StoriesOrder()
    let report = try invocation.report { connection throws(ReportError) in
      try StoriesReporter.run(scope, order: order, limit: limit, on: &connection, nowMicroseconds: now)
    }
    try printing.write { form, style, isCSVSafe in
      switch form {
      case .text(let format): format.render(report, style: style, isCSVSafe: isCSVSafe)
      case .html: ReportPage.text(report)
      }
    }
    return .success
  }
}
