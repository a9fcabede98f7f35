import FunnelDocument
import PrintedText

/// Two groups of sessions side by side: every rate of theirs, how far it is apart, and what of that chance alone could do
/// (metrics §3). A is what B is compared with, so a difference is B − A.
public struct Comparison: Sendable {
  /// What is compared with.
  public let a: ComparedSide
  /// What is compared.
  public let b: ComparedSide
  /// The rates of the sessions: completion, reached last, tap, fallback.
  public let rates: [ComparedRate]
  /// The rates of each page, up to the longer story; `pages[i].index == i`.
  public let pages: [ComparedPage]
  /// Presentations that are on both sides, counted one by one. The tests hold for sides that share none.
  public let presentationsInBoth: Int

  /// Compares two sides.
  ///
  /// - Parameter presentationsInBoth: how many presentations are on both.
  package init(a: ComparedSide, b: ComparedSide, presentationsInBoth: Int = 0) {
    self.a = a
    self.b = b
    self.presentationsInBoth = presentationsInBoth
    var rates = ComparedRate.ofSessions(a.rates, b.rates)
    var pages = ComparedPage.pages(a, b)
    // One family: whoever reads the report looks at all of it.
    let plain = rates.map(\.comparison.pValue) + pages.flatMap { $0.rates.map(\.comparison.pValue) }
    var adjusted = HolmAdjustment.adjusted(plain)[...]
    for place in rates.indices { rates[place].adjustedPValue = adjusted.removeFirst() }
    for page in pages.indices {
      for place in pages[page].rates.indices { pages[page].rates[place].adjustedPValue = adjusted.removeFirst() }
    }
    self.rates = rates
    self.pages = pages
  }

  /// All rates in their order, those of the pages behind those of the sessions.
  public var allRates: [ComparedRate] { rates + pages.flatMap(\.rates) }

  /// How many p-values the adjustment was made for.
  public var testCount: Int { allRates.count { $0.comparison.pValue != nil } }

  /// Whether a difference is told apart from chance: its adjusted p-value is below 5 %, and the sides share no session.
  public func holds(_ rate: ComparedRate) -> Bool { rate.holds && presentationsInBoth == 0 }

  /// What can and cannot be concluded, in plain sentences, the weightiest first; never empty.
  public var conclusions: [String] { ComparisonConclusions(self).sentences }

  /// Whether neither side has a presentation.
  public var isEmpty: Bool { a.funnel.isEmpty && b.funnel.isEmpty }

  /// The places of the pages one by one, but those of several pages in a row where nobody came on either side together.
  public var pageRuns: [Range<Int>] { PageRuns.runs(pages, isUnseen: \.isUnseen) }

  /// When the report was made, as RFC 3339.
  public var generatedAt: String { b.funnel.report.generatedAt }

  /// How new the data is, in plain words; nil where nothing has arrived.
  var freshness: String? { ScopeText(funnel: b.funnel).freshness }

  /// The newest arrival in the database, as RFC 3339; nil where nothing has arrived.
  public var dataThrough: String? { b.funnel.report.dataThrough }

  /// An adjusted p-value below this holds (5 %).
  public static let significance = 0.05
}

/// One of the two groups of a comparison.
public struct ComparedSide: Sendable {
  /// The side as it was asked for, such as `story=spring-sale`.
  public var label: String
  /// Its funnel.
  public var funnel: Funnel

  /// Makes a side.
  package init(label: String, funnel: Funnel) {
    self.label = label
    self.funnel = funnel
  }

  /// Which sessions it is of.
  public var scope: FunnelScope { funnel.report.scope }
  /// What was counted of them.
  public var counts: FunnelCounts { funnel.report.total }
  /// Their rates.
  public var rates: FunnelRates { funnel.report.rates }
  /// What the label does not say of the story and the conditions, the range of time with its zone, the apps, and the
  /// environments where there are several, in plain words and fit to be shown.
  public var scopeText: String {
    let text = ScopeText(funnel: funnel)
    var facts: [String] = []
    if let story = scope.story, !label.contains("story=\(story)") { facts.append("story \(text.story)") }
    // What was asked as `story=` is a filter on `story_id`.
    let asked = label.replacing("story=", with: "story_id=")
    facts += scope.filters.filter { !label.contains($0) && !asked.contains($0) }.map(DisplayText.escaped)
    facts += [text.range, text.apps] + [text.environments].compactMap { $0 }
    if scope.order == .strict { facts.append("strict order") }
    return facts.joined(separator: " · ")
  }
  /// How many presentations and sessions it has, in plain words.
  public var sizeText: String {
    FigureText.count(counts.presentations, "presentation") + ", " + FigureText.count(counts.sessions, "session")
  }

  /// The one story that all of its sessions are of; nil where there are several, or none.
  var onlyStory: String? {
    if let story = scope.story { return story }
    guard funnel.otherStorySessions == 0, let first = funnel.stories.first,
      funnel.stories.allSatisfy({ $0.story.map(ByteText.init) == first.story.map(ByteText.init) })
    else { return nil }
    return first.story ?? StorySelection.noneText
  }
}
