import LocalTime
import Reports

/// `pagefall report compare`: two groups of sessions side by side, and what can be concluded (docs/comparing.md).
enum ReportCompareCommand {
  static let a = Option("a", takes: "FILTER", help: "what is compared with: FIELD=VALUE, from=TIME, to=TIME, by commas")
  static let b = Option("b", takes: "FILTER", help: "what is compared; differences are B − A")

  static let command = Command(
    "report", "compare", summary: "Compare two groups of sessions",
    options: [a, b] + ScopeOptions.choosing + [
      ScopeOptions.order, ScopeOptions.minimumCount, ComparisonRun.Printing.format, ReportOutput.csvExact,
      ReportOutput.file,
    ],
    discussion: """
      The other options hold for both sides, unless a side says otherwise of the same field or time.
      Each rate comes with its difference, the 95% interval of that, its p-value, and the p-value adjusted by Holm's
      method over all of the report. Sides should exclude each other; what is on both is counted and said.
      \(ScopeOptions.fieldHelp)
      """,
    examples: [
      "pagefall report compare --a story=sale --b 'story=sale-2,from=2026-11-01'",
      "pagefall report compare --a app_version=4.1.3 --b 'app_version=4.2.0|4.2.1'",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let now = invocation.environment.nowMicroseconds()
    let sides = ComparedSides(common: try invocation.scope(nowMicroseconds: now), nowMicroseconds: now, invocation)
    return try ComparisonRun.print(a: try sides.side(a), b: try sides.side(b), now, invocation)
  }
}
