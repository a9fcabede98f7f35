import FunnelDocument
import PrintedText

/// A comparison for issues, pages and chats: GitHub's Markdown.
struct ComparisonMarkdown {
  let text: String
  private let comparison: Comparison

  init(_ comparison: Comparison) {
    self.comparison = comparison
    var blocks = ["## Comparison of A and B"]
    blocks.append(
      [("A", comparison.a), ("B", comparison.b)].map { name, side in
        let facts = [DisplayText.escaped(side.label), side.scopeText, side.sizeText].map(MarkdownText.escaped)
        return "- **\(name)**: \(facts.joined(separator: " · "))"
      }.joined(separator: "\n"))
    blocks.append(comparison.conclusions.map { "- \(MarkdownText.escaped($0))" }.joined(separator: "\n"))
    if !comparison.isEmpty {
      var rows = comparison.rates.map { Self.row($0.name.shortTitle, $0, comparison) }
      for run in comparison.pageRuns { rows += Self.rows(run, comparison) }
      blocks.append(
        MarkdownText.table(["", "A", "B", "B − A", "95%", "p", "adjusted p"], textColumns: 1, rows))
      blocks.append(
        "Differences are in percentage points; p-values are adjusted by Holm's method over all of the table.")
    }
    let freshness = comparison.freshness.map { "\($0) " } ?? ""
    blocks.append("_\(freshness)Definitions \(FunnelReport.definitions)._")
    text = blocks.joined(separator: "\n\n") + "\n"
  }

  private static func rows(_ run: Range<Int>, _ comparison: Comparison) -> [[String]] {
    guard run.count == 1 else {
      let empty = [String](repeating: "", count: 6)
      return [[PageRuns.remark(run)] + empty]
    }
    let page = comparison.pages[run.lowerBound]
    let title = page.commonTitle.map { " (\(MarkdownText.escaped($0)))" } ?? ""
    return page.rates.enumerated().map { place, rate in
      row("page \(page.index)\(place == 0 ? title : ""): \(rate.name.shortTitle)", rate, comparison)
    }
  }

  private static func row(_ name: String, _ rate: ComparedRate, _ comparison: Comparison) -> [String] {
    let compared = rate.comparison
    let difference = DifferenceText.points(compared.difference)
    return [
      name, FigureText.percent(compared.a.value), FigureText.percent(compared.b.value),
      comparison.holds(rate) ? "**\(difference)**" : difference, DifferenceText.interval(compared.differenceInterval),
      MarkdownText.escaped(DifferenceText.pValue(compared.pValue)),
      MarkdownText.escaped(DifferenceText.pValue(rate.adjustedPValue)),
    ]
  }
}
