import Exports
import Foundation
import LocalTime
import Postgres

/// `pagefall export`: the sessions of whole local days as files, for warehouses and notebooks (docs/exports.md).
enum ExportCommand {
  static let out = Option("out", takes: "DIR", help: "the directory of the sets; made where it is missing")
  static let day = Option("day", takes: "DAY", help: "this day: a date, yesterday, today or 7d")
  static let from = Option("from", takes: "DAY", help: "a set a day, from this day on")
  static let to = Option("to", takes: "DAY", help: "up to and with this day (default yesterday)")
  static let sinceLast = Option(
    "since-last", help: "every day before today that has changed since its last set, and yesterday")
  static let what = Option(
    "what", takes: "FILES", help: "of events, sessions, funnel and stories, with commas between (default all)")
  static let format = Option("format", takes: "FORMAT", help: "csv or ndjson (default csv)")
  static let compress = Option("compress", takes: "HOW", help: "gzip, zstd or none (default gzip)")
  static let csvSafe = Option("csv-safe", help: "put a quote before cells that a spreadsheet would run")
  static let keepRetained = Option(
    "keep-retained", help: "leave the sets of days that the retention line has removed events of")
  static let state = Option(
    "state", takes: "FILE", help: "remember there what was written (default: the manifests in DIR)")
  static let wait = Option("wait", help: "wait for another run in DIR instead of exiting with 75")
  static let dryRun = Option("dry-run", help: "say what would be written, and write nothing")
  static let summary = Option("summary", takes: "FORMAT", help: "text or json: a line a written day (default text)")
  static let metricsFile = Option(
    "metrics-file", takes: "FILE", help: "write last success, rows and duration for node_exporter")

  static let command = Command(
    "export", summary: "Write the sessions of whole days as files",
    options: [
      out, day, from, to, sinceLast, CommonOptions.timeZone, ScopeOptions.app, what, format, compress, csvSafe,
      keepRetained,
      state, wait, dryRun, summary, metricsFile,
    ],
    discussion: """
      A day's set is DIR/day=2026-11-29/ with its files and manifest.json. It is built aside and
      exchanged whole; a day that has not changed is not written again. docs/exports.md tells
      what the files hold, and how to run this from cron.
      """,
    examples: [
      "pagefall export --day yesterday --out exports",
      "pagefall export --since-last --tz Europe/Berlin --out exports",
    ], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    let began = ContinuousClock.now
    guard let directory = invocation.value(out) else { throw .usage("say where the sets go: --out DIR") }
    let format = try invocation.value(summary, as: "text or json") { ExportSummaryText(rawValue: $0) } ?? .text
    let request = try request(invocation)
    let places = ExportPlaces(
      directory: directory, state: invocation.value(state), metricsFile: invocation.value(metricsFile))
    let waits = try invocation.flag(wait)
    let isDryRun = try invocation.flag(dryRun)
    let access = try DatabaseAccess.open(invocation, for: .reading)
    var connection = try access.connect()
    var bar = ExportProgressBar()
    let done: ExportSummary
    do {
      done = try Exporter.run(
        request, into: places, waits: waits, isDryRun: isDryRun, &connection,
        note: { Console.note("pagefall: \($0)") }, progress: { bar.update($0) })
      bar.finish()
    } catch {
      bar.finish()
      throw ExportFailure.commandError(error)
    }
    try Console.print(
      format.render(done, directory: directory, elapsed: ContinuousClock.now - began, isDryRun: isDryRun))
    return .success
  }

  // MARK: What is asked for

  private static func request(_ invocation: Invocation) throws(CommandError) -> ExportRequest {
    let zone = try invocation.timeZone()
    return ExportRequest(
      days: try days(invocation, zone), zone: zone, apps: invocation.list(ScopeOptions.app),
      options: try options(invocation),
      keepsRetained: try invocation.flag(keepRetained), clock: invocation.environment.nowMicroseconds,
      generator: "pagefall \(Pagefall.version)")
  }

  private static func days(
    _ invocation: Invocation, _ zone: ReportTimeZone
  ) throws(CommandError) -> ExportRequest.Days {
    let isSinceLast = try invocation.flag(sinceLast)
    func date(_ text: String) throws(CommandError) -> CivilDate { try invocation.day(text, in: zone) }
    switch (invocation.value(day), invocation.value(from), invocation.value(to), isSinceLast) {
    case (let day?, nil, nil, false): return .range(try date(day), try date(day))
    case (nil, let from?, let to, false): return .range(try date(from), try date(to ?? "yesterday"))
    case (nil, nil, nil, true): return .changed
    case (nil, nil, .some, _): throw .usage("--to needs --from; for one day write --day")
    case (nil, nil, nil, false):
      throw .usage("say which days: --day DAY, --from DAY --to DAY, or --since-last")
    case _: throw .usage("--day, --from with --to, and --since-last exclude each other")
    }
  }

  private static func options(_ invocation: Invocation) throws(CommandError) -> ExportOptions {
    var options = ExportOptions()
    let contents = try invocation.value(what, as: "names out of events, sessions, funnel and stories") { text in
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map { trimmed(String($0)) }
      let known = names.compactMap { ExportContent(rawValue: $0) }
      return known.count == names.count ? ExportContent.allCases.filter { known.contains($0) } : nil
    }
    options.contents = contents ?? options.contents
    options.format = try invocation.value(format, as: "csv or ndjson") { ExportFormat(rawValue: $0) } ?? .csv
    options.compression =
      try invocation.value(compress, as: "gzip, zstd or none") { ExportCompression(rawValue: $0) } ?? .gzip
    options.isCSVSafe = try invocation.flag(csvSafe)
    if options.isCSVSafe, options.format != .csv { throw .usage("--csv-safe is for --format csv alone") }
    return options
  }
}
