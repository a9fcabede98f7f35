import FunnelDocument
import PrintedText

/// A funnel for spreadsheets (RFC 4180): a line a page, the numbers of its set of sessions repeated in front.
///
/// Without groups there is one set, `(total)`; with groups each follows. A set without pages has one line. Keys are those of
/// the JSON form, of a page with `page_` in front; intervals have a column for each bound; null is empty, an empty text `""`.
struct FunnelCSV {
  private(set) var text = ""
  private let cells: CSVLine

  /// Makes the text.
  ///
  /// - Parameter isSafe: whether a `'` is put before texts that a spreadsheet would run (`CSVText`).
  init(_ funnel: Funnel, isSafe: Bool) {
    cells = CSVLine(isSafe: isSafe)
    let report = funnel.report
    var lines = [Self.columns.joined(separator: ",")]
    lines += self.lines(report, FunnelGroup(name: "(total)", counts: report.total, devices: report.devices))
    for group in report.groups ?? [] { lines += self.lines(report, group) }
    text = lines.map { $0 + "\r\n" }.joined()
  }

  private static let columns: [String] =
    [
      "story", "apps", "from", "to", "timezone", "group", "presentations", "fallbacks", "fallback_rate", "sessions",
      "finished_sessions", "completion_rate", "completion_low", "completion_high", "reached_last_sessions",
      "reached_last_rate", "reached_last_low", "reached_last_high", "tapped_sessions", "tap_rate", "tap_low",
      "tap_high", "expected_events", "missing_events", "page_index", "page_title", "page_impressions", "page_sessions",
      "page_strict_sessions", "page_replays", "page_reach_rate", "page_reach_low", "page_reach_high", "page_step_rate",
      "page_completed_sessions", "page_completion_rate", "page_completion_low", "page_completion_high", "page_taps",
      "page_tapped_sessions", "page_tap_through_rate", "page_tap_through_low", "page_tap_through_high", "page_next",
      "page_next_auto", "page_next_tap", "page_back", "page_looped", "page_finished", "page_tapped_out", "page_exited",
      "page_unknown", "page_exit_rate", "page_dwell_count", "page_dwell_median_ms", "page_dwell_p90_ms", "filters",
      "merged_groups",
    ] + CSVLine.deviceColumns

  private func lines(_ report: FunnelReport, _ group: FunnelGroup) -> [String] {
    let counts = group.counts
    let rates = report.rates(of: counts)
    let scope = report.scope
    let front: [String] =
      [
        field(scope.story), field(scope.apps.isEmpty ? nil : scope.apps.joined(separator: " ")), field(scope.from),
        field(scope.to), field(scope.timeZone), field(group.name), String(counts.presentations),
        String(counts.fallbacks), cells.number(rates.fallback.value), String(counts.sessions),
      ] + cells.rate(rates.completion) + cells.rate(rates.reachedLast) + cells.rate(rates.tap)
      + [String(counts.completeness.expectedEvents), String(counts.completeness.missingEvents)]
    let back = [field(scope.filterText), cells.count(group.mergedGroups)] + cells.devices(group.devices, rates)
    guard !counts.pages.isEmpty else {
      let page = Array(repeating: "", count: Self.columns.count - front.count - back.count)
      return [(front + page + back).joined(separator: ",")]
    }
    return zip(counts.pages, rates.pages).map { (front + pageCells($0, $1) + back).joined(separator: ",") }
  }

  private func pageCells(_ page: PageCounts, _ rates: PageRates) -> [String] {
    let departures = page.departures
    let reached = [
      String(page.index), field(page.title), String(page.impressions), String(page.sessions),
      String(page.strictSessions), String(page.replays), cells.number(rates.reach.value),
      cells.number(rates.reach.wilsonInterval?.lower), cells.number(rates.reach.wilsonInterval?.upper),
      cells.number(rates.step?.value),
    ]
    let left: [String] = [
      String(departures.next), cells.count(departures.nextAuto), cells.count(departures.nextTap),
      String(departures.back), String(departures.looped), String(departures.finished), String(departures.tappedOut),
      String(departures.exited), String(departures.unknown), cells.number(rates.exit.value), String(page.dwell.count),
      cells.number(page.dwell.medianMilliseconds), cells.number(page.dwell.ninetiethPercentileMilliseconds),
    ]
    return reached + cells.rate(rates.completion) + [String(page.taps)] + cells.rate(rates.tapThrough) + left
  }

  private func field(_ text: String?) -> String { cells.text(text) }
}
