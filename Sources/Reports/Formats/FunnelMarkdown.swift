import FunnelDocument
import PrintedText

/// A funnel for issues, pages and chats: GitHub's Markdown.
struct FunnelMarkdown {
  let text: String

  init(_ funnel: Funnel) {
    let scope = ScopeText(funnel: funnel)
    let report = funnel.report
    var blocks = ["## Funnel of \(Self.escaped(scope.story))"]
    let facts = [scope.range, scope.apps, scope.environments].compactMap { $0 }.map(Self.escaped)
    blocks.append(facts.joined(separator: " · ") + (report.scope.order == .strict ? " · strict order" : ""))
    if let explanation = funnel.explanation {
      blocks.append(explanation)
    } else {
      blocks.append(Self.totals(report))
      if !report.total.pages.isEmpty {
        blocks += [Self.pages(report.rates), "How impressions ended:", Self.departures(report.total)]
      }
      if let groups = report.groups { blocks.append(Self.groups(funnel, groups)) }
    }
    let remarks = CompletenessText.sentences(report.total).map(Self.escaped)
    if !remarks.isEmpty { blocks.append(remarks.map { "- \($0)" }.joined(separator: "\n")) }
    if let stories = scope.stories { blocks.append(Self.escaped(stories)) }
    if let freshness = scope.freshness { blocks.append("_\(freshness) Definitions \(FunnelReport.definitions)._") }
    text = blocks.joined(separator: "\n\n") + "\n"
  }

  private static func totals(_ report: FunnelReport) -> String {
    let rates = report.rates
    let counts = report.total
    return table(
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
    table(
      ["page", "title", "sessions", "reached", "95%", "step", "completed", "exited", "tapped", "dwell", "p90"],
      textColumns: 2,
      zip(rates.counts.pages, rates.pages).map { page, rates in
        [
          String(page.index), escaped(DisplayText.escaped(page.title ?? "")), FigureText.count(rates.reach.numerator),
          FigureText.percent(rates.reach.value), FigureText.interval(rates.reach.wilsonInterval),
          FigureText.percent(rates.step?.value), FigureText.percent(rates.completion.value),
          FigureText.percent(rates.exit.value), FigureText.percent(rates.tapThrough.value),
          FigureText.length(milliseconds: page.dwell.medianMilliseconds),
          FigureText.length(milliseconds: page.dwell.ninetiethPercentileMilliseconds),
        ]
      })
  }

  private static func departures(_ counts: FunnelCounts) -> String {
    table(
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
    table(
      [escaped(funnel.groupedBy ?? "group"), "sessions", "finished", "95%", "reached last", "95%", "tapped", "95%"],
      textColumns: 1,
      groups.map { group in
        let rates = funnel.report.rates(of: group.counts)
        let cells = [rates.completion, rates.reachedLast, rates.tap].flatMap {
          [FigureText.percent($0.value), FigureText.interval($0.wilsonInterval)]
        }
        return [escaped(ScopeText.groupName(group)), FigureText.count(group.counts.sessions)] + cells
      })
  }

  /// - Parameter textColumns: how many columns, from the left, are not numbers.
  private static func table(_ header: [String], textColumns: Int, _ rows: [[String]]) -> String {
    let rule = header.indices.map { $0 < textColumns ? "---" : "---:" }
    return ([header, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  /// A sender's text as plain text: no markup, no table cell's end, no link, nobody's name called.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "$": result += "\\\(scalar)"
      case "<", ">", "&", "@": result += "&#\(scalar.value);"
      case _: result.unicodeScalars.append(scalar)
      }
    }
    return result.replacing("://", with: ":&#47;/")
  }
}
