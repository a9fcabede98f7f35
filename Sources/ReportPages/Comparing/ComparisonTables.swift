import FunnelDocument
import Reports

/// The rates of a comparison as tables: those of the sessions, and those of the pages.
struct ComparisonTables {
  private let comparison: Comparison

  init(_ comparison: Comparison) { self.comparison = comparison }

  private static let numbers: [PageTable.Column] = [
    .number("A, 95%"), .number("of A"), .number("B, 95%"), .number("of B"), .number("B − A, 95%, points"), .number("p"),
    .number("adjusted p"),
  ]

  /// A row a rate of the sessions.
  var sessions: HTML {
    PageTable(
      id: "rates", caption: "Rates of sessions in numbers", columns: [.text("rate")] + Self.numbers,
      rows: comparison.rates.map { rate in
        HTML("tr", ["data-rate": rate.name.rawValue]) {
          Cell.name(.text(rate.name.shortTitle), value: rate.name.shortTitle)
          cells(rate)
        }
      }
    ).html
  }

  /// A row a rate of each page.
  var pages: HTML {
    var table = PageTable(
      id: "page-rates", caption: "Rates of pages in numbers",
      columns: [.text("page"), .text("title"), .text("rate")] + Self.numbers, rows: [])
    table.rows = comparison.pageRuns.flatMap { run in
      guard run.count == 1 else { return [table.remark(PageRuns.remark(run))] }
      let page = comparison.pages[run.lowerBound]
      return page.rates.map { row(page, $0) }
    }
    return table.html
  }

  private func row(_ page: ComparedPage, _ rate: ComparedRate) -> HTML {
    HTML("tr", ["data-page": String(page.index), "data-rate": rate.name.rawValue]) {
      HTML("th", ["scope": "row", "data-value": String(page.index)]) { "\(page.index)" }
      HTML("td", ["class": "text", "data-value": page.titleOfA ?? page.titleOfB ?? ""]) { Self.titles(page) }
      HTML("td", ["data-value": rate.name.shortTitle]) { rate.name.shortTitle }
      cells(rate)
    }
  }

  /// The title of both, or both.
  private static func titles(_ page: ComparedPage) -> HTML {
    switch (page.titleOfA, page.titleOfB) {
    case (nil, nil): return HTML("span", ["class": "nothing"]) { FigureText.none }
    case (let title?, nil), (nil, let title?): return HTML.sender(title)
    case (let first?, let second?):
      guard page.isAnotherPage, first != second else { return HTML.sender(first) }
      return .several([.text("A: "), .sender(first), HTML("br"), .text("B: "), .sender(second)])
    }
  }

  private func cells(_ rate: ComparedRate) -> HTML {
    let compared = rate.comparison
    let holds = comparison.holds(rate)
    return .several([
      Cell.rate("a.value", compared.a), Cell.count("a.denominator", compared.a.denominator),
      Cell.rate("b.value", compared.b), Cell.count("b.denominator", compared.b.denominator),
      HTML(
        "td",
        ["class": "number", "data-key": "difference", "data-value": compared.difference.map(\.description)]
      ) {
        HTML("span", ["class": holds ? "holds" : nil]) {
          DifferenceText.points(compared.difference) + (holds ? " *" : "")
        }
        if compared.differenceInterval != nil {
          HTML("span", ["class": "interval"]) { DifferenceText.interval(compared.differenceInterval) }
        }
      },
      probability("p_value", compared.pValue), probability("p_value_adjusted", rate.adjustedPValue),
    ])
  }

  private func probability(_ key: String, _ value: Double?) -> HTML {
    HTML("td", ["class": "number", "data-key": key, "data-value": value.map(\.description)]) {
      DifferenceText.pValue(value)
    }
  }
}
