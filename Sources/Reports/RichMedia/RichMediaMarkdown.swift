import FunnelDocument
import PrintedText

/// Rich media for issues, pages and chats: GitHub's Markdown.
struct RichMediaMarkdown {
  let text: String

  init(_ richMedia: RichMedia) {
    let report = richMedia.report
    var blocks = [Self.contents(report), RichMediaText.hidden(report.hiddenContents)].compactMap { $0 }
    if let groups = report.groups {
      blocks.append(Self.groups(richMedia, groups))
      if let others = ScopeText.others(groups.last?.mergedGroups) { blocks.append(others) }
    }
    text = MarkdownText.document(
      "Rich media", ScopeText(richMedia: richMedia), explanation: richMedia.explanation, blocks: blocks,
      remarks: RichMediaText.completeness(report), definitions: RichMediaReport.definitions)
  }

  private static let numbers = [
    "presentations", "shown", "deferred", "failed", "failing", "95%", "closed", "by timer", "open or lost",
    "waiting or lost", "wait", "p90", "open", "p90",
  ]

  private static func contents(_ report: RichMediaReport) -> String {
    let lines = report.contents.map { names($0) + cells($0.counts, report) }
    return MarkdownText.table(
      ["app", "content code"] + numbers, textColumns: 2,
      lines + [["", RichMediaText.total(report)] + cells(report.total, report)])
  }

  private static func groups(_ richMedia: RichMedia, _ groups: [RichMediaGroup]) -> String {
    let field = MarkdownText.escaped(DisplayText.escaped(richMedia.groupedBy ?? "group"))
    var rows: [[String]] = []
    for group in groups {
      let name = MarkdownText.escaped(ScopeText.groupName(group.name, mergedGroups: group.mergedGroups))
      rows.append([name, "", "all"] + cells(group.counts, richMedia.report))
      for line in group.contents { rows.append([name] + names(line) + cells(line.counts, richMedia.report)) }
    }
    return MarkdownText.table([field, "app", "content code"] + numbers, textColumns: 3, rows)
  }

  private static func names(_ line: RichMediaLine) -> [String] {
    [line.app.map(DisplayText.escaped) ?? "", RichMediaText.name(line, withApp: false)].map(MarkdownText.escaped)
  }

  private static func cells(_ counts: RichMediaCounts, _ report: RichMediaReport) -> [String] {
    let rates = report.rates(of: counts)
    var cells = [FigureText.count(counts.presentations), FigureText.count(counts.shown)]
    cells += [FigureText.count(counts.deferred), FigureText.count(counts.failed)]
    cells += [FigureText.percent(rates.failed.value), FigureText.interval(rates.failed.wilsonInterval)]
    cells += [FigureText.count(counts.closed), counts.closedByTimer.map { FigureText.count($0) } ?? FigureText.none]
    cells += [FigureText.count(counts.openOrLost), FigureText.count(counts.waitingOrLost)]
    for length in [counts.wait, counts.open] {
      cells.append(FigureText.length(milliseconds: length.medianMilliseconds))
      cells.append(FigureText.length(milliseconds: length.ninetiethPercentileMilliseconds))
    }
    return cells
  }
}
