import FunnelDocument
import Reports

/// What stands above a funnel: of which story it is, which sessions were asked for, and how new it is.
struct ScopeHeader {
  private let funnel: Funnel

  init(_ funnel: Funnel) { self.funnel = funnel }

  /// The heading and the facts.
  var html: HTML {
    let scope = ScopeText(funnel: funnel)
    let filters = funnel.report.scope.filters
    return .several([
      HTML("p", ["class": "kind"]) { "Pagefall funnel" },
      HTML("h1") {
        "Funnel of "
        HTML.sender(scope.story)
      },
      HTML("dl", ["class": "facts"]) {
        Self.fact("Sessions of", .text(scope.range))
        Self.fact("From", .sender(scope.apps))
        if !filters.isEmpty { Self.fact("Only where", Self.list(filters)) }
        if funnel.report.scope.order == .strict {
          Self.fact("Order", .text("strict: pages count where all before them were shown in their order"))
        }
        if let environments = scope.environments { Self.fact("Of these", .sender(environments)) }
        if let freshness = scope.freshness { Self.fact("Freshness", .text(freshness)) }
      },
    ])
  }

  /// A fact and its name.
  static func fact(_ name: String, _ value: HTML) -> HTML {
    HTML.several([HTML("dt") { name }, HTML("dd") { value }])
  }

  /// Conditions as they were asked for.
  static func list(_ conditions: [String]) -> HTML {
    .several(
      conditions.enumerated().map { place, condition in
        HTML.several([.text(place > 0 ? " and " : ""), HTML("code") { HTML.sender(condition) }])
      })
  }
}

/// What stands below every page.
enum PageFooter {
  /// When it was made and by which definitions.
  static func html(generatedAt: String) -> HTML {
    .several([
      HTML("p") {
        "Made at \(generatedAt) by Pagefall, by the definitions \(FunnelReport.definitions). Intervals are 95% Wilson "
          + "intervals."
      },
      HTML("p") {
        "This file asks for nothing from elsewhere. Its exact numbers are in it as JSON, in the element named “report”."
      },
    ])
  }
}
