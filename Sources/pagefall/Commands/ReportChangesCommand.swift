import Exports
import LocalTime
import Postgres
import Reports

/// `pagefall report changes`: when and why the events of a day changed, so that nobody wonders why an export has a second
/// revision.
enum ReportChangesCommand {
  static let day = Option("day", takes: "DAY", help: "a date, today, yesterday or 7d (default yesterday)")
  static let format = Option("format", takes: "FORMAT", help: "table, json or csv (default table)")

  static let command = Command(
    "report", "changes", summary: "Show when and why the events of a day changed",
    options: [day, CommonOptions.timeZone, ReportFunnelCommand.app, format, ReportFunnelCommand.output],
    discussion: """
      A line an hour and reason: events stored, rejections replayed, context filled in, sessions
      erased, or removed by retention. The day is that of the sessions' start, the hour that of
      the change.
      """,
    examples: ["pagefall report changes --day 2026-11-29 --tz Europe/Berlin"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let format = try invocation.value(format, as: "table, json or csv") { ChangeHistoryFormat(rawValue: $0) }
    let zone = try invocation.timeZone()
    let date = try invocation.day(invocation.value(day) ?? "yesterday", in: zone)
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    let history: ChangeHistory
    do {
      history = try ChangeHistory(of: date, in: zone, apps: invocation.list(ReportFunnelCommand.app), &connection)
    } catch {
      throw ExportFailure.commandError(error)
    }
    try OutputFile.write(
      (format ?? .table).render(history), to: invocation.value(ReportFunnelCommand.output) ?? "-")
    return .success
  }
}
