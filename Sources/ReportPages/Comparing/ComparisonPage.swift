import FunnelDocument
import Reports

/// A comparison as a page: what can be concluded, then the rates of both sides and what lies between them.
struct ComparisonPage {
  private let comparison: Comparison
  private let tables: ComparisonTables

  init(_ comparison: Comparison) {
    self.comparison = comparison
    tables = ComparisonTables(comparison)
  }

  /// The file.
  var text: String {
    PageDocument(
      title: "Comparison of A and B", json: ComparisonFormat.json.render(comparison), header: header,
      sections: sections, footer: PageFooter.html(generatedAt: comparison.generatedAt)
    ).text
  }

  private var header: HTML {
    .several([
      HTML("p", ["class": "kind"]) { "Pagefall comparison" },
      HTML("h1") { "Comparison of A and B" },
      HTML("dl", ["class": "facts"]) {
        side("A", comparison.a)
        side("B", comparison.b)
        if let freshness = ScopeText(funnel: comparison.b.funnel).freshness {
          ScopeHeader.fact("Freshness", .text(freshness))
        }
      },
    ])
  }

  private func side(_ letter: String, _ side: ComparedSide) -> HTML {
    ScopeHeader.fact(
      letter,
      .several([
        HTML("code") { HTML.sender(side.label) }, HTML("br"), HTML.sender(side.scopeText), HTML("br"),
        .text(side.sizeText),
      ]))
  }

  private var sections: [PageSection] {
    let conclusions = PageSection("conclusions", "What can be concluded") {
      HTML("ul", ["class": "sentences"]) {
        for sentence in comparison.conclusions { HTML("li") { HTML.sender(sentence) } }
      }
    }
    guard !comparison.isEmpty else { return [conclusions] }
    return [conclusions, rates] + (comparison.pages.isEmpty ? [] : [pages]) + completeness
  }

  private var rates: PageSection {
    PageSection("sessions", "Sessions") {
      HTML("figure") {
        HTML("figcaption") { "The rates of both sides, each with its 95% interval." }
        BothSidesChart(comparison.rates).html
      }
      HTML("figure") {
        HTML("figcaption") {
          "How far B is from A, in percentage points: an interval across the middle holds “no difference”. What is marked "
            + "with * is told apart from chance (adjusted p below 0.05)."
        }
        DifferenceChart(
          id: "differences-chart", title: "Differences of the rates of sessions",
          comparison.rates.map { DifferenceChart.Row(name: $0.name.shortTitle, rate: $0) }, of: comparison
        ).html
      }
      tables.sessions
      HTML("p", ["class": "note"]) { "P-values are adjusted by Holm's method over all rates of this page." }
    }
  }

  private var pages: PageSection {
    let scale = DifferenceChart.scale(comparison.pages.flatMap(\.rates))
    return PageSection("pages-part", "Pages") {
      HTML("figure") {
        HTML("figcaption") {
          "How far B is from A on each page. Reached is of all sessions, the others are of those who reached the page."
        }
        ChartParts.html(comparison.pageRuns, rowsOfPart: 2) { part, runs in
          HTML.several(runs.filter { $0.count == 1 }.map { chart(comparison.pages[$0.lowerBound], scale) })
        }
      }
      tables.pages
    }
  }

  private func chart(_ page: ComparedPage, _ scale: Double) -> HTML {
    let rows = page.rates.map { DifferenceChart.Row(name: $0.name.shortTitle, rate: $0) }
    return .several([
      HTML("h3") {
        "Page \(page.index) "
        if let title = page.titleOfA ?? page.titleOfB { HTML.sender(title) }
      },
      page.isOfOneSide
        ? HTML("p", ["class": "note"]) { "Only one side's story has this page." }
        : DifferenceChart(
          id: "page-\(page.index)-chart", title: "Differences on page \(page.index)", rows, of: comparison, scale: scale
        ).html,
    ])
  }

  /// What is missing from each side.
  private var completeness: [PageSection] {
    [
      PageSection("completeness", "How complete this is") {
        for (letter, side) in [("A", comparison.a), ("B", comparison.b)] {
          HTML("h3") { "Side \(letter)" }
          HTML("ul", ["class": "sentences"]) {
            for sentence in CompletenessText.sentences(side.counts) { HTML("li") { HTML.sender(sentence) } }
          }
        }
      }
    ]
  }
}
