import Reports

/// `pagefall report quality`: how far the numbers can be trusted (docs/quality.md).
enum ReportQualityCommand {
  static let command = Command(
    "report", "quality", summary: "Say how far the numbers can be trusted, and why",
    options: ScopeOptions.choosing + [
      ReportPrinting<QualityFormat>.format, ReportOutput.csvExact, ReportOutput.file,
    ],
    discussion: """
      What makes numbers doubtful, worst first: events that never arrived, by app version and
      day; sessions without a start; clocks; duplicates; rejected events; fallbacks; how long
      events take to arrive; and how complete yesterday is likely to be by now. The same
      options choose the same sessions as in report funnel: all time unless said otherwise.
      docs/quality.md says what each number means. Exits 0 whatever is found.
      \(ScopeOptions.fieldHelp)
      """,
    examples: [
      "pagefall report quality --from 30d --tz Europe/Berlin",
      "pagefall report quality --app shop --story spring-sale --from 2026-11-01",
      "pagefall report quality --from 7d --format json -o quality.json",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let now = invocation.environment.nowMicroseconds()
    let scope = try invocation.scope(nowMicroseconds: now)
    let printing = try ReportPrinting<QualityFormat>(invocation, standard: .table)
    let report = try invocation.report { connection throws(ReportError) in
      try QualityReporter.run(scope, on: &connection, nowMicroseconds: now)
    }
    try printing.write { format, style, isCSVSafe in format.render(report, style: style, isCSVSafe: isCSVSafe) }
    return .success
  }
}
