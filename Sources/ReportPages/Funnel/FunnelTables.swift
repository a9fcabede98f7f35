import FunnelDocument
import Reports

/// The tables of a funnel: a row a page.
struct FunnelTables {
  private let rates: FunnelRates
  private let runs: [Range<Int>]

  init(_ rates: FunnelRates) {
    self.rates = rates
    runs = PageRuns.runs(rates.counts.pages, isUnseen: \.isUnseen)
  }

  /// Who came, went on, finished, tapped and left.
  var reach: HTML {
    let isStrict = rates.order == .strict
    var table = PageTable(
      id: "pages", caption: "Pages in numbers",
      columns: [
        .text("page"), .text("title"), .number(isStrict ? "sessions, in strict order" : "sessions"),
        .number("reached, 95%"), .number("step"), .number("completed, 95%"), .number("exited, 95%"),
        .number("tapped sessions"), .number("tap-through, 95%"), .number("taps"),
      ], rows: [])
    let pageRates = rates.pages
    table.rows = rows(table) { page in
      let rates = pageRates[page.index]
      return [
        Cell.count(isStrict ? "strict_sessions" : "sessions", rates.reach.numerator),
        Cell.rate("reach_rate", rates.reach), Cell.plainRate("step_rate", rates.step?.value),
        Cell.rate("page_completion_rate", rates.completion), Cell.rate("exit_rate", rates.exit),
        Cell.count("tapped_sessions", page.tappedSessions), Cell.rate("tap_through_rate", rates.tapThrough),
        Cell.count("taps", page.taps),
      ]
    }
    return table.html
  }

  /// How impressions ended.
  var departures: HTML {
    var table = PageTable(
      id: "departures", caption: "How impressions ended, in numbers",
      columns: [
        .text("page"), .text("title"), .number("impressions"), .number("replays"), .number("next"),
        .number("by timer"), .number("by viewer"), .number("back"), .number("looped"), .number("finished"),
        .number("tapped out"), .number("exited"), .number("unknown"),
      ], rows: [])
    table.rows = rows(table) { page in
      let departures = page.departures
      return [
        Cell.count("impressions", page.impressions), Cell.count("replays", page.replays),
        Cell.count("departures.next", departures.next), Cell.count("departures.next_auto", departures.nextAuto),
        Cell.count("departures.next_tap", departures.nextTap), Cell.count("departures.back", departures.back),
        Cell.count("departures.looped", departures.looped), Cell.count("departures.finished", departures.finished),
        Cell.count("departures.tapped_out", departures.tappedOut), Cell.count("departures.exited", departures.exited),
        Cell.count("departures.unknown", departures.unknown),
      ]
    }
    return table.html
  }

  /// How long pages were looked at.
  var dwell: HTML {
    var table = PageTable(
      id: "dwell", caption: "Dwell in numbers",
      columns: [
        .text("page"), .text("title"), .number("impressions of known length"), .number("median"),
        .number("90th percentile"),
      ], rows: [])
    table.rows = rows(table) { page in
      [
        Cell.count("dwell_ms.count", page.dwell.count),
        Cell.length("dwell_ms.median", milliseconds: page.dwell.medianMilliseconds),
        Cell.length("dwell_ms.p90", milliseconds: page.dwell.ninetiethPercentileMilliseconds),
      ]
    }
    return table.html
  }

  private func rows(_ table: PageTable, _ cells: (PageCounts) -> [HTML]) -> [HTML] {
    runs.map { run in
      guard run.count == 1 else { return table.remark(PageRuns.remark(run)) }
      let page = rates.counts.pages[run.lowerBound]
      return HTML("tr", ["data-page": String(page.index)]) {
        HTML("th", ["scope": "row", "data-value": String(page.index)]) { "\(page.index)" }
        Cell.title(page)
        HTML.several(cells(page))
      }
    }
  }
}
