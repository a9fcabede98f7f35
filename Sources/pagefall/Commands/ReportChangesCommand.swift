import Exports
import LocalTime
import Postgres
import Reports

/// `pagefall report changes`: when and why the events of a day changed, so that nobody wonders why an export has a second
/// revision.
enum ReportChangesCommand {
  static let day = Option("day", takes: "DAY", help: "a date, today, yesterday or 7d (default yesterday)")

  static let command = Command(
    "report", "changes", summary: "Show when and why the events of a day changed",
    options: [
      day, CommonOptions.timeZone, ScopeOptions.app, ReportPrinting<ChangeHistoryFormat>.format,
      ReportOutput.file,
    ],
    discussion: """
      A line an hour and reason: events stored, rejections replayed, context filled in, sessions
      erased, or removed by retention. The day is that of the sessions' start, the hour that of
      the change.
      """,
    examples: ["pagefall report changes --day 2026-11-29 --tz Europe/Berlin"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let printing = try ReportPrinting<ChangeHistoryFormat>(invocation, standard: .table)
    let zone = try invocation.timeZone()
    let date = try invocation.day(invocation.value(day) ?? "yesterday", in: zone)
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    let history: ChangeHistory
    do {
      history = try ChangeHistory(of: date, in: zone, apps: invocation.list(ScopeOptions.app), &connection)
    } catch {
      throw ExportFailure.commandError(error)
    }
    try printing.write { format, _, _ in format.render(history) }
    return .success
  }
}
