import FunnelDocument

/// Rich media for spreadsheets (RFC 4180): a line a content code of each set of presentations, behind a line with the set's total.
///
/// The first set is `(total)`; with groups each follows. The line of a set's total has no app and no content code. Keys are those
/// of the JSON form; intervals have a column for each bound; null is empty, an empty text `""`.
struct RichMediaCSV {
  private(set) var text = ""
  private let cells: CSVLine

  /// - Parameter isSafe: whether a `'` is put before texts that a spreadsheet would run (`CSVText`).
  init(_ richMedia: RichMedia, isSafe: Bool) {
    cells = CSVLine(isSafe: isSafe)
    let report = richMedia.report
    var lines = [Self.columns.joined(separator: ",")]
    lines += set("(total)", nil, report.total, report.contents, report)
    for group in report.groups ?? [] {
      lines += set(group.name, group.mergedGroups, group.counts, group.contents, report)
    }
    text = lines.map { $0 + "\r\n" }.joined()
  }

  private static let columns = [
    "group", "app", "content_code", "presentations", "deferred", "deferred_rate", "deferred_low", "deferred_high",
    "shown", "shown_rate", "shown_low", "shown_high", "failed", "failed_rate", "failed_low", "failed_high", "closed",
    "closed_by_timer", "closed_before_timer", "closed_by_timer_rate", "closed_by_timer_low", "closed_by_timer_high",
    "open_or_lost", "waiting_or_lost", "wait_count", "wait_median_ms", "wait_p90_ms", "open_count", "open_median_ms",
    "open_p90_ms", "expected_events", "missing_events", "from", "to", "timezone", "filters", "merged_groups",
  ]

  private func set(
    _ name: String, _ mergedGroups: Int?, _ counts: RichMediaCounts, _ contents: [RichMediaLine],
    _ report: RichMediaReport
  ) -> [String] {
    [line(name, mergedGroups, app: nil, contentCode: nil, counts, report)]
      + contents.map {
        line(name, mergedGroups, app: $0.app, contentCode: $0.contentCode, $0.counts, report)
      }
  }

  private func line(
    _ group: String, _ mergedGroups: Int?, app: String?, contentCode: String?, _ counts: RichMediaCounts,
    _ report: RichMediaReport
  ) -> String {
    let rates = report.rates(of: counts)
    let scope = report.scope
    var fields = [cells.text(group), cells.text(app), cells.text(contentCode), String(counts.presentations)]
    fields += cells.rate(rates.deferred) + cells.rate(rates.shown) + cells.rate(rates.failed)
    fields += [String(counts.closed), cells.count(counts.closedByTimer), cells.count(counts.closedBeforeTimer)]
    fields += cells.rate(rates.closedByTimer).dropFirst()
    fields += [String(counts.openOrLost), String(counts.waitingOrLost)]
    for length in [counts.wait, counts.open] {
      fields += [
        String(length.count), cells.number(length.medianMilliseconds),
        cells.number(length.ninetiethPercentileMilliseconds),
      ]
    }
    fields += [String(counts.expectedEvents), String(counts.missingEvents)]
    fields += [scope.from, scope.to, scope.timeZone, scope.filterText].map(cells.text)
    return (fields + [cells.count(mergedGroups)]).joined(separator: ",")
  }
}
