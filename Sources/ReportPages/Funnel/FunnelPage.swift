import FunnelDocument
import PrintedText
import Reports

/// A funnel as a page.
struct FunnelPage {
  private let funnel: Funnel
  private let rates: FunnelRates
  private let tables: FunnelTables

  init(_ funnel: Funnel) {
    self.funnel = funnel
    rates = funnel.report.rates
    tables = FunnelTables(rates)
  }

  /// The file.
  var text: String {
    PageDocument(
      title: "Funnel of \(ScopeText(funnel: funnel).story)", json: FunnelFormat.json.render(funnel),
      header: ScopeHeader(funnel).html, sections: sections,
      footer: PageFooter.html(generatedAt: funnel.report.generatedAt)
    ).text
  }

  private var sections: [PageSection] {
    if let explanation = funnel.explanation {
      return [PageSection("empty", "Nothing to show") { HTML("p") { explanation } }] + completeness
    }
    var sections = [sessions]
    if !rates.counts.pages.isEmpty { sections += [reach, departures, dwell] }
    if let groups = funnel.report.groups { sections.append(self.groups(groups)) }
    return sections + completeness
  }

  private var sessions: PageSection {
    PageSection("sessions", "Sessions") {
      if let hint = CompletenessSection.hint(rates.counts) { hint }
      SessionFigures(rates, devices: funnel.report.devices).html
      if rates.counts.pages.isEmpty { HTML("p", ["class": "note"]) { "No session showed a page." } }
    }
  }

  private var reach: PageSection {
    PageSection("reach", "From page to page") {
      for sentence in PageChangeText.sentences(funnel.pageChanges) {
        HTML("p", ["class": "notice"]) { HTML.sender(sentence) }
      }
      if let finding { HTML("p", ["class": "finding"]) { finding } }
      if !rates.areHidden {
        HTML("figure") {
          HTML("figcaption") {
            "The bar is the share of sessions that reached the page"
              + (rates.order == .strict ? ", all pages before it in their order" : "")
              + "; the line at its end is the 95% interval."
          }
          FunnelChart(rates).html
        }
      }
      tables.reach
      HTML("p", ["class": "note"]) {
        "Reached is of all sessions, step of those who reached the page before; completed, exited and tap-through are of "
          + "those who reached the page. 95% stands for the interval below the rate."
      }
    }
  }

  private var departures: PageSection {
    PageSection("departures-part", "How pages were left") {
      HTML("p", ["class": "lead"]) { "Every impression of a page ends in exactly one way." }
      if !rates.areHidden { HTML("figure") { DeparturesChart(rates).html } }
      tables.departures
    }
  }

  private var dwell: PageSection {
    PageSection("dwell-part", "How long pages were looked at") {
      if let chart = DwellChart(rates.counts) {
        HTML("figure") {
          HTML("figcaption") {
            "The dark bar ends at the median, the light one at the 90th percentile; both stand at the right."
          }
          chart.html
        }
        tables.dwell
      } else {
        HTML("p", ["class": "note"]) { "The length of no impression is known." }
      }
    }
  }

  private func groups(_ groups: [FunnelGroup]) -> PageSection {
    PageSection("groups-part", HTML.several([.text("By "), .sender(funnel.groupedBy ?? "group")])) {
      HTML("p", ["class": "lead"]) {
        "Groups are of sessions, so they add up to the total. The last column draws how many of a group's sessions reached "
          + "each page."
      }
      GroupTable(funnel, groups).html
      if let others = ScopeText.others(groups) { HTML("p", ["class": "note"]) { others } }
    }
  }

  private var completeness: [PageSection] {
    let section = CompletenessSection.section(rates.counts, stories: ScopeText(funnel: funnel).stories)
    return section.map { [$0] } ?? []
  }

  /// Where most sessions were lost.
  private var finding: String? {
    guard !rates.areHidden else { return nil }
    let pages = rates.pages
    let losses = zip(pages, pages.dropFirst()).map { $0.reach.numerator - $1.reach.numerator }
    guard let most = losses.max(), most > 0, losses.count(where: { $0 == most }) == 1,
      let place = losses.firstIndex(of: most)
    else { return nil }
    let before = pages[place].reach
    return
      "Most are lost after page \(place): \(FigureText.count(most)) of \(FigureText.count(before.numerator)) sessions "
      + "(\(FigureText.percent(Rate(most, of: before.numerator).value))) did not reach page \(place + 1)."
  }
}
