import FunnelDocument
import PrintedText

extension FunnelTable {
  /// A line a group: its sessions, its rates with their intervals, and a miniature of its reach by page.
  func groupLines(_ groups: [FunnelGroup]) -> [String] {
    let countWidth = max(9, FigureText.count(rates.counts.sessions).count + 1)
    // A narrow terminal has no room for intervals and pictures.
    let showsIntervals = columns >= 80
    let rateWidth = showsIntervals ? 18 : 13
    let pageCount = showsIntervals ? min(rates.counts.pages.count, 12) : 0
    let pageWidth = pageCount > 0 ? 1 + max(pageCount, 5) : 0
    let longest = groups.map { DisplayWidth.columns(of: ScopeText.groupName($0)) }.max() ?? 0
    let field = DisplayText.escaped(funnel.groupedBy ?? "group")
    let nameWidth = min(
      max(longest, DisplayWidth.columns(of: field), 8), columns - countWidth - 3 * rateWidth - pageWidth)
    var lines = [
      ink.faint(
        left(field, nameWidth) + right("sessions", countWidth)
          + ["finished", "reached last", "tapped"].map { right($0, rateWidth) }.joined()
          + (pageCount > 0 ? " pages" : ""))
    ]
    for group in groups {
      let rates = funnel.report.rates(of: group.counts)
      let cells = [rates.completion, rates.reachedLast, rates.tap].map { rate in
        let percent = FigureText.percent(rate.value)
        guard showsIntervals else { return right(percent, rateWidth) }
        return right(percent, 7) + ink.faint(right(FigureText.interval(rate.wilsonInterval), rateWidth - 7))
      }
      let shares = rates.pages.prefix(pageCount).map { $0.reach.value ?? 0 }
      lines.append(
        left(ScopeText.groupName(group), nameWidth) + right(FigureText.count(group.counts.sessions), countWidth)
          + cells.joined() + (pageCount > 0 ? " " + ink.bar(Bar.miniature(shares)) : ""))
    }
    return lines
  }
}
