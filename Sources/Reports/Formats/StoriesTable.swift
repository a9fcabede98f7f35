import FunnelDocument
import PrintedText

/// Stories for people: a line a story, fits 80 columns and grows with the terminal.
///
/// A narrow terminal drops columns, in this order: first seen, the intervals, presentations, pages, last seen, the picture,
/// the fallback rate. Devices, which have to be asked for, stay.
struct StoriesTable {
  private let report: StoriesReport
  private let ink: Ink
  private let columns: Int

  private static let usefulColumns = 64...200

  init(_ report: StoriesReport, _ style: TextStyle) {
    self.report = report
    ink = Ink(isOn: style.usesColor)
    columns = style.columns(within: Self.usefulColumns)
  }

  /// The whole table, with a newline at its end.
  var text: String {
    let scope = ScopeText(stories: report)
    var heading = [ink.strong("Stories in use")] + wrapped("\(scope.range) · \(scope.apps)").map(ink.faint)
    if let filters = scope.filters { heading += wrapped(filters).map(ink.faint) }
    var blocks = [heading]
    if let explanation = report.explanation { blocks.append(wrapped(explanation)) } else { blocks.append(lines) }
    blocks.append(remarks(scope))
    return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var lines: [String] {
    let names = report.stories.map(name)
    let widestName = (names + [totalName]).map { DisplayWidth.columns(of: $0) }.max() ?? 0
    let layout = StoriesLayout(report, columns: columns, widestName: widestName)
    var lines = [ink.faint(layout.header)]
    for (name, story) in zip(names, report.stories) { lines.append(line(story, name, layout)) }
    lines.append(line(report.total, totalName, layout))
    if let hidden = StoriesText.hidden(report) { lines += wrapped(hidden).map(ink.faint) }
    if let legend = legend(layout) { lines += wrapped(legend).map(ink.faint) }
    return lines
  }

  private func line(_ line: StoryLine, _ name: String, _ layout: StoriesLayout) -> String {
    let rates = report.rates(of: line)
    var text = DisplayWidth.pad(DisplayWidth.cut(name, to: layout.nameWidth), to: layout.nameWidth)
    for column in layout.shown {
      let cell = DisplayWidth.pad(self.cell(column, line, rates), to: column.width, isRightAligned: true)
      text +=
        column == .finishedInterval || column == .lastPageInterval || column == .tappedInterval ? ink.faint(cell) : cell
    }
    if let sparkline = layout.sparkline { text += "  " + ink.bar(sparkline.text(line.sessionsByDay)) }
    return text
  }

  private func cell(_ column: StoriesLayout.Column, _ line: StoryLine, _ rates: FunnelRates) -> String {
    switch column {
    case .presentations: return FigureText.count(line.counts.presentations)
    case .fallback: return FigureText.percent(rates.fallback.value)
    case .sessions: return FigureText.count(line.counts.sessions)
    case .finished: return FigureText.percent(rates.completion.value)
    case .finishedInterval: return FigureText.interval(rates.completion.wilsonInterval)
    case .lastPage: return FigureText.percent(rates.reachedLast.value)
    case .lastPageInterval: return FigureText.interval(rates.reachedLast.wilsonInterval)
    case .tapped: return FigureText.percent(rates.tap.value)
    case .tappedInterval: return FigureText.interval(rates.tap.wilsonInterval)
    case .devices: return line.devices.map { FigureText.count($0.distinct) } ?? FigureText.none
    case .deviceShare:
      let presentations = line.counts.presentations
      return FigureText.percent(
        line.devices?.share(ofPresentations: presentations, isHidden: rates.areHidden).value)
    case .pages: return FigureText.count(line.pageCount)
    case .firstSeen: return StoriesText.day(line.firstSeen)
    case .lastSeen: return StoriesText.day(line.lastSeen)
    }
  }

  /// What stands below: how complete the numbers are, how new they are.
  private func remarks(_ scope: ScopeText) -> [String] {
    let facts = report.total.counts.completeness
    let isWhole = facts.missingEvents == 0 && facts.sessionsWithoutStart == 0
    var lines = wrapped(CompletenessText.sentences(report.total.counts).joined(separator: " "))
      .map(isWhole ? ink.faint : ink.caution)
    if let freshness = scope.freshness { lines += wrapped(freshness).map(ink.faint) }
    return lines
  }

  private func legend(_ layout: StoriesLayout) -> String? {
    var sentences: [String] = []
    if let sparkline = layout.sparkline, let first = report.days.first, let last = report.days.last {
      let days = first == last ? first : "\(first) to \(last)"
      let step = sparkline.daysPerColumn == 1 ? "a column a day" : "\(sparkline.daysPerColumn) days a column"
      sentences.append("Pictures are sessions of \(days), \(step), each as high as its own highest.")
    }
    if report.total.devices != nil { sentences.append("Known is the share of presentations that have a device.") }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  private var namesApps: Bool { Set(report.stories.compactMap { $0.app.map(ByteText.init) }).count > 1 }

  private func name(_ line: StoryLine) -> String {
    let app = namesApps ? line.app.map { DisplayText.escaped($0) + ": " } ?? "" : ""
    return app + StoriesText.name(line)
  }

  private var totalName: String {
    "all \(FigureText.count(report.stories.count + report.hiddenStories, "story", "stories"))"
  }

  private func wrapped(_ text: String) -> [String] { WrappedText.lines(text, columns: columns) }
}
