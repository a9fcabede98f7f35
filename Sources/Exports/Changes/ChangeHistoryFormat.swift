import FunnelDocument
import PrintedText
import Reports

/// How a history of changes is printed.
package enum ChangeHistoryFormat: String, CaseIterable, Sendable {
  /// For people.
  case table
  /// One object.
  case json
  /// RFC 4180, a line an entry.
  case csv

  /// The whole output, with a newline at its end.
  package func render(_ history: ChangeHistory) -> String {
    switch self {
    case .table: Self.table(history)
    case .json: Self.json(history).printed()
    case .csv: Self.csv(history)
    }
  }

  private static func table(_ history: ChangeHistory) -> String {
    let apps = history.apps.isEmpty ? "all apps" : history.apps.map(DisplayText.escaped).joined(separator: ", ")
    var lines = ["Changes of \(history.day) (\(history.zone)), \(apps)", ""]
    if history.entries.isEmpty {
      return lines[0] + "\n\nNothing was ever stored of this day.\n"
    }
    lines.append(line("hour", "what", "sessions", "events"))
    for entry in history.entries {
      lines.append(
        line(
          entry.hour, sentence(of: entry.reason), FigureText.count(Int(entry.count.sessions)),
          FigureText.count(Int(entry.count.events))))
    }
    lines += [
      "",
      "Stored now: \(FigureText.count(Int(history.storedSessions), "session")), "
        + "\(FigureText.count(Int(history.storedEvents), "event")).",
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(_ hour: String, _ what: String, _ sessions: String, _ events: String) -> String {
    DisplayWidth.pad(hour, to: 26) + DisplayWidth.pad(what, to: 22)
      + DisplayWidth.pad(sessions, to: 12, isRightAligned: true)
      + DisplayWidth.pad(events, to: 14, isRightAligned: true)
  }

  private static func sentence(of reason: ChangeReason) -> String {
    switch reason {
    case .stored: "stored"
    case .replayed: "rejections replayed"
    case .contextFilled: "context filled in"
    case .erased: "erased"
    case .retained: "removed by retention"
    }
  }

  private static func json(_ history: ChangeHistory) -> JSONValue {
    .object([
      JSONMember("report", .string("changes")), JSONMember("day", .string(history.day)),
      JSONMember("timezone", .string(history.zone)), JSONMember("from", .string(history.from)),
      JSONMember("to", .string(history.to)), JSONMember("apps", .array(history.apps.map { .string($0) })),
      JSONMember(
        "changes",
        .array(
          history.entries.map { entry in
            .object(
              [JSONMember("hour", .string(entry.hour)), JSONMember("reason", .string(entry.reason.rawValue))]
                + entry.count.members)
          })),
      JSONMember("stored_sessions", .integer(history.storedSessions)),
      JSONMember("stored_events", .integer(history.storedEvents)),
    ])
  }

  private static func csv(_ history: ChangeHistory) -> String {
    let lines = history.entries.map { "\($0.hour),\($0.reason.rawValue),\($0.count.sessions),\($0.count.events)" }
    return (["hour,reason,sessions,events"] + lines).map { $0 + "\r\n" }.joined()
  }
}
