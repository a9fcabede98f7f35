import FunnelDocument
import PrintedText

/// Rich media for people: a line a content code, fits 80 columns and grows with the terminal.
///
/// A name that has no room beside the numbers has a line of its own: it is all that tells two contents apart.
struct RichMediaTable {
  private let richMedia: RichMedia
  private let report: RichMediaReport
  private let ink: Ink
  private let columns: Int

  private static let usefulColumns = 64...200

  /// A line with its name, and how far that is moved in.
  private struct Line {
    var name: String
    var rates: RichMediaRates
    var isStrong = false
  }

  init(_ richMedia: RichMedia, _ style: TextStyle) {
    self.richMedia = richMedia
    report = richMedia.report
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: Self.usefulColumns)
  }

  /// The whole table, with a newline at its end.
  var text: String {
    let scope = ScopeText(richMedia: richMedia)
    var heading = [ink.strong("Rich media")] + wrapped("\(scope.range) · \(scope.apps)").map(ink.faint)
    if let filters = scope.filters { heading += wrapped(filters).map(ink.faint) }
    var blocks = [heading]
    if let explanation = richMedia.explanation { blocks.append(wrapped(explanation)) } else { blocks += tables }
    blocks.append(remarks(scope))
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  // MARK: Lines

  private var tables: [[String]] {
    let contents =
      lines(report.contents) + [Line(name: RichMediaText.total(report), rates: report.rates(of: report.total))]
    let groups = report.groups.map(groupLines) ?? []
    let field = DisplayText.escaped(richMedia.groupedBy ?? "group")
    let names = (contents + groups).map(\.name) + ["content code"] + (groups.isEmpty ? [] : [field])
    let layout = RichMediaLayout(
      (contents + groups).map(\.rates), columns: columns,
      widestName: names.map { DisplayWidth.columns(of: $0) }.max() ?? 0)
    var table = [ink.faint(layout.header("content code"))] + contents.flatMap { printed($0, layout) }
    if let hidden = RichMediaText.hidden(report.hiddenContents) { table += wrapped(hidden).map(ink.faint) }
    var blocks = [table]
    if let shown = report.groups {
      var table = [ink.faint(layout.header(field))] + groups.flatMap { printed($0, layout) }
      if let others = ScopeText.others(shown.last?.mergedGroups) { table += wrapped(others).map(ink.faint) }
      blocks.append(table)
    }
    blocks.append(wrapped(RichMediaText.legend(layout.shown)).map(ink.faint))
    return blocks
  }

  private func lines(_ contents: [RichMediaLine], indent: String = "") -> [Line] {
    let namesApps = RichMediaText.namesApps(report)
    return contents.map {
      Line(name: indent + RichMediaText.name($0, withApp: namesApps), rates: report.rates(of: $0.counts))
    }
  }

  /// A line a group, and below it its content codes, where there are several at all.
  private func groupLines(_ groups: [RichMediaGroup]) -> [Line] {
    let namesContents = report.contents.count + report.hiddenContents > 1
    return groups.flatMap { group in
      [
        Line(
          name: ScopeText.groupName(group.name, mergedGroups: group.mergedGroups),
          rates: report.rates(of: group.counts), isStrong: namesContents)
      ] + (namesContents ? lines(group.contents, indent: "  ") : [])
    }
  }

  private func printed(_ line: Line, _ layout: RichMediaLayout) -> [String] {
    let paint = line.isStrong ? ink.strong : { $0 }
    let cells = layout.cells(line.rates, faint: ink.faint)
    guard DisplayWidth.columns(of: line.name) > layout.nameWidth else {
      return [paint(DisplayWidth.pad(line.name, to: layout.nameWidth)) + cells]
    }
    return [
      paint(DisplayWidth.cut(line.name, to: columns)), String(repeating: " ", count: layout.nameWidth) + cells,
    ]
  }

  /// What stands below: how complete the numbers are, how new they are.
  private func remarks(_ scope: ScopeText) -> [String] {
    let paint = report.total.missingEvents == 0 ? ink.faint : ink.caution
    var lines = wrapped(RichMediaText.completeness(report).joined(separator: " ")).map(paint)
    if let freshness = scope.freshness { lines += wrapped(freshness).map(ink.faint) }
    return lines
  }

  private func wrapped(_ text: String) -> [String] { WrappedText.lines(text, columns: columns) }
}
