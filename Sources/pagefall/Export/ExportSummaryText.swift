import Exports
import FunnelDocument
import Reports

/// What an export says of itself on standard output.
enum ExportSummaryText: String {
  /// One line for people; a dry run has a line a day before it.
  case text
  /// A JSON object a line, one for each day that was written.
  case json

  func render(_ summary: ExportSummary, directory: String, elapsed: Duration, isDryRun: Bool) -> String {
    switch self {
    case .text: Self.text(summary, directory, elapsed, isDryRun)
    case .json: summary.days.map { Self.json($0, isDryRun).text(layout: .compact) + "\n" }.joined()
    }
  }

  private static func text(
    _ summary: ExportSummary, _ directory: String, _ elapsed: Duration, _ isDryRun: Bool
  ) -> String {
    var lines: [String] = []
    if isDryRun {
      lines = summary.days.map { day in
        "\(day.day)  revision \(day.revision), \(FigureText.count(day.events, "event"))"
          + (day.causes.isEmpty ? "" : ": \(day.causes.map(Self.sentence).joined(separator: ", "))")
      }
    }
    lines.append(total(summary, directory, isDryRun) + others(summary) + (isDryRun ? "" : ", \(time(elapsed))"))
    return lines.map { $0 + "\n" }.joined()
  }

  private static func total(_ summary: ExportSummary, _ directory: String, _ isDryRun: Bool) -> String {
    guard let first = summary.days.first, let last = summary.days.last else {
      return "nothing to write to \(directory)"
    }
    let verb = isDryRun ? "would write" : "wrote"
    let days =
      summary.days.count == 1
      ? "\(first.day) (revision \(first.revision))"
      : "\(FigureText.count(summary.days.count)) days from \(first.day) to \(last.day)"
    let events = FigureText.count(summary.days.reduce(0) { $0 + $1.events }, "event")
    let sessions = FigureText.count(summary.days.reduce(0) { $0 + $1.sessions }, "session")
    return "\(verb) \(days) to \(directory): \(events) of \(sessions)\(changesOfWhole(summary))"
  }

  /// Why sets were written anew although their events may be the same: who reads the log should wonder about it.
  private static func changesOfWhole(_ summary: ExportSummary) -> String {
    let found = Set(summary.days.flatMap { $0.causes.map(\.reason) })
    let names = [RevisionReason.definitions, .options, .otherDatabase].filter { found.contains($0) }
    if names.isEmpty { return "" }
    return " (\(names.map { $0.rawValue.replacing("_", with: " ") }.joined(separator: ", ")))"
  }

  private static func others(_ summary: ExportSummary) -> String {
    var text = ""
    if summary.unchangedCount > 0 { text += ", \(FigureText.count(summary.unchangedCount, "day")) unchanged" }
    if summary.keptCount > 0 {
      text += ", \(FigureText.count(summary.keptCount, "day")) kept as exported before retention"
    }
    return text
  }

  private static func sentence(_ cause: RevisionCause) -> String {
    let name = cause.reason.rawValue.replacing("_", with: " ")
    if cause.count.events > 0 { return "\(name) (\(FigureText.count(Int(cause.count.events), "event")))" }
    if cause.count.sessions > 0 { return "\(name) (\(FigureText.count(Int(cause.count.sessions), "session")))" }
    return name
  }

  private static func time(_ elapsed: Duration) -> String {
    let tenths = Int((TerminalLine.seconds(elapsed) * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) s"
  }

  private static func json(_ day: ExportSummary.Day, _ isDryRun: Bool) -> JSONValue {
    var members = [
      JSONMember("day", .string(day.day)), JSONMember("revision", .integer(Int64(day.revision))),
      JSONMember("sessions", .integer(Int64(day.sessions))), JSONMember("events", .integer(Int64(day.events))),
      JSONMember("rows", .object(day.rows.map { JSONMember($0.content.rawValue, .integer(Int64($0.rows))) })),
      JSONMember(
        "reasons",
        .array(
          day.causes.map {
            .object([
              JSONMember("reason", .string($0.reason.rawValue)), JSONMember("sessions", .integer($0.count.sessions)),
              JSONMember("events", .integer($0.count.events)),
            ])
          })),
    ]
    if isDryRun { members.append(JSONMember("dry_run", .bool(true))) }
    return .object(members)
  }
}
