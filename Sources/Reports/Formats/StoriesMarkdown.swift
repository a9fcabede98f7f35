import FunnelDocument
import PrintedText

/// Stories for issues, pages and chats: GitHub's Markdown.
struct StoriesMarkdown {
  let text: String

  init(_ report: StoriesReport) {
    text = MarkdownText.document(
      "Stories in use", ScopeText(stories: report), explanation: report.explanation,
      blocks: [Self.table(report), StoriesText.hidden(report)].compactMap { $0 },
      remarks: CompletenessText.sentences(report.total.counts), definitions: FunnelReport.definitions)
  }

  private static func table(_ report: StoriesReport) -> String {
    var header = [
      "app", "story", "presentations", "fell back", "sessions", "finished", "95%", "reached last", "95%", "tapped",
      "95%",
      "pages", "first seen", "last seen",
    ]
    if report.total.devices != nil { header += ["devices", "with a device"] }
    let lines = report.stories.map { row($0, app: $0.app ?? "", story: StoriesText.name($0), report) }
    return MarkdownText.table(
      header, textColumns: 2, lines + [row(report.total, app: "", story: "all stories", report)])
  }

  private static func row(_ line: StoryLine, app: String, story: String, _ report: StoriesReport) -> [String] {
    let rates = report.rates(of: line)
    var cells = [
      MarkdownText.escaped(DisplayText.escaped(app)), MarkdownText.escaped(story),
      FigureText.count(line.counts.presentations), FigureText.percent(rates.fallback.value),
      FigureText.count(line.counts.sessions),
    ]
    for rate in [rates.completion, rates.reachedLast, rates.tap] {
      cells += [FigureText.percent(rate.value), FigureText.interval(rate.wilsonInterval)]
    }
    cells += [FigureText.count(line.pageCount), StoriesText.day(line.firstSeen), StoriesText.day(line.lastSeen)]
    if let devices = line.devices {
      let share = devices.share(ofPresentations: line.counts.presentations, isHidden: rates.areHidden)
      cells += [FigureText.count(devices.distinct), FigureText.percent(share.value)]
    }
    return cells
  }
}
