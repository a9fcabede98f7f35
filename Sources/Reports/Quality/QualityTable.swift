import FunnelDocument
import PrintedText

/// A quality report for people: fits 80 columns and grows with the terminal.
struct QualityTable {
  let report: QualityReport
  let words: QualityText
  let ink: Ink
  let columns: Int

  init(_ report: QualityReport, _ style: TextStyle) {
    self.report = report
    words = QualityText(report)
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: 80...120)
  }

  /// The whole table, with a newline at its end.
  var text: String {
    var blocks = [heading]
    if let explanation = report.explanation {
      blocks.append(wrapped(explanation))
    } else {
      blocks += [verdict, totals]
      if report.total.sessions > 0 { blocks += [versionLines, dayLines, cellLines] }
    }
    blocks += [yesterdayLines, fateLines, rejectionLines, fallbackLines, remarks]
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var heading: [String] {
    let scope = ScopeText(quality: report)
    let lines = wrapped("\(scope.range) · \(scope.apps)") + (scope.filters.map { wrapped($0) } ?? [])
    return [ink.strong(DisplayWidth.cut("Quality of \(scope.story)", to: columns))] + lines.map(ink.faint)
  }

  private var verdict: [String] {
    guard !report.verdict.isEmpty else { return [ink.strong("Nothing found that makes these numbers doubtful.")] }
    var lines = [ink.strong("What makes these numbers doubtful, worst first:")]
    for (number, finding) in report.verdict.enumerated() {
      let sentence = wrapped("\(finding.sentence) \(finding.advice)", indent: 4)
      let paint = finding.severity == .serious ? ink.loss : ink.caution
      lines.append(right("\(number + 1). ", 4) + paint(String(sentence.first?.dropFirst(4) ?? "")))
      lines += sentence.dropFirst().map(paint)
      lines += command(finding.command, indent: 6)
    }
    return lines
  }

  private var totals: [String] {
    let total = report.total
    let missing =
      total.missingEvents == 0
      ? "none is missing"
      : "\(FigureText.count(total.missingEvents)) missing (\(FigureText.percent(total.missingRate.value))) in "
        + FigureText.count(total.sessionsWithMissingEvents, "session")
    var lines = wrapped(
      "\(FigureText.count(report.presentations, "presentation")), \(FigureText.count(total.sessions, "session")), "
        + "\(FigureText.count(total.expectedEvents, "event")) expected, \(missing).")
    let delay = report.delay
    if delay.sessions > 0 {
      let odd =
        delay.startsAfterArrival > 0
        ? " \(FigureText.count(delay.startsAfterArrival, "start")) seemed to lie after the arrival." : ""
      lines += wrapped(
        "From start to arrival: median \(words.length(delay.medianSeconds)), 90% within "
          + "\(words.length(delay.ninetiethPercentileSeconds)), 99% within "
          + "\(words.length(delay.ninetyNinthPercentileSeconds)).\(odd)")
    }
    return lines + clockLines
  }

  private var clockLines: [String] {
    let clocks = report.clocks
    let suspect = report.total.suspectClockSessions
    guard clocks.sessions + suspect > 0 else { return report.total.sessions > 0 ? ["No clock was off."] : [] }
    var parts: [String] = []
    if clocks.sessions > 0 {
      let ends = [
        clocks.furthestAheadSeconds.map { "furthest ahead \(words.length($0))" },
        clocks.furthestBehindSeconds.map { "furthest behind \(words.length($0))" },
      ].compactMap { $0 }
      parts.append(
        "Clocks off by more than 5 minutes: \(FigureText.count(clocks.sessions, "session")), by "
          + "\(words.length(clocks.medianSeconds)) in the median, 90% within "
          + "\(words.length(clocks.ninetiethPercentileSeconds)), \(ends.joined(separator: ", ")).")
    }
    if suspect > 0 { parts.append("Clocks that cannot be right: \(FigureText.count(suspect, "session")).") }
    return wrapped(parts.joined(separator: " "))
  }

  /// Nothing where the verdict has it.
  private var yesterdayLines: [String] {
    guard let yesterday = report.yesterday, !report.verdict.contains(where: { $0.code == .yesterdayIncomplete }) else {
      return []
    }
    return wrapped(words.yesterday(yesterday))
  }

  // MARK: Pieces

  func nameWidth(_ names: [String], least: Int, beside others: Int) -> Int {
    min(max(names.map { DisplayWidth.columns(of: $0) + 1 }.max() ?? 0, least), columns - others)
  }

  /// A count; a dot for none, so that the eye finds what is there.
  func number(_ count: Int) -> String { count == 0 ? "·" : FigureText.count(count) }

  /// Cells that never touch: one strange event has the number 2,147,483,647, and then as many are expected.
  func cells(_ cells: [(text: String, width: Int)]) -> String {
    cells.map { right(DisplayWidth.columns(of: $0.text) < $0.width ? $0.text : FigureText.short($0.text), $0.width) }
      .joined()
  }

  func right(_ text: String, _ width: Int) -> String { DisplayWidth.pad(text, to: width, isRightAligned: true) }

  func left(_ text: String, _ width: Int) -> String {
    DisplayWidth.pad(DisplayWidth.cut(text, to: max(0, width - 1)), to: width)
  }

  /// A command over as many lines as it takes, so that it can be pasted; one word may be wider than the table.
  func command(_ words: [String], indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    for word in words {
      let width = DisplayWidth.columns(of: (lines.last ?? margin) + " " + word)
      guard let last = lines.popLast() else {
        lines.append(margin + word)
        continue
      }
      lines += width + 2 <= columns ? [last + " " + word] : [last + " \\", margin + "  " + word]
    }
    return lines
  }

  /// Breaks a text between words so that no line is wider than the table.
  func wrapped(_ text: String, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    return WrappedText.lines(text, columns: columns - indent).map { margin + $0 }
  }
}
