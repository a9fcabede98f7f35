import FunnelDocument
import PrintedText

/// A report of buttons for people: a line a category, and below it a line a button. Fits 60 columns and grows with the terminal.
struct ButtonsTable {
  private let buttons: Buttons
  private let report: ButtonsReport
  private let ink: Ink
  private let columns: Int
  private let namesApps: Bool

  private static let usefulColumns = 60...120
  private static let countWidth = 10
  private static let shareWidth = 8
  private static let intervalWidth = 13
  private static let narrowestName = 16
  /// Below, there is no room for intervals.
  private static let columnsForIntervals = 76

  init(_ buttons: Buttons, _ style: TextStyle) {
    self.buttons = buttons
    report = buttons.report
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: Self.usefulColumns)
    namesApps = ButtonsText.namesApps(buttons.report)
  }

  /// The whole table, with a newline at its end.
  var text: String {
    let scope = ScopeText(buttons: buttons)
    var heading = [ink.strong("Answers to notifications")]
    heading += wrapped("\(scope.range) · \(scope.apps)").map(ink.faint)
    if let filters = scope.filters { heading += wrapped(filters).map(ink.faint) }
    var blocks = [heading]
    if let explanation = buttons.explanation {
      blocks.append(wrapped(explanation))
    } else {
      blocks += categoryBlocks
      if let hidden = ButtonsText.hidden(report.hiddenCategories) { blocks.append(wrapped(hidden).map(ink.faint)) }
      if let groups = report.groups { blocks.append(groupLines(groups)) }
    }
    let isWhole = report.total.missingEvents == 0
    blocks.append(
      wrapped(ButtonsText.legend(report).joined(separator: " ")).filter { !$0.isEmpty }.map(ink.faint)
        + wrapped(ButtonsText.completeness(report).joined(separator: " ")).filter { !$0.isEmpty }
        .map(isWhole ? ink.faint : ink.caution)
        + (scope.freshness.map { wrapped($0).map(ink.faint) } ?? []))
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  // MARK: Categories

  /// A line before it is laid out.
  private struct Line {
    var name: String
    var traits = ""
    var responses: Int
    var share: Rate?
    var isHead = false
  }

  private var categoryBlocks: [[String]] {
    var blocks = report.categories.map(lines)
    if report.categories.count + report.hiddenCategories > 1 {
      let rates = report.rates(of: report.total)
      blocks.append(
        [Line(name: ButtonsText.total(report), responses: report.total.responses, isHead: true)]
          + [Line(name: "by a button", responses: report.total.buttonResponses, share: rates.buttons)] + ends(rates))
    }
    let all = blocks.flatMap { $0 }
    let fixed = Self.countWidth + Self.shareWidth + intervalWidth
    let traitsWanted = (all.map { DisplayWidth.columns(of: $0.traits) }.max() ?? 0) + 2
    let traitsWidth = min(traitsWanted, columns - fixed - Self.narrowestName)
    let wantedName = (all.map { DisplayWidth.columns(of: $0.name) + ($0.isHead ? 0 : 2) }.max() ?? 0)
    let nameWidth = min(max(wantedName, Self.narrowestName), columns - fixed - traitsWidth)
    let header =
      DisplayWidth.pad("category and button", to: nameWidth + traitsWidth)
      + right("responses", Self.countWidth) + right("share", Self.shareWidth)
      + right(intervalWidth > 0 ? "95%" : "", intervalWidth)
    return [[ink.faint(header)] + (blocks.first ?? []).map { laidOut($0, nameWidth, traitsWidth) }]
      + blocks.dropFirst().map { $0.map { laidOut($0, nameWidth, traitsWidth) } }
  }

  private var intervalWidth: Int { columns >= Self.columnsForIntervals ? Self.intervalWidth : 0 }

  private func lines(_ category: CategoryLine) -> [Line] {
    let app = namesApps ? category.app.map { DisplayText.escaped($0) + ": " } ?? "" : ""
    let rates = report.rates(of: category.counts)
    let head = Line(
      name: app + ButtonsText.category(category), traits: ButtonsText.note(category) ?? "",
      responses: category.counts.responses, isHead: true)
    return [head]
      + category.buttons.map { button in
        Line(
          name: ButtonsText.button(button), traits: ButtonsText.traits(button), responses: button.responses,
          share: rates.share(button.responses))
      } + ends(rates)
  }

  private func ends(_ rates: ResponseRates) -> [Line] {
    [
      Line(name: "plain opens", responses: rates.counts.opens, share: rates.opens),
      Line(name: "dismissals", responses: rates.counts.dismissals, share: rates.dismissals),
    ]
  }

  private func laidOut(_ line: Line, _ nameWidth: Int, _ traitsWidth: Int) -> String {
    let name = (line.isHead ? "" : "  ") + line.name
    let shown = DisplayWidth.pad(DisplayWidth.cut(name, to: nameWidth), to: nameWidth)
    let traits =
      traitsWidth < 3
      ? DisplayWidth.pad("", to: max(0, traitsWidth))
      : "  " + DisplayWidth.pad(DisplayWidth.cut(line.traits, to: traitsWidth - 2), to: traitsWidth - 2)
    let count = right(FigureText.count(line.responses), Self.countWidth)
    guard let share = line.share else {
      return trimmed((line.isHead ? ink.strong(shown) : shown) + ink.faint(traits) + count)
    }
    return trimmed(
      shown + ink.faint(traits) + count + right(FigureText.percent(share.value), Self.shareWidth)
        + (intervalWidth > 0 ? ink.faint(right(FigureText.interval(share.wilsonInterval), intervalWidth)) : ""))
  }

  // MARK: Groups

  /// A line a group: how its notifications were answered. The buttons of each group are in the forms for programs.
  private func groupLines(_ groups: [ButtonsGroup]) -> [String] {
    let names = groups.map(ButtonsText.group)
    let field = DisplayText.escaped(buttons.groupedBy ?? "group")
    let showsIntervals = columns >= 80
    let rateWidth = showsIntervals ? 19 : 12
    let free = columns - Self.countWidth - 3 * rateWidth
    let nameWidth = min(max(names.map { DisplayWidth.columns(of: $0) }.max() ?? 0, field.count, 8), free)
    var lines = [
      ink.faint(
        left(field, nameWidth) + right("responses", Self.countWidth)
          + ["by a button", "opens", "dismissals"].map { right($0, rateWidth) }.joined())
    ]
    for (name, group) in zip(names, groups) {
      let rates = report.rates(of: group.counts)
      let cells = [rates.buttons, rates.opens, rates.dismissals].map { rate in
        let percent = FigureText.percent(rate.value)
        guard showsIntervals else { return right(percent, rateWidth) }
        return right(percent, 7) + ink.faint(right(FigureText.interval(rate.wilsonInterval), rateWidth - 7))
      }
      lines.append(
        left(name, nameWidth) + right(FigureText.count(group.counts.responses), Self.countWidth) + cells.joined())
    }
    if let others = ScopeText.others(groups.last?.mergedGroups) { lines += wrapped(others).map(ink.faint) }
    return lines
  }

  // MARK: Pieces

  private func left(_ text: String, _ width: Int) -> String {
    DisplayWidth.pad(DisplayWidth.cut(text, to: width), to: width)
  }

  private func right(_ text: String, _ width: Int) -> String {
    DisplayWidth.pad(text, to: width, isRightAligned: true)
  }

  private func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private func wrapped(_ text: String) -> [String] { WrappedText.lines(text, columns: columns) }
}
