import FunnelDocument
import PrintedText

/// A funnel for issues, pages and chats: GitHub's Markdown.
struct FunnelMarkdown {
  let text: String

  init(_ funnel: Funnel) {
    let scope = ScopeText(funnel: funnel)
    let report = funnel.report
    var blocks = ["## Funnel of \(MarkdownText.escaped(scope.story))"]
    let facts = [scope.range, scope.apps, scope.environments, scope.filters].compactMap { $0 }.map(MarkdownText.escaped)
    blocks.append(facts.joined(separator: " · ") + (report.scope.order == .strict ? " · strict order" : ""))
    if let explanation = funnel.explanation {
      blocks.append(explanation)
    } else {
      blocks.append(Self.totals(report))
      if !report.total.pages.isEmpty {
        blocks += [Self.pages(report.rates), "How impressions ended:", Self.departures(report.total)]
      }
      if let devices = ScopeText.devices(report) { blocks.append(devices) }
      if let groups = report.groups {
        blocks.append(Self.groups(funnel, groups))
        if let others = ScopeText.others(groups) { blocks.append(others) }
      }
    }
    let sentences = CompletenessText.sentences(report.total) + PageChangeText.sentences(funnel.pageChanges)
    let remarks = sentences.map(MarkdownText.escaped)
    if !remarks.isEmpty { blocks.append(remarks.map { "- \($0)" }.joined(separator: "\n")) }
    if let stories = scope.stories { blocks.append(MarkdownText.escaped(stories)) }
    if let freshness = scope.freshness { blocks.append("_\(freshness) Definitions \(FunnelReport.definitions)._") }
    text = blocks.joined(separator: "\n\n") + "\n"
  }

  private static func totals(_ report: FunnelReport) -> String {
    let rates = report.rates
    let counts = report.total
    return MarkdownText.table(
      ["", "count", "rate", "95%"], textColumns: 1,
      [
        ["presentations", FigureText.count(counts.presentations), "", ""],
        row("fallbacks", rates.fallback), ["sessions", FigureText.count(counts.sessions), "", ""],
        row("finished", rates.completion), row("reached last", rates.reachedLast), row("tapped", rates.tap),
      ])
  }

  private static func row(_ name: String, _ rate: Rate) -> [String] {
    [name, FigureText.count(rate.numerator), FigureText.percent(rate.value), FigureText.interval(rate.wilsonInterval)]
  }

  private static func pages(_ rates: FunnelRates) -> String {
    MarkdownText.table(
      ["page", "title", "sessions", "reached", "95%", "step", "completed", "exited", "tapped", "dwell", "p90"],
      textColumns: 2,
      zip(rates.counts.pages, rates.pages).map { page, rates in
        [
          String(page.index), MarkdownText.escaped(DisplayText.escaped(page.title ?? "")),
          FigureText.count(rates.reach.numerator),
          FigureText.percent(rates.reach.value), FigureText.interval(rates.reach.wilsonInterval),
          FigureText.percent(rates.step?.value), FigureText.percent(rates.completion.value),
          FigureText.percent(rates.exit.value), FigureText.percent(rates.tapThrough.value),
          FigureText.length(milliseconds: page.dwell.medianMilliseconds),
          FigureText.length(milliseconds: page.dwell.ninetiethPercentileMilliseconds),
        ]
      })
  }

  private static func departures(_ counts: FunnelCounts) -> String {
    MarkdownText.table(
      [
        "page", "impressions", "next", "by timer", "by viewer", "back", "looped", "finished", "button", "exited",
        "unknown",
      ], textColumns: 1,
      counts.pages.map { page in
        let departures = page.departures
        let cells: [Int?] = [
          page.impressions, departures.next, departures.nextAuto, departures.nextTap, departures.back,
          departures.looped, departures.finished, departures.tappedOut, departures.exited, departures.unknown,
        ]
        return [String(page.index)] + cells.map { $0.map { FigureText.count($0) } ?? FigureText.none }
      })
  }

  private static func groups(_ funnel: Funnel, _ groups: [FunnelGroup]) -> String {
    MarkdownText.table(
      [
        MarkdownText.escaped(DisplayText.escaped(funnel.groupedBy ?? "group")), "sessions", "finished", "95%",
        "reached last", "95%", "tapped", "95%",
      ] + (funnel.report.devices == nil ? [] : ["devices", "with a device"]),
      textColumns: 1,
      groups.map { group in
        let rates = funnel.report.rates(of: group.counts)
        var cells = [rates.completion, rates.reachedLast, rates.tap].flatMap {
          [FigureText.percent($0.value), FigureText.interval($0.wilsonInterval)]
        }
        if let devices = group.devices {
          let share = devices.share(ofPresentations: group.counts.presentations, isHidden: rates.areHidden)
          cells += [FigureText.count(devices.distinct), FigureText.percent(share.value)]
        }
        return [MarkdownText.escaped(ScopeText.groupName(group)), FigureText.count(group.counts.sessions)] + cells
      })
  }
}
