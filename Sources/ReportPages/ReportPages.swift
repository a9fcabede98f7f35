import Reports

// ReportPages: reports as pages to look at, each one HTML file that needs nothing else (docs/pages.md).
//
//   HTML/        pieces of a page, and the one place where they become text and are escaped
//   Document/    the file around them: what it may do, its style, its script
//   Parts/       what several pages have: charts, tables, figures, the heading, completeness
//   Funnel/      the page of a funnel
//   Comparing/   the page of a comparison
//   Stories/     the page of the stories in use
//
// Numbers are those of the report's JSON form, which stands in the page as well; the words are those of the other forms.

/// Reports as pages: whole HTML files, each with a newline at its end.
public enum ReportPage {
  /// The page of a funnel.
  public static func text(_ funnel: Funnel) -> String { FunnelPage(funnel).text }

  /// The page of a comparison.
  public static func text(_ comparison: Comparison) -> String { ComparisonPage(comparison).text }

  /// The page of the stories in use.
  public static func text(_ report: StoriesReport) -> String { StoriesPage(report).text }
}
