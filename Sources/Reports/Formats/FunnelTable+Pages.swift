import FunnelDocument
import PrintedText

extension FunnelTable {
  /// A line a page: bar, reach with its interval, exits, taps, dwell; between two pages, how many did not go on.
  var pageLines: [String] {
    let layout = PageLayout(self)
    var lines = [ink.faint(layout.header)]
    let pages = rates.counts.pages
    let pageRates = rates.pages
    for run in pageRuns {
      if run.count > 1 {
        lines.append(ink.faint(PageRuns.remark(run)))
        continue
      }
      let place = run.lowerBound
      if place > 0 { lines.append(dropOff(from: pageRates[place - 1].reach, to: pageRates[place].reach, layout)) }
      lines.append(pageLine(pages[place], pageRates[place], layout))
    }
    lines += wrapped("Exited and tapped are of those who reached the page; dwell is the median.").map(ink.faint)
    return lines
  }

  /// A line a page: how its impressions ended, in percent of them.
  var departureLines: [String] {
    let layout = PageLayout(self)
    let width = max(8, min(12, (columns - layout.nameWidth - 1) / 8))
    let nameWidth = columns < 80 ? columns - 8 * width : layout.nameWidth + 1
    let names = ["next", "auto", "back", "looped", "finish", "tapped", "exited", "unknown"]
    var lines = wrapped(
      "How impressions ended, of all impressions of the page; auto is the part of next that the timer made."
    )
    .map(ink.faint)
    lines += [
      ink.faint(left("page", nameWidth) + names.map { right($0, width) }.joined())
    ]
    for run in pageRuns where run.count == 1 {
      let page = rates.counts.pages[run.lowerBound]
      let departures = page.departures
      let counts: [Int?] = [
        departures.next, departures.nextAuto, departures.back, departures.looped, departures.finished,
        departures.tappedOut, departures.exited, departures.unknown,
      ]
      let cells = counts.map { count in
        right(
          count.map { FigureText.percent(Rate($0, of: page.impressions, isHidden: rates.areHidden).value) }
            ?? FigureText.none, width)
      }
      lines.append(left(layout.name(page), nameWidth) + cells.map { dimmed($0) }.joined())
    }
    return lines
  }

  private func pageLine(_ page: PageCounts, _ rates: PageRates, _ layout: PageLayout) -> String {
    var line = left(layout.name(page), layout.nameWidth) + " " + bar(rates.reach.value, width: layout.barWidth)
    line += ink.strong(right(FigureText.percent(rates.reach.value), 7))
    line += ink.faint(right(FigureText.interval(rates.reach.wilsonInterval), 11))
    line += right(FigureText.count(rates.reach.numerator), layout.countWidth)
    line += right(FigureText.percent(rates.exit.value), 7) + right(FigureText.percent(rates.tapThrough.value), 7)
    line += right(FigureText.length(milliseconds: page.dwell.medianMilliseconds), 8)
    if layout.showsNinetieth {
      line += right(FigureText.length(milliseconds: page.dwell.ninetiethPercentileMilliseconds), 8)
    }
    return line
  }

  private var pageRuns: [Range<Int>] { PageRuns.runs(rates.counts.pages, isUnseen: \.isUnseen) }

  /// How many of those who reached the page before did not reach this one.
  private func dropOff(from before: Rate, to after: Rate, _ layout: PageLayout) -> String {
    let lost = before.numerator - after.numerator
    let indent = String(repeating: " ", count: layout.nameWidth + 1)
    if lost == 0 { return indent + ink.faint(before.numerator > 0 ? "│ all went on" : "│") }
    let share =
      Rate(lost, of: before.numerator, isHidden: rates.areHidden).value.map { " (\(FigureText.percent(abs($0))))" }
      ?? ""
    if lost < 0 {
      return indent + ink.faint("│ +\(FigureText.count(-lost))\(share): showings of the page before were lost")
    }
    return indent + ink.loss("╰ −\(FigureText.count(lost))\(share)")
  }

  /// What is nothing steps back, so that the eye finds the rest.
  private func dimmed(_ cell: String) -> String {
    let text = cell.drop { $0 == " " }
    return text == "0.0%" || text == FigureText.none
      ? ink.faint(right(text == "0.0%" ? "·" : String(text), cell.count)) : cell
  }
}

/// Where the columns of the page lines stand.
private struct PageLayout {
  let nameWidth: Int
  let barWidth: Int
  let countWidth: Int
  let showsNinetieth: Bool
  private let numberWidth: Int

  init(_ table: FunnelTable) {
    let pages = table.rates.counts.pages
    numberWidth = String(max(0, pages.count - 1)).count
    countWidth = max(9, FigureText.count(table.rates.counts.sessions).count + 1)
    showsNinetieth = table.columns >= 88
    let fixed = 1 + 7 + 11 + countWidth + 7 + 7 + 8 + (showsNinetieth ? 8 : 0)
    let free = table.columns - fixed
    let longest = pages.map { DisplayWidth.columns(of: DisplayText.escaped($0.title ?? "")) }.max() ?? 0
    let wanted = max(numberWidth + (longest > 0 ? 1 + longest : 0), 4)
    // Half of the room for titles at most: the bars are what a funnel is.
    nameWidth = min(wanted, max(8, free / 2))
    barWidth = max(4, free - nameWidth)
  }

  var header: String {
    func right(_ text: String, _ width: Int) -> String { DisplayWidth.pad(text, to: width, isRightAligned: true) }
    return DisplayWidth.pad("page", to: nameWidth) + " " + DisplayWidth.pad("", to: barWidth) + right("reached", 7)
      + right("95%", 11) + right("sessions", countWidth) + right("exited", 7) + right("tapped", 7) + right("dwell", 8)
      + (showsNinetieth ? right("p90", 8) : "")
  }

  func name(_ page: PageCounts) -> String {
    let number = DisplayWidth.pad(String(page.index), to: numberWidth, isRightAligned: true)
    guard let title = page.title else { return number }
    return number + " " + DisplayText.escaped(title)
  }
}
