import Reports

/// `pagefall report rich-media`: a line a content code, how its presentations ended (docs/rich-media.md).
enum ReportRichMediaCommand {
  private typealias Printing = ReportPrinting<FunnelFormat>
  static let sort = Option(
    "sort", takes: "COLUMN",
    help: "by this column, the largest first; -COLUMN turns it round (default presentations)")
  static let limit = Option("limit", takes: "N", help: "show the first N content codes; the total has all")

  static let minimumCount = Option(
    "min-count", takes: "N", help: "hide the rates of content codes and groups with fewer presentations (default 1)")

  static let command = Command(
    "report", "rich-media", summary: "List the rich media in use and how they ended",
    options: ScopeOptions.choosingWithoutStory + [
      ScopeOptions.by, ScopeOptions.top, sort, limit, minimumCount, Printing.format,
      ReportOutput.csvExact, ReportOutput.file,
    ],
    discussion: """
      Each presentation ends once: failed, closed, still open or its end lost, waiting or the rest lost.
      Wait is from the first deferral to the presentation, open from there to the first closing, both medians.
      docs/rich-media.md says what each number means. A narrow terminal shows fewer columns; the other forms have all.
      Columns are \(RichMediaOrder.Column.allCases.map(\.rawValue).joined(separator: ", ")).
      \(ScopeOptions.fieldHelp)
      """,
    examples: [
      "pagefall report rich-media --from 30d",
      "pagefall report rich-media --by property:position --sort failed_rate",
      "pagefall report rich-media --where app_version=4.2.0 --format csv -o media.csv",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let now = invocation.environment.nowMicroseconds()
    let scope = try invocation.scope(nowMicroseconds: now)
    let printing = try Printing(invocation, standard: .table)
    let limit = try invocation.lineLimit(limit)
    let order = try invocation.lineOrder(sort, RichMediaOrder.init(argument:)) ?? RichMediaOrder()
    let richMedia = try invocation.report { connection throws(ReportError) in
      try RichMediaReporter.run(scope, order: order, limit: limit, on: &connection, nowMicroseconds: now)
    }
    try printing.write { $0.render(richMedia, style: $1, isCSVSafe: $2) }
    return .success
  }
}
