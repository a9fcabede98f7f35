import FunnelDocument
import PrintedText

/// A comparison for people: fits 80 columns and grows with the terminal.
struct ComparisonTable {
  private let comparison: Comparison
  private let ink: Ink
  private let columns: Int

  private static let usefulColumns = 64...120
  private static let rateWidth = 7
  private static let intervalWidth = 16

  init(_ comparison: Comparison, _ style: TextStyle) {
    self.comparison = comparison
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: Self.usefulColumns)
  }

  /// The whole table, with a newline at its end.
  var text: String {
    var blocks = [side("A", comparison.a) + side("B", comparison.b), conclusions]
    if !comparison.isEmpty {
      blocks.append([ink.faint(header)] + comparison.rates.map(line))
      for run in comparison.pageRuns { blocks.append(lines(run)) }
      blocks.append(
        wrapped(
          "B − A in percentage points. Reached is of the sessions, the other rates of a page are of those who reached it. "
            + "Adjusted p-values are by Holm's method over all of the table; * marks those below 0.05."
        ).map(ink.faint))
    }
    if let freshness = comparison.freshness { blocks[blocks.count - 1] += wrapped(freshness).map(ink.faint) }
    return blocks.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private func side(_ name: String, _ side: ComparedSide) -> [String] {
    let label = DisplayWidth.cut(DisplayText.escaped(side.label), to: columns - 3)
    let facts = WrappedText.lines("\(side.scopeText) · \(side.sizeText)", columns: columns - 3)
    return [ink.strong("\(name)  \(label)")] + facts.map { ink.faint("   \($0)") }
  }

  private var conclusions: [String] {
    comparison.conclusions.flatMap { sentence in
      WrappedText.lines(sentence, columns: columns - 2).enumerated().map { ($0 == 0 ? "• " : "  ") + $1 }
    }
  }

  // MARK: Rates

  private var nameWidth: Int { min(24, columns - 3 * Self.rateWidth - Self.intervalWidth - 2 * numberWidth - 1) }

  /// Of each p-value: a column more where there is room.
  private var numberWidth: Int { columns < 72 ? 7 : 9 }

  private var header: String {
    left("", nameWidth) + right("A", Self.rateWidth) + right("B", Self.rateWidth) + right("B − A", Self.rateWidth)
      + right("95%", Self.intervalWidth) + right("p", numberWidth) + right("adj. p", numberWidth)
  }

  private func line(_ rate: ComparedRate) -> String {
    let compared = rate.comparison
    let holds = comparison.holds(rate)
    let difference = right(DifferenceText.points(compared.difference), Self.rateWidth)
    return left((rate.pageIndex == nil ? "" : "  ") + rate.name.shortTitle, nameWidth)
      + right(FigureText.percent(compared.a.value), Self.rateWidth)
      + right(FigureText.percent(compared.b.value), Self.rateWidth) + (holds ? ink.strong(difference) : difference)
      + ink.faint(right(DifferenceText.interval(compared.differenceInterval), Self.intervalWidth))
      + right(DifferenceText.pValue(compared.pValue), numberWidth)
      + right(DifferenceText.pValue(rate.adjustedPValue), numberWidth) + (holds ? "*" : "")
  }

  private func lines(_ run: Range<Int>) -> [String] {
    guard run.count == 1 else {
      return [ink.faint(PageRuns.remark(run))]
    }
    let page = comparison.pages[run.lowerBound]
    let title = page.commonTitle.map { "  " + $0 } ?? ""
    return [DisplayWidth.cut("page \(page.index)\(title)", to: columns)] + page.rates.map(line)
  }

  // MARK: Pieces

  private func left(_ text: String, _ width: Int) -> String { DisplayWidth.pad(text, to: width) }

  private func right(_ text: String, _ width: Int) -> String {
    DisplayWidth.pad(text, to: width, isRightAligned: true)
  }

  private func wrapped(_ text: String) -> [String] { WrappedText.lines(text, columns: columns) }
}
