import Foundation
import FunnelDocument
import LocalTime
import Postgres
import Reports

/// `pagefall report funnel`: page by page, who saw what, where they left, what they tapped (docs/metrics.md).
enum ReportFunnelCommand {
  static let app = Option("app", takes: "NAME", help: "only this app; repeatable (default all)", repeatable: true)
  static let story = Option("story", takes: "ID", help: "only this story; (none) is what came without one")
  static let from = Option("from", takes: "TIME", help: "from then on: a date, today, yesterday, 7d, or RFC 3339")
  static let to = Option("to", takes: "TIME", help: "up to then: a date includes that day, an instant does not")
  static let order = Option("order", takes: "ORDER", help: "reached or strict (default reached)")
  static let by = Option("by", takes: "FIELD", help: "a funnel a group as well: \(fields)")
  static let minimumCount = Option(
    "min-count", takes: "N", help: "hide the rates of groups with fewer presentations (default 1)")
  static let format = Option("format", takes: "FORMAT", help: "table, json, csv or markdown (default table)")
  static let csvExact = Option(
    "csv-exact", help: "with csv: no ' before texts that spreadsheets would run as formulas; for programs")
  static let output = Option("output", short: "o", takes: "FILE", help: "write there instead of to standard output")

  private static let fields = GroupField.names.joined(separator: ", ")

  static let command = Command(
    "report", "funnel", summary: "Print the per-page funnel of a story",
    options: [app, story, from, to, CommonOptions.timeZone, order, by, minimumCount, format, csvExact, output],
    discussion: """
      A session belongs to the time of its start, all of it. Days are local days of --tz.
      docs/metrics.md says what each number means; every report says how complete it is.
      People open CSV by hand, and titles come from senders: so a ' stands before texts that begin with = + - @,
      a tab or a carriage return, which spreadsheets would run. --csv-exact leaves texts as they are.
      """,
    examples: [
      "pagefall report funnel --story spring-sale --from 7d",
      "pagefall report funnel --from 2026-11-01 --to 2026-11-30 --tz Europe/Berlin --by app_version",
      "pagefall report funnel --story spring-sale --format json -o funnel.json",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let now = invocation.environment.nowMicroseconds()
    let scope = try scope(invocation, nowMicroseconds: now)
    let format = try invocation.value(format, as: "table, json, csv or markdown") { FunnelFormat(rawValue: $0) }
    let isCSVExact = try invocation.flag(csvExact)
    guard !isCSVExact || format == .csv else { throw .usage("--csv-exact goes with --format csv") }
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    let funnel: Funnel
    do {
      funnel = try FunnelReporter.run(scope, on: &connection, nowMicroseconds: now)
    } catch {
      throw commandError(error)
    }
    let destination = invocation.value(output) ?? "-"
    let style = Console.style(toTerminal: destination == "-", invocation.environment)
    try OutputFile.write((format ?? .table).render(funnel, style: style, isCSVSafe: !isCSVExact), to: destination)
    return .success
  }

  private static func scope(_ invocation: Invocation, nowMicroseconds: Int64) throws(CommandError) -> ReportScope {
    var scope = ReportScope()
    scope.apps = invocation.list(app)
    if let story = invocation.value(story) { scope.story = StorySelection(argument: story) }
    scope.timeZone = try invocation.timeZone()
    do {
      scope.range = try TimeRange(
        from: invocation.value(from), to: invocation.value(to), timeZone: scope.timeZone,
        nowMicroseconds: nowMicroseconds)
    } catch {
      throw .usage(error.description)
    }
    if let field = invocation.value(by) {
      do { scope.groupBy = try GroupField(argument: field) } catch { throw commandError(error) }
    }
    if let order = try invocation.value(order, as: "reached or strict", { FunnelOrder(rawValue: $0) }) {
      scope.order = order
    }
    let count = try invocation.value(
      minimumCount, as: "a number from 1 on", { ValueParser.integer($0, in: 1...Int.max) })
    scope.minimumCount = count ?? 1
    return scope
  }

  private static func commandError(_ error: ReportError) -> CommandError {
    switch error.kind {
    case .usage: .usage(error.description)
    case .database: error.cause.map { DatabaseFailure.commandError($0) } ?? .environment(error.description)
    case .conservation: .dataFault(error.description)
    }
  }
}
