import FunnelDocument

/// Stories for spreadsheets (RFC 4180): first the total, then a line a story.
///
/// The total's app is `(total)`, and it has no story. Keys are those of the JSON form, without the sessions of each day.
struct StoriesCSV {
  private(set) var text = ""
  private let cells: CSVLine

  /// - Parameter isSafe: whether a `'` is put before texts that a spreadsheet would run (`CSVText`).
  init(_ report: StoriesReport, isSafe: Bool) {
    cells = CSVLine(isSafe: isSafe)
    var lines = [Self.columns.joined(separator: ",")]
    lines.append(line(report.total, app: "(total)", story: nil, report))
    for story in report.stories {
      lines.append(line(story, app: story.app, story: story.story ?? StorySelection.noneText, report))
    }
    text = lines.map { $0 + "\r\n" }.joined()
  }

  private static let columns: [String] =
    [
      "app", "story", "presentations", "fallbacks", "fallback_rate", "fallback_low", "fallback_high", "sessions",
      "finished_sessions", "completion_rate", "completion_low", "completion_high", "reached_last_sessions",
      "reached_last_rate", "reached_last_low", "reached_last_high", "tapped_sessions", "tap_rate", "tap_low",
      "tap_high", "pages", "first_seen", "last_seen", "expected_events", "missing_events",
    ] + CSVLine.deviceColumns + ["from", "to", "timezone", "filters"]

  private func line(_ line: StoryLine, app: String?, story: String?, _ report: StoriesReport) -> String {
    let rates = report.rates(of: line)
    let scope = report.scope
    let completeness = line.counts.completeness
    var fields = [cells.text(app), cells.text(story), String(line.counts.presentations)]
    fields += cells.rate(rates.fallback) + [String(line.counts.sessions)]
    fields += cells.rate(rates.completion) + cells.rate(rates.reachedLast) + cells.rate(rates.tap)
    fields += [
      String(line.pageCount), cells.text(line.firstSeen.isEmpty ? nil : line.firstSeen),
      cells.text(line.lastSeen.isEmpty ? nil : line.lastSeen), String(completeness.expectedEvents),
      String(completeness.missingEvents),
    ]
    fields += cells.devices(line.devices, rates)
    fields += [
      cells.text(scope.from), cells.text(scope.to), cells.text(scope.timeZone), cells.text(scope.filterText),
    ]
    return fields.joined(separator: ",")
  }
}
