import FunnelDocument
import PrintedText

extension FunnelTable {
  /// A line a group: its sessions, its rates with their intervals, and a miniature of its reach by page.
  func groupLines(_ groups: [FunnelGroup]) -> [String] {
    let countWidth = max(9, FigureText.count(rates.counts.sessions).count + 1)
    let showsDevices = funnel.report.devices != nil
    // A narrow terminal has no room for intervals, pictures and shares of devices.
    let shareWidth = columns >= 74 ? Self.deviceShareWidth : 0
    let deviceWidth = showsDevices ? Self.deviceWidth + shareWidth : 0
    let showsIntervals = columns >= 80 + deviceWidth
    let rateWidth = showsIntervals ? 18 : 13
    let longest = groups.map { DisplayWidth.columns(of: ScopeText.groupName($0)) }.max() ?? 0
    let field = DisplayText.escaped(funnel.groupedBy ?? "group")
    let free = columns - countWidth - 3 * rateWidth - deviceWidth
    let wanted = max(longest, DisplayWidth.columns(of: field), 8)
    let pagesAtMost = columns >= 80 ? free - 1 - min(wanted, Self.narrowestName) : 0
    let pageCount = pagesAtMost >= 5 ? min(rates.counts.pages.count, 12, pagesAtMost) : 0
    let pageWidth = pageCount > 0 ? 1 + max(pageCount, 5) : 0
    let nameWidth = min(wanted, free - pageWidth)
    var lines = [
      ink.faint(
        left(field, nameWidth) + right("sessions", countWidth)
          + ["finished", "reached last", "tapped"].map { right($0, rateWidth) }.joined()
          + (showsDevices ? right("devices", Self.deviceWidth) + right(shareWidth > 0 ? "known" : "", shareWidth) : "")
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
          + cells.joined() + (showsDevices ? deviceCells(group, rates, shareWidth) : "")
          + (pageCount > 0 ? " " + ink.bar(Bar.miniature(shares)) : ""))
    }
    if let others = ScopeText.others(groups) { lines += wrapped(others).map(ink.faint) }
    if showsDevices, shareWidth > 0 {
      lines += wrapped("Known is the share of presentations that have a device.").map(ink.faint)
    }
    return lines
  }

  private func deviceCells(_ group: FunnelGroup, _ rates: FunnelRates, _ shareWidth: Int) -> String {
    let share = group.devices?.share(ofPresentations: group.counts.presentations, isHidden: rates.areHidden)
    return right(group.devices.map { FigureText.count($0.distinct) } ?? FigureText.none, Self.deviceWidth)
      + (shareWidth > 0 ? right(FigureText.percent(share?.value), shareWidth) : "")
  }

  private static let deviceWidth = 10
  private static let deviceShareWidth = 8
  /// A name longer than this is cut before the pictures go.
  private static let narrowestName = 11
}
