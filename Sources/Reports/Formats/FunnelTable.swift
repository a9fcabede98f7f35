import FunnelDocument
import PrintedText

/// A funnel for people: fits 80 columns and grows with the terminal.
struct FunnelTable {
  let funnel: Funnel
  let rates: FunnelRates
  let ink: Ink
  let columns: Int

  private static let usefulColumns = 64...160

  init(_ funnel: Funnel, _ style: TextStyle) {
    self.funnel = funnel
    rates = funnel.report.rates
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: Self.usefulColumns)
  }

  /// The whole table, with a newline at its end.
  var text: String {
    var blocks = [heading]
    if let explanation = funnel.explanation {
      blocks.append(wrapped(explanation))
    } else {
      blocks.append(totals)
      if !rates.counts.pages.isEmpty { blocks += [pageLines, departureLines] }
      if let groups = funnel.report.groups { blocks.append(groupLines(groups)) }
    }
    blocks.append(remarks)
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var heading: [String] {
    let scope = ScopeText(funnel: funnel)
    let order = funnel.report.scope.order == .strict ? " (pages in strict order)" : ""
    let lines =
      wrapped("\(scope.range) · \(scope.apps)") + (scope.environments.map(wrapped) ?? [])
      + (scope.filters.map(wrapped) ?? [])
    return [ink.strong(DisplayWidth.cut("Funnel of \(scope.story)\(order)", to: columns))] + lines.map(ink.faint)
  }

  /// The session rates: a bar, the rate, its interval, the count.
  private var totals: [String] {
    let counts = rates.counts
    let count = FigureText.count(counts.presentations, "presentation")
    let fallbacks =
      counts.fallbacks == 0
      ? "none fell back"
      : "\(FigureText.count(counts.fallbacks)) fell back (\(FigureText.percent(rates.fallback.value)))"
    var lines = wrapped("\(count), \(fallbacks), \(FigureText.count(counts.sessions, "session"))")
    let countWidth = max(FigureText.count(counts.sessions).count, 5)
    let barWidth = columns - 15 - 8 - 13 - countWidth - 1
    for (name, rate) in [("finished", rates.completion), ("reached last", rates.reachedLast), ("tapped", rates.tap)] {
      lines.append(
        "  " + DisplayWidth.pad(name, to: 13) + bar(rate.value, width: barWidth)
          + right(FigureText.percent(rate.value), 8)
          + ink.faint(right(FigureText.interval(rate.wilsonInterval), 13))
          + right(FigureText.count(rate.numerator), countWidth + 1)
      )
    }
    if let devices = ScopeText.devices(funnel.report) { lines += wrapped(devices) }
    if rates.areHidden {
      lines.append(
        ink.caution(
          "  Fewer than \(FigureText.count(rates.minimumCount, "presentation")), so rates are hidden (--min-count)."))
    }
    return lines
  }

  /// What stands below: how complete the numbers are, which stories they hold, how new they are.
  private var remarks: [String] {
    let scope = ScopeText(funnel: funnel)
    let facts = rates.counts.completeness
    let isWhole = facts.missingEvents == 0 && facts.sessionsWithoutStart == 0
    let sentences = CompletenessText.sentences(rates.counts).joined(separator: " ")
    var lines = wrapped(sentences).map(isWhole ? ink.faint : ink.caution)
    lines += PageChangeText.sentences(funnel.pageChanges).flatMap { wrapped($0) }
    if let stories = scope.stories { lines += wrapped(stories) }
    if let freshness = scope.freshness { lines += wrapped(freshness).map(ink.faint) }
    return lines
  }

  // MARK: Pieces

  /// A bar with the room behind it.
  func bar(_ share: Double?, width: Int) -> String {
    let bar = Bar.text(share ?? 0, width: width)
    return ink.bar(bar) + String(repeating: " ", count: max(0, width - bar.count))
  }

  func right(_ text: String, _ width: Int) -> String { DisplayWidth.pad(text, to: width, isRightAligned: true) }

  func left(_ text: String, _ width: Int) -> String { DisplayWidth.pad(DisplayWidth.cut(text, to: width), to: width) }

  /// Breaks a text between words so that no line is wider than the table.
  func wrapped(_ text: String) -> [String] { WrappedText.lines(text, columns: columns) }
}
