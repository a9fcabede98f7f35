import FunnelDocument
import Reports

/// The ways in which an impression ends, in the order of the bars; each has a colour and a pattern.
enum DepartureKind: String, CaseIterable {
  /// To the following page, by its timer.
  case nextAuto = "next-auto"
  /// To the following page, by the viewer.
  case nextTap = "next-tap"
  /// To the following page, the page's duration unknown.
  case next = "next"
  /// The story finished.
  case finished = "finished"
  /// The button was tapped, and nothing followed.
  case tappedOut = "tapped-out"
  /// To page 0 from the end.
  case looped = "looped"
  /// To the page before.
  case back = "back"
  /// The viewer left.
  case exited = "exited"
  /// A lost event hides it.
  case unknown = "unknown"

  /// What the legend says.
  var title: String {
    switch self {
    case .nextAuto: "next, by timer"
    case .nextTap: "next, by the viewer"
    case .next: "next"
    case .finished: "finished"
    case .tappedOut: "tapped out"
    case .looped: "looped"
    case .back: "back"
    case .exited: "exited"
    case .unknown: "unknown"
    }
  }

  /// How many impressions ended so. The three kinds of next add up to all of them.
  func count(_ departures: Departures) -> Int {
    switch self {
    case .nextAuto: departures.nextAuto ?? 0
    case .nextTap: departures.nextTap ?? 0
    case .next: departures.next - (departures.nextAuto ?? 0) - (departures.nextTap ?? 0)
    case .finished: departures.finished
    case .tappedOut: departures.tappedOut
    case .looped: departures.looped
    case .back: departures.back
    case .exited: departures.exited
    case .unknown: departures.unknown
    }
  }

  /// How a shape is filled.
  var fill: String { "url(#fill-\(rawValue))" }

  /// The marks of the pattern on its 8 × 8 tile; none for those that are told by their colour and place alone.
  private var marks: HTML {
    switch self {
    case .next, .finished: .nothing
    case .nextAuto: HTML("circle", ["cx": "4", "cy": "4", "r": "1.2", "class": "mark"])
    case .nextTap: HTML("rect", ["width": "3", "height": "8", "class": "mark-next"])
    case .tappedOut: HTML("rect", ["width": "8", "height": "2.5", "class": "mark"])
    case .looped:
      HTML.several([
        HTML("rect", ["width": "2", "height": "8", "class": "mark"]),
        HTML("rect", ["width": "8", "height": "2", "class": "mark"]),
      ])
    case .back: HTML("rect", ["width": "2", "height": "8", "class": "mark"])
    case .exited: HTML("rect", ["width": "2.5", "height": "8", "class": "mark"])
    case .unknown: HTML("circle", ["cx": "4", "cy": "4", "r": "1.8", "class": "mark-unknown"])
    }
  }

  private var turn: String? {
    switch self {
    case .nextTap: "rotate(45)"
    case .exited: "rotate(-45)"
    case .looped: "rotate(45)"
    case .next, .finished, .nextAuto, .tappedOut, .back, .unknown: nil
    }
  }

  /// The pattern, for the definitions of the page.
  var pattern: HTML {
    HTML(
      "pattern",
      [
        "id": "fill-\(rawValue)", "width": "8", "height": "8", "patternUnits": "userSpaceOnUse",
        "patternTransform": turn,
      ]
    ) {
      HTML("rect", ["width": "8", "height": "8", "class": "tone-\(rawValue)"])
      marks
    }
  }
}

/// A bar a page: its impressions, parted by how they ended.
struct DeparturesChart {
  private let rates: FunnelRates

  /// Shares from which there is room for a number.
  private static let labelledShare = 0.13

  init(_ rates: FunnelRates) { self.rates = rates }

  /// The legend and the drawing, in parts where there are many pages.
  var html: HTML {
    let pages = rates.counts.pages
    let kinds = DepartureKind.allCases.filter { kind in pages.contains { kind.count($0.departures) > 0 } }
    return .several([
      HTML("svg", ["class": "definitions", "aria-hidden": "true"]) {
        HTML("defs") { for kind in kinds { kind.pattern } }
      },
      HTML("ul", ["class": "legend", "aria-label": "Legend"]) {
        for kind in kinds {
          HTML("li") {
            HTML("svg", ["width": "22", "height": "16", "aria-hidden": "true"]) {
              HTML("rect", ["width": "22", "height": "16", "fill": kind.fill])
            }
            kind.title
          }
        }
      },
      ChartParts.html(PageRuns.runs(pages, isUnseen: \.isUnseen)) { part, runs in drawing(part, runs, kinds) },
    ])
  }

  private func drawing(_ part: Int, _ runs: ArraySlice<Range<Int>>, _ kinds: [DepartureKind]) -> HTML {
    let last = (runs.last?.upperBound ?? 1) - 1
    var chart = Chart(
      id: "departures-chart-\(part)",
      title: "How impressions ended, pages \(runs.first?.lowerBound ?? 0) to \(last)",
      description: "A bar a page, parted by how its impressions ended. The table below has all numbers.")
    for run in runs {
      guard run.count == 1 else {
        chart.text(PageRuns.remark(run), at: 0, top: 16, class: "faint")
        chart.advance(30)
        continue
      }
      let page = rates.counts.pages[run.lowerBound]
      chart.label(PageName.html(page), width: 0.62)
      chart.text(FigureText.count(page.impressions, "impression"), at: 1, top: 14, class: "end faint")
      chart.advance(22)
      chart.rectangle(width: 1, height: 26, class: "fill-track")
      segments(page, kinds, &chart)
      chart.advance(38)
    }
    return chart.html
  }

  private func segments(_ page: PageCounts, _ kinds: [DepartureKind], _ chart: inout Chart) {
    guard page.impressions > 0 else { return }
    let total = Double(page.impressions)
    var begin = 0
    var labels: [(text: String, middle: Double)] = []
    for kind in kinds {
      let count = kind.count(page.departures)
      guard count > 0 else { continue }
      let share = Double(count) / total
      chart.rectangle(from: Double(begin) / total, width: share, height: 26, fill: kind.fill)
      if begin > 0 { chart.line(from: (Double(begin) / total, 0), to: (Double(begin) / total, 26), class: "gap") }
      if share >= Self.labelledShare {
        labels.append((FigureText.percent(share), (Double(begin) + Double(count) / 2) / total))
      }
      begin += count
    }
    for label in labels { chart.text(label.text, at: label.middle, top: 18, class: "middle on-fill") }
  }
}
