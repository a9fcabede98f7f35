import EventIntake
import EventStore

/// Judges files and stores what passes, in file order, in bounded memory.
struct IngestRun: ~Copyable {
  private var intake = Intake()
  private var sink: StoringSink
  private let app: String
  /// What came of each file that was read to its end.
  private(set) var summaries: [(name: String, summary: EventFileSummary)] = []

  init(app: String, store: consuming BatchStore) {
    self.app = app
    sink = StoringSink(store)
  }

  /// What became of the accepted events of all files.
  var fates: FateCounts { sink.fates }

  /// Judges and stores one file. Where this throws, all that was stored stays, and the same file may be given again.
  mutating func ingest(_ file: InputFile) throws(CommandError) {
    do {
      summaries.append((file.name, try Self.ingest(file, app: app, &intake, &sink)))
    } catch {
      throw Self.commandError(error, file: file.name)
    }
  }

  /// Ends the run: no file comes after this.
  mutating func finish() { sink.finish() }

  private static func ingest(
    _ file: InputFile, app: String, _ intake: inout Intake, _ sink: inout StoringSink
  ) throws -> EventFileSummary {
    var progress = ProgressBar(totalBytes: file.byteCount)
    defer { progress.finish() }
    var storingFailed = false
    let summary: EventFileSummary
    do {
      summary = try intake.judgeFile(file.source, app: app) { records, judged in
        do {
          try sink.add(records)
        } catch {
          storingFailed = true
          throw error
        }
        progress.update(bytes: file.bytesRead, events: judged.events)
      }
    } catch {
      // The file is at fault, not the database: what came before the fault is stored.
      if !storingFailed { try storeRest(before: error, file: file.name, &sink) }
      throw error
    }
    try sink.flush()
    return summary
  }

  private static func storeRest(
    before fault: any Error, file: String, _ sink: inout StoringSink
  ) throws(CommandError) {
    do {
      try sink.flush()
    } catch {
      let told = (fault as? CommandError)?.message ?? "\(fault)"
      throw .environment("\(file): \(told); what came before it is not all stored: \(error.message)")
    }
  }

  private static func commandError(_ error: any Error, file: String) -> CommandError {
    switch error {
    case let error as CommandError: error
    case let error as EventFileError: .dataFault("\(file): \(error.description)")
    default: .dataFault("\(file): \(error); what came before it is stored, and the file may be given again")
    }
  }
}
