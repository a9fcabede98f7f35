import FunnelDocument
import Reports

/// What is missing from the numbers, and what that means for them.
enum CompletenessSection {
  /// The sentences under a heading; nil where there is nothing to say.
  ///
  /// - Parameter stories: a sentence on the stories of a total, where it has several.
  static func section(_ counts: FunnelCounts, stories: String? = nil) -> PageSection? {
    let sentences = CompletenessText.sentences(counts) + (stories.map { [$0] } ?? [])
    guard !sentences.isEmpty else { return nil }
    return PageSection("completeness", "How complete this is") {
      HTML("ul", ["class": "sentences"]) { for sentence in sentences { HTML("li") { HTML.sender(sentence) } } }
    }
  }

  /// A word of caution for the top of the page; nil where nothing is missing.
  static func hint(_ counts: FunnelCounts) -> HTML? {
    let facts = counts.completeness
    guard facts.missingEvents > 0 || facts.sessionsWithoutStart > 0,
      let first = CompletenessText.sentences(counts).first
    else { return nil }
    return HTML("p", ["class": "notice"]) {
      HTML("strong") { "Not complete. " }
      first + " "
      HTML("a", ["href": "#completeness"]) { "What that means" }
    }
  }
}
