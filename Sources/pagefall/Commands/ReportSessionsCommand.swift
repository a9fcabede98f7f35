import Reports

/// `pagefall report sessions`: which sessions there are, a line a session (docs/why.md).
enum ReportSessionsCommand {
  static let limit = Option(
    "limit", takes: "N", help: "sessions at the most, 1 to \(SessionFinder.mostSessions) (default 20)")
  static let oldest = Option("oldest", help: "the oldest start first, rather than the newest")

  static let command = Command(
    "report", "sessions", summary: "Find sessions, a line each",
    options: ScopeOptions.choosing + [limit, oldest, ReportPrinting<SessionListFormat>.format, ReportOutput.file],
    discussion: """
      The newest start first. Events are those stored, after a / those expected; pages are those shown, after a / those
      of the story (? without a start). `pagefall report session` shows one as a timeline. \(ScopeOptions.fieldHelp)
      """,
    examples: [
      "pagefall report sessions --where finished=no,missing_events=yes --from 7d",
      "pagefall report sessions --where app_version=4.2.0 --limit 100 --format csv",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let scope = try invocation.scope(nowMicroseconds: invocation.environment.nowMicroseconds())
    let limit =
      try invocation.value(
        limit, as: "a number from 1 to \(SessionFinder.mostSessions)",
        { ValueParser.integer($0, in: 1...SessionFinder.mostSessions) }) ?? 20
    let isOldestFirst = try invocation.flag(oldest)
    let printing = try ReportPrinting<SessionListFormat>(invocation, standard: .table)
    let list = try invocation.report { connection throws(ReportError) in
      try SessionFinder.run(scope, limit: limit, isOldestFirst: isOldestFirst, on: &connection)
    }
    try printing.write { format, style, _ in format.render(list, style: style) }
    return .success
  }
}
