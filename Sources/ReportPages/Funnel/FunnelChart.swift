import FunnelDocument
import Reports

/// The funnel: a bar a page, as wide as the share of sessions that reached it, and between two pages how many went on and how
/// many did not.
struct FunnelChart {
  private let rates: FunnelRates
  private let pages: [PageRates]

  private static let labelHeight = 22.0
  private static let barHeight = 24.0
  private static let dropHeight = 30.0
  private static let lineHeight = 17.0

  init(_ rates: FunnelRates) {
    self.rates = rates
    pages = rates.pages
  }

  /// The drawing, in parts where there are many pages.
  var html: HTML {
    ChartParts.html(PageRuns.runs(rates.counts.pages, isUnseen: \.isUnseen)) { part, runs in drawing(part, runs) }
  }

  private func drawing(_ part: Int, _ runs: ArraySlice<Range<Int>>) -> HTML {
    let last = (runs.last?.upperBound ?? 1) - 1
    var chart = Chart(
      id: "funnel-chart-\(part)", title: "Funnel, pages \(runs.first?.lowerBound ?? 0) to \(last)",
      description: description(runs))
    for run in runs {
      guard run.count == 1 else {
        chart.text(PageRuns.remark(run), at: 0, top: 16, class: "faint")
        chart.advance(28)
        continue
      }
      bar(run.lowerBound, &chart)
      if run.upperBound < pages.count { drop(from: run.lowerBound, &chart) } else { chart.advance(4) }
    }
    return chart.html
  }

  /// The page's name, its sessions and their share, and the bar with the interval of the share.
  private func bar(_ place: Int, _ chart: inout Chart) {
    let reach = pages[place].reach
    chart.label(PageName.html(rates.counts.pages[place]), width: 0.56)
    chart.text(
      "\(FigureText.count(reach.numerator)) · \(FigureText.percent(reach.value))", at: 1, top: 14, class: "end strong")
    chart.advance(Self.labelHeight)
    chart.rectangle(width: 1, height: Self.barHeight, class: "fill-track")
    chart.rectangle(width: reach.value ?? 0, height: Self.barHeight, class: "fill-value")
    if let interval = reach.wilsonInterval, interval.upper - interval.lower > 0.002 {
      chart.whisker(interval, middle: Self.barHeight / 2, halfHeight: 5, class: "whisker")
    }
    chart.advance(Self.barHeight)
  }

  /// What narrows between two bars, with its numbers on it.
  private func drop(from place: Int, _ chart: inout Chart) {
    let drop = DropOff(from: pages[place].reach, to: pages[place + 1].reach)
    let height = Self.dropHeight + (drop.isLong ? Self.lineHeight : 0)
    let (before, after) = (pages[place].reach, pages[place + 1].reach)
    let left = SVGNumber.text(min(1, before.value ?? 0) * 100)
    let right = SVGNumber.text(min(1, after.value ?? 0) * 100)
    chart.draw(
      HTML(
        "svg",
        [
          "x": "0", "y": SVGNumber.text(chart.height), "width": "100%", "height": SVGNumber.text(height),
          "viewBox": "0 0 100 10", "preserveAspectRatio": "none",
        ]
      ) { HTML("polygon", ["points": "0,0 \(left),0 \(right),10 0,10", "class": "fill-faint"]) })
    chart.text("↓ " + drop.wentOn, at: 0.012, top: 19)
    if let didNot = drop.didNot {
      chart.text(didNot, at: 1, top: 19 + (drop.isLong ? Self.lineHeight : 0), class: "end loss-text")
    }
    chart.advance(height + 6)
  }

  private func description(_ runs: ArraySlice<Range<Int>>) -> String {
    let sentences = runs.prefix(8).map { run in
      guard run.count == 1 else { return PageRuns.remark(run) }
      let reach = pages[run.lowerBound].reach
      return "page \(run.lowerBound): \(FigureText.count(reach.numerator)), \(FigureText.percent(reach.value))"
    }
    return "Sessions that reached each page. \(sentences.joined(separator: "; ")). The table below has all numbers."
  }
}

/// How many went on from a page to the following one, in words.
struct DropOff {
  /// Those who did.
  let wentOn: String
  /// Those who did not; nil where all did. Where more reached the page than the one before, showings of that were lost.
  let didNot: String?

  /// Whether both do not fit beside each other on a phone.
  var isLong: Bool { wentOn.count + (didNot?.count ?? 0) > 40 }

  init(from before: Rate, to after: Rate) {
    let lost = before.numerator - after.numerator
    func share(_ count: Int) -> String {
      let rate = Rate(count, of: before.numerator, isHidden: before.isHidden)
      return rate.value.map { " (\(FigureText.percent($0)))" } ?? ""
    }
    wentOn =
      lost == 0 && before.numerator > 0
      ? "all went on" : "\(FigureText.count(after.numerator))\(share(after.numerator)) went on"
    didNot =
      lost > 0
      ? "\(FigureText.count(lost))\(share(lost)) did not" : lost < 0 ? "\(FigureText.count(-lost)) showings lost" : nil
  }
}

/// How a page is called.
enum PageName {
  /// Its number and its title.
  static func html(_ page: PageCounts) -> HTML {
    HTML.several([
      HTML("b") { "\(page.index)" },
      page.title.map { HTML.several([.text(" "), .sender($0)]) } ?? .nothing,
    ])
  }
}
