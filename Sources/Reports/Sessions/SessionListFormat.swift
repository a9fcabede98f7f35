import FunnelDocument
import LocalTime
import PrintedText

/// The forms in which a list of sessions can be printed (`--format`).
public enum SessionListFormat: String, CaseIterable, Sendable {
  /// For people, on a terminal.
  case table
  /// For programs: one object.
  case json
  /// For spreadsheets (RFC 4180).
  case csv

  /// The list in this form, with a newline at its end.
  public func render(_ list: SessionList, style: TextStyle = TextStyle()) -> String {
    switch self {
    case .table: SessionListTable(list, style).text
    case .json: list.json.printed()
    case .csv: list.csv
    }
  }
}

extension SessionList {
  /// Keys may be added, never renamed.
  var json: JSONValue {
    .object([
      JSONMember("report", .string("sessions")), JSONMember("definitions", .string(FunnelReport.definitions)),
      JSONMember(
        "data_through",
        .optional(dataThroughMicroseconds.map { TimestampText.rfc3339($0, in: .utc) })),
      JSONMember("timezone", .string(timeZone.name)), JSONMember("order", .string(isOldestFirst ? "oldest" : "newest")),
      JSONMember("has_more", .bool(hasMore)), JSONMember("sessions", .array(sessions.map { $0.json(in: timeZone) })),
    ])
  }

  private static let columns = [
    "session_id", "started_at", "arrived_at", "app", "story_id", "app_version", "device_model", "device_id",
    "environment", "events", "missing_events", "pages_reached", "page_count", "last_page", "summary",
  ]

  /// No spreadsheet runs its texts, and no terminal obeys them.
  var csv: String {
    let facts = SessionFact.allCases.filter { $0 != .hasMissingEvents }
    var lines = [(Self.columns + facts.map(\.rawValue)).joined(separator: ",")]
    for session in sessions {
      let texts: [String?] = [
        session.app, session.story, session.appVersion, session.deviceModel, session.deviceID, session.environment,
      ]
      let numbers = [
        session.events, session.missingEvents, session.pagesReached, session.pageCount, session.lastPage,
      ]
      var cells = [
        session.id, TimestampText.rfc3339(session.startedAtMicroseconds, in: timeZone),
        TimestampText.rfc3339(session.arrivedAtMicroseconds, in: timeZone),
      ]
      cells += texts.map { CSVText.cell($0.map(DisplayText.escaped), isSafe: true) }
      cells += numbers.map { $0.map(String.init) ?? "" }
      cells.append(CSVText.cell(session.summary, isSafe: true))
      cells += facts.map { session.facts.contains($0) ? SessionField.yes : SessionField.no }
      lines.append(cells.joined(separator: ","))
    }
    return lines.map { $0 + "\r\n" }.joined()
  }
}

extension SessionLine {
  fileprivate func json(in zone: ReportTimeZone) -> JSONValue {
    .object([
      JSONMember("session_id", .string(id)),
      JSONMember("started_at", .string(TimestampText.rfc3339(startedAtMicroseconds, in: zone))),
      JSONMember("arrived_at", .string(TimestampText.rfc3339(arrivedAtMicroseconds, in: zone))),
      JSONMember("app", .string(app)), JSONMember("story_id", .optional(story)),
      JSONMember("app_version", .optional(appVersion)),
      JSONMember("device_model", .optional(deviceModel)),
      JSONMember("device_id", .optional(deviceID)),
      JSONMember("environment", .optional(environment)),
      JSONMember("events", .count(events)), JSONMember("missing_events", .count(missingEvents)),
      JSONMember("pages_reached", .count(pagesReached)),
      JSONMember("page_count", .optional(pageCount)),
      JSONMember("last_page", .optional(lastPage)), JSONMember("presentation", .bool(isPresentation)),
      JSONMember("facts", .array(facts.map { .string($0.rawValue) })), JSONMember("summary", .string(summary)),
    ])
  }
}
