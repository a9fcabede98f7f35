import FunnelDocument
import PrintedText

/// The rates that are compared, by their keys in a funnel (metrics §1 and §2).
public enum ComparedRateName: String, Sendable, CaseIterable {
  /// Finished ÷ sessions.
  case completion = "completion_rate"
  /// Reached last ÷ sessions.
  case reachedLast = "reached_last_rate"
  /// Tapped ÷ sessions.
  case tap = "tap_rate"
  /// Fallbacks ÷ presentations.
  case fallback = "fallback_rate"
  /// Of a page: reached ÷ sessions.
  case reach = "reach_rate"
  /// Of a page: completed ÷ reached.
  case pageCompletion = "page_completion_rate"
  /// Of a page: tapped sessions ÷ reached.
  case tapThrough = "tap_through_rate"
  /// Of a page: exited ÷ reached.
  case exit = "exit_rate"

  /// What a sentence calls it.
  public var title: String {
    switch self {
    case .completion: "completion rate"
    case .reachedLast: "reached-last rate"
    case .tap: "tap rate"
    case .fallback: "fallback rate"
    case .reach: "reach rate"
    case .pageCompletion: "page completion rate"
    case .tapThrough: "tap-through rate"
    case .exit: "exit rate"
    }
  }

  /// What a line of a table calls it; at most 12 columns.
  public var shortTitle: String {
    switch self {
    case .completion: "finished"
    case .reachedLast: "reached last"
    case .tap: "tapped"
    case .fallback: "fell back"
    case .reach: "reached"
    case .pageCompletion: "completed"
    case .tapThrough: "tapped"
    case .exit: "exited"
    }
  }
}

/// One rate of both sides.
public struct ComparedRate: Sendable, Equatable {
  /// Which rate.
  public var name: ComparedRateName
  /// The page that it is of; nil for a rate of the sessions.
  public var pageIndex: Int?
  /// Both rates, and what lies between them.
  public var comparison: RateComparison
  /// The p-value by Holm's adjustment over all of the report; nil where there is no p-value.
  public var adjustedPValue: Double?

  /// Whether the difference is told apart from chance: its adjusted p-value is below 5 %.
  var holds: Bool { adjustedPValue.map { $0 < Comparison.significance } ?? false }

  /// Whether the plain p-value alone would have said so.
  var wouldHoldAlone: Bool { comparison.pValue.map { $0 < Comparison.significance } ?? false }

  /// What a sentence begins with: `Completion rate`, `Page 2, exit rate`.
  public var title: String {
    if let pageIndex { return "Page \(pageIndex), \(name.title)" }
    return name.title.prefix(1).uppercased() + name.title.dropFirst()
  }

  init(_ name: ComparedRateName, page: Int? = nil, _ a: Rate, _ b: Rate) {
    self.name = name
    pageIndex = page
    comparison = RateComparison(a: a, b: b)
  }

  /// The rates of the sessions, not yet adjusted.
  static func ofSessions(_ a: FunnelRates, _ b: FunnelRates) -> [ComparedRate] {
    [
      ComparedRate(.completion, a.completion, b.completion), ComparedRate(.reachedLast, a.reachedLast, b.reachedLast),
      ComparedRate(.tap, a.tap, b.tap), ComparedRate(.fallback, a.fallback, b.fallback),
    ]
  }
}

/// The rates of one page of both sides.
public struct ComparedPage: Sendable, Equatable {
  /// The played index.
  public var index: Int
  /// The page's title on side A; nil where none is known.
  public var titleOfA: String?
  /// The page's title on side B; nil where none is known.
  public var titleOfB: String?
  /// Whether the pages of the two sides are known to be different ones: another title or another link.
  public var isAnotherPage: Bool
  /// Whether it is a page of only one side's story. Its rates then have nothing to be compared with.
  public var isOfOneSide: Bool
  /// Reach, page completion, tap-through, exit.
  public var rates: [ComparedRate]

  /// Whether nobody came here or tapped here, on either side.
  public var isUnseen: Bool

  /// The title of both, or both titles, made fit to be shown; nil where none is known.
  var commonTitle: String? {
    guard let first = titleOfA ?? titleOfB else { return nil }
    guard isAnotherPage, let titleOfA, let titleOfB, Self.differ(titleOfA, titleOfB) else {
      return DisplayText.escaped(first)
    }
    return "A: \(DisplayText.escaped(titleOfA)) · B: \(DisplayText.escaped(titleOfB))"
  }

  /// The pages up to the longer story, not yet adjusted.
  static func pages(_ a: ComparedSide, _ b: ComparedSide) -> [ComparedPage] {
    let ratesOfA = a.rates.pages
    let ratesOfB = b.rates.pages
    // Of a page that a story does not have: nobody could reach it, which is not the same as that nobody did.
    let none = Rate(0, of: 0)
    return (0..<max(ratesOfA.count, ratesOfB.count)).map { index in
      let first = index < ratesOfA.count ? ratesOfA[index] : nil
      let second = index < ratesOfB.count ? ratesOfB[index] : nil
      let pageOfA = index < ratesOfA.count ? a.counts.pages[index] : nil
      let pageOfB = index < ratesOfB.count ? b.counts.pages[index] : nil
      let counts = [pageOfA, pageOfB].compactMap { $0 }
      return ComparedPage(
        index: index, titleOfA: pageOfA?.title, titleOfB: pageOfB?.title,
        isAnotherPage: differ(pageOfA?.title, pageOfB?.title) || differ(pageOfA?.link, pageOfB?.link),
        isOfOneSide: counts.count == 1,
        rates: [
          ComparedRate(.reach, page: index, first?.reach ?? none, second?.reach ?? none),
          ComparedRate(.pageCompletion, page: index, first?.completion ?? none, second?.completion ?? none),
          ComparedRate(.tapThrough, page: index, first?.tapThrough ?? none, second?.tapThrough ?? none),
          ComparedRate(.exit, page: index, first?.exit ?? none, second?.exit ?? none),
        ], isUnseen: counts.allSatisfy(\.isUnseen))
    }
  }

  /// By their bytes, where both are known.
  private static func differ(_ first: String?, _ second: String?) -> Bool {
    guard let first, let second else { return false }
    return !first.isSameBytes(as: second)
  }
}
