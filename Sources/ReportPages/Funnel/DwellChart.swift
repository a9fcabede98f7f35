import FunnelDocument
import Reports

/// How long pages were looked at: a bar a page up to the median, and a lighter one up to the 90th percentile.
struct DwellChart {
  private let pages: [PageCounts]
  private let longest: Double

  /// - Returns: nil where no length is known.
  init?(_ counts: FunnelCounts) {
    pages = counts.pages
    longest = pages.compactMap(\.dwell.ninetiethPercentileMilliseconds).max() ?? 0
    guard pages.contains(where: { $0.dwell.count > 0 }) else { return nil }
  }

  /// The drawing, in parts where there are many pages.
  var html: HTML {
    ChartParts.html(PageRuns.runs(pages, isUnseen: \.isUnseen)) { part, runs in
      let last = (runs.last?.upperBound ?? 1) - 1
      var chart = Chart(
        id: "dwell-chart-\(part)", title: "Dwell, pages \(runs.first?.lowerBound ?? 0) to \(last)",
        description: description(runs))
      for run in runs { row(run, &chart) }
      return chart.html
    }
  }

  private func row(_ run: Range<Int>, _ chart: inout Chart) {
    guard run.count == 1 else {
      chart.text(PageRuns.remark(run), at: 0, top: 16, class: "faint")
      chart.advance(30)
      return
    }
    let page = pages[run.lowerBound]
    chart.label(PageName.html(page), width: 0.62)
    chart.text(Self.words(page), at: 1, top: 14, class: "end")
    chart.advance(22)
    chart.rectangle(width: 1, height: 14, class: "fill-track")
    if longest > 0 {
      chart.rectangle(
        width: (page.dwell.ninetiethPercentileMilliseconds ?? 0) / longest, height: 14, class: "fill-soft")
      chart.rectangle(
        width: (page.dwell.medianMilliseconds ?? 0) / longest, top: 3, height: 8, class: "fill-value")
    }
    chart.advance(26)
  }

  private static func words(_ page: PageCounts) -> String {
    guard page.dwell.count > 0 else { return FigureText.none }
    return FigureText.length(milliseconds: page.dwell.medianMilliseconds) + " · "
      + FigureText.length(milliseconds: page.dwell.ninetiethPercentileMilliseconds)
  }

  private func description(_ runs: ArraySlice<Range<Int>>) -> String {
    let sentences = runs.filter { $0.count == 1 }.map { run in
      "page \(run.lowerBound): \(Self.words(pages[run.lowerBound]))"
    }
    return "Median and 90th percentile. \(sentences.joined(separator: "; "))."
  }
}
