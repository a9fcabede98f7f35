import EventIntake
import EventStore
import StoryEvents

/// What `pagefall ingest` says at its end.
enum IngestSummary {
  /// A line a fate that occurred, then the rejected events by reason, then the first faults with their lines.
  static func text(fates: FateCounts, files: [(name: String, summary: EventFileSummary)]) -> String {
    var text = "stored \(fates.stored), duplicates \(fates.duplicates)"
    for fate in EventFate.allCases where fate != .stored && fate != .duplicate && fates[fate] > 0 {
      text += ", \(fate.rawValue) \(fates[fate])"
    }
    let rejected = files.reduce(0) { $0 + $1.summary.rejected }
    text += ", rejected \(rejected)\n"
    for code in RejectionCode.allCases {
      let count = files.reduce(0) { $0 + ($1.summary.rejectedByCode[code] ?? 0) }
      if count > 0 { text += "  \(code.name) \(count)\n" }
    }
    for file in files {
      for fault in file.summary.faults.prefix(shownFaults) { text += line(fault, in: file) }
      for warning in file.summary.warnings {
        text += "\(file.name): \(warning.code.name), \(warning.count) times: \(warning.message)\n"
      }
    }
    return text
  }

  /// Faults of a file that are shown.
  private static let shownFaults = 5

  private static func line(_ fault: EventFault, in file: (name: String, summary: EventFileSummary)) -> String {
    let place = file.summary.isLines ? "line \(fault.index)" : "event \(fault.index)"
    let field = fault.field.map { " (\($0))" } ?? ""
    return "\(file.name), \(place): \(fault.code.name)\(field): \(fault.message)\n"
  }
}
