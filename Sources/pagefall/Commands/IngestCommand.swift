import EventStore
import Foundation

/// `pagefall ingest`: the same judging and storing as over HTTP, from files of any size.
enum IngestCommand {
  static let app = Option("app", takes: "NAME", help: "the app that the events belong to (default demo)")

  static let command = Command(
    "ingest", summary: "Store the events of files", operands: "FILE…|-", options: [app],
    discussion: """
      Takes NDJSON (an event or a batch a line) and JSON (a batch, an array or an event),
      plain, .gz or .zst, of any size; - is standard input. Nothing is stored twice: the
      same file may be given again. Exits 1 if an event was rejected.
      """,
    examples: ["pagefall ingest events.ndjson --app shop", "zcat old/*.gz | pagefall ingest -"], run: run)

  @Sendable private static func run(_ invocation: Invocation) throws(CommandError) -> ExitCode {
    if invocation.operands.isEmpty { throw .usage("say what to ingest: ingest FILE… (or - for standard input)") }
    let app = invocation.value(app) ?? "demo"
    guard AppStore.isName(app) else { throw .usage("\(EventStoreError.invalidAppName)") }
    // Opened before anything is made, so that a wrong name costs nothing.
    var files: [InputFile] = []
    for path in invocation.operands { files.append(try InputFile(path: path)) }
    let log = try invocation.log()
    let access = try DatabaseAccess.open(invocation, for: .writing)
    let store = BatchStore(access.options, source: .file, log: log)
    var run = IngestRun(app: app, store: store)
    var unreadableFiles = 0
    do {
      for file in files {
        do {
          try run.ingest(file)
        } catch  where error.exitCode == .dataFault {
          // A file that cannot be read does not keep the others out.
          Console.note("pagefall: \(error.message)")
          unreadableFiles += 1
        }
      }
      run.finish()
    } catch {
      try Console.print(IngestSummary.text(fates: run.fates, files: run.summaries))
      throw error
    }
    try Console.print(IngestSummary.text(fates: run.fates, files: run.summaries))
    let rejected = run.summaries.reduce(0) { $0 + $1.summary.rejected }
    return unreadableFiles + rejected + run.fates.conflictingDuplicates + run.fates.foreignSessions
      + run.fates.refusedByDatabase > 0
      ? .dataFault : .success
  }
}
