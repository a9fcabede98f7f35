import FunnelDocument
import Reports

/// The stories in use as a page: a row a story, sorted by any column, with the sessions of each day drawn.
struct StoriesPage {
  private let report: StoriesReport

  init(_ report: StoriesReport) { self.report = report }

  /// The file.
  var text: String {
    PageDocument(
      title: "Stories in use", json: FunnelFormat.json.render(report), header: header, sections: sections,
      footer: PageFooter.html(generatedAt: report.generatedAt)
    ).text
  }

  private var header: HTML {
    let scope = ScopeText(stories: report)
    return .several([
      HTML("p", ["class": "kind"]) { "Pagefall stories" },
      HTML("h1") { "Stories in use" },
      HTML("dl", ["class": "facts"]) {
        ScopeHeader.fact("Sessions of", .text(scope.range))
        ScopeHeader.fact("From", .sender(scope.apps))
        if report.scope.story != nil { ScopeHeader.fact("Story", .sender(scope.story)) }
        if !report.scope.filters.isEmpty { ScopeHeader.fact("Only where", ScopeHeader.list(report.scope.filters)) }
        if let freshness = scope.freshness { ScopeHeader.fact("Freshness", .text(freshness)) }
      },
    ])
  }

  private var sections: [PageSection] {
    let completeness = CompletenessSection.section(report.total.counts).map { [$0] } ?? []
    if let explanation = report.explanation {
      return [PageSection("empty", "Nothing to show") { HTML("p") { explanation } }] + completeness
    }
    let all = PageSection("total", "All together") {
      if let hint = CompletenessSection.hint(report.total.counts) { hint }
      SessionFigures(report.rates(of: report.total), devices: report.total.devices).html
    }
    let list = PageSection("list", "Story by story") {
      HTML("p", ["class": "lead"]) { lead }
      StoriesTable(report).html
      if let hidden = StoriesText.hidden(report) { HTML("p", ["class": "note"]) { hidden } }
    }
    return [all, list] + completeness
  }

  private var lead: String {
    let count = FigureText.count(report.stories.count, "story", "stories")
    guard let first = report.days.first, let last = report.days.last else { return "\(count)." }
    return
      "\(count). The small columns are the sessions of each day, \(first) to \(last), each story's highest as high as "
      + "its row; below the rates stand their 95% intervals."
  }
}
