import FunnelDocument
import TestSupport

/// Compares lines of an exported funnel and of exported stories with the report of the same story, day and app.
enum FunnelFile {
  /// Where they differ; empty where they do not.
  static func differences(_ lines: [FileRow], _ report: JSONValue) -> [String] {
    let pages = report["pages"]?.arrayValue ?? []
    guard lines.count == pages.count else { return ["\(lines.count) lines, \(pages.count) pages"] }
    var found: [String] = []
    for (line, page) in zip(lines, pages) {
      let name = "page \(line["page_index"] ?? "?")"
      found += differences(line, report, sums, name)
      found += differences(line, page, ofPage, name)
      found += differences(line, page["departures"] ?? .null, departures, name)
      found += differences(line, page["dwell_ms"] ?? .null, dwells, name)
      if line["title"] != page["title"]?.stringValue { found.append("\(name): title") }
    }
    for (previous, line) in zip(lines, lines.dropFirst()) {
      for column in ["reached_sessions", "strict_reached_sessions"]
      where line["previous_\(column)"] != previous[column] { found.append("previous_\(column)") }
    }
    return found
  }

  /// Where a line of the stories file differs from the report; empty where it does not.
  static func storyDifferences(_ line: FileRow, _ report: JSONValue) -> [String] {
    let counted = differences(line, report, sums, "story")
    let pages = String(report["pages"]?.arrayValue?.count ?? -1)
    return counted + (line["pages"] == pages ? [] : ["pages"])
      + differences(line, report["completeness"] ?? .null, completeness, "story")
  }

  private static let sums = [
    ("presentations", "presentations"), ("fallbacks", "fallbacks"), ("sessions", "sessions"),
    ("finished_sessions", "finished_sessions"), ("reached_last_sessions", "reached_last_sessions"),
    ("sessions_with_tap", "tapped_sessions"),
  ]

  private static let ofPage = [
    ("page_index", "index"), ("impressions", "impressions"), ("reached_sessions", "sessions"),
    ("strict_reached_sessions", "strict_sessions"), ("replays", "replays"),
    ("completed_sessions", "completed_sessions"), ("taps", "taps"), ("tapped_sessions", "tapped_sessions"),
  ]

  private static let departures = [
    "next", "next_auto", "next_tap", "back", "looped", "finished", "tapped_out", "exited", "unknown",
  ].map { ("departures_\($0)", $0) }

  private static let dwells = [("dwells", "count"), ("dwell_median_ms", "median"), ("dwell_p90_ms", "p90")]

  private static let completeness = [
    "expected_events", "missing_events", "sessions_without_start", "orphan_taps", "negative_dwells",
    "suspect_clock_sessions",
  ].map { ($0, $0) }

  private static func differences(
    _ line: FileRow, _ object: JSONValue, _ columns: [(column: String, key: String)], _ name: String
  ) -> [String] {
    columns.compactMap { column, key in
      let said = line[column].flatMap { Double($0) }
      let wanted = object[key]?.doubleValue
      if said == wanted, said != nil || object[key]?.isNull == true { return nil }
      return "\(name): \(column) \(line[column] ?? "null"), not \(object[key]?.text() ?? "absent")"
    }
  }
}
