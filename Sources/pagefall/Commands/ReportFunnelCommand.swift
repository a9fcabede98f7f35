import ReportPages
import Reports

/// `pagefall report funnel`: page by page, who saw what, where they left, what they tapped (docs/metrics.md).
enum ReportFunnelCommand {
  static let compare = Option(
    "compare", takes: "previous", help: "beside the same length of time before --from; days with days")
  private typealias Printing = ReportPrinting<PrintedForm<FunnelFormat>>

  static let command = Command(
    "report", "funnel", summary: "Print the per-page funnel of a story",
    options: ScopeOptions.choosing + [
      ScopeOptions.order, ScopeOptions.by, ScopeOptions.top, ScopeOptions.devices, ScopeOptions.minimumCount, compare,
      Printing.format, ReportOutput.csvExact, ReportOutput.file,
    ],
    discussion: """
      A session belongs to the time of its start, all of it. Days are local days of --tz.
      docs/metrics.md says what each number means; every report says how complete it is.
      People open CSV by hand, and titles come from senders: so a ' stands before texts that begin with = + - @,
      a tab or a carriage return, which spreadsheets would run. --csv-exact leaves texts as they are.
      html is a page to look at, one file that needs nothing else (docs/pages.md).
      \(ScopeOptions.fieldHelp)
      """,
    examples: [
      "pagefall report funnel --story spring-sale --from 7d",
      "pagefall report funnel --from 30d --tz Europe/Berlin --by app_version",
      "pagefall report funnel --story spring-sale --from 7d --compare previous",
      "pagefall report funnel --story spring-sale --format json -o funnel.json",
      "pagefall report funnel --story spring-sale --format html -o funnel.html",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let now = invocation.environment.nowMicroseconds()
    let scope = try invocation.scope(nowMicroseconds: now)
    if try invocation.value(compare, as: "previous", { $0 == "previous" ? true : nil }) != nil {
      return try ComparisonRun.printPrevious(scope, now, invocation)
    }
    let printing = try Printing(invocation, standard: .text(.table))
    let funnel = try invocation.report { connection throws(ReportError) in
      try FunnelReporter.run(scope, on: &connection, nowMicroseconds: now)
    }
    try printing.write { form, style, isCSVSafe in
      switch form {
      case .text(let format): format.render(funnel, style: style, isCSVSafe: isCSVSafe)
      case .html: ReportPage.text(funnel)
      }
    }
    return .success
  }
}
