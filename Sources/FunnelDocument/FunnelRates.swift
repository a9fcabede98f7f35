/// Which reached sessions the reach and step rates count (`--order`, metrics §2).
public enum FunnelOrder: String, Equatable, Sendable, CaseIterable {
  /// Sessions that showed the page at all.
  case reached
  /// Sessions that showed the pages up to it in their order.
  case strict
}

/// The rates of a set of sessions (metrics §1, §2). All derived; nothing is stored twice.
public struct FunnelRates: Sendable {
  /// What the rates are made of.
  public var counts: FunnelCounts
  /// What the reach and step rates count.
  public var order: FunnelOrder
  /// Fewer presentations than this hide every rate (metrics §3).
  public var minimumCount: Int

  /// Rates of the given counts.
  public init(_ counts: FunnelCounts, order: FunnelOrder = .reached, minimumCount: Int = 1) {
    self.counts = counts
    self.order = order
    self.minimumCount = minimumCount
  }

  /// True where too few presentations stand behind the rates to show them.
  public var areHidden: Bool { counts.presentations < minimumCount }

  /// Fallbacks ÷ presentations.
  public var fallback: Rate { rate(counts.fallbacks, of: counts.presentations) }
  /// Finished ÷ sessions.
  public var completion: Rate { rate(counts.finishedSessions, of: counts.sessions) }
  /// Reached last ÷ sessions.
  public var reachedLast: Rate { rate(counts.reachedLastSessions, of: counts.sessions) }
  /// Tapped ÷ sessions.
  public var tap: Rate { rate(counts.tappedSessions, of: counts.sessions) }

  /// The rates of each page, in the order of `counts.pages`.
  public var pages: [PageRates] {
    counts.pages.enumerated().map { place, page in
      let reached = ordered(page)
      return PageRates(
        reach: rate(reached, of: counts.sessions),
        step: place > 0 ? rate(reached, of: ordered(counts.pages[place - 1])) : nil,
        completion: rate(page.completedSessions, of: page.sessions),
        tapThrough: rate(page.tappedSessions, of: page.sessions), exit: rate(page.departures.exited, of: page.sessions))
    }
  }

  private func rate(_ numerator: Int, of denominator: Int) -> Rate {
    Rate(numerator, of: denominator, isHidden: areHidden)
  }

  private func ordered(_ page: PageCounts) -> Int {
    switch order {
    case .reached: page.sessions
    case .strict: page.strictSessions
    }
  }
}

/// The rates of one page (metrics §2).
public struct PageRates: Equatable, Sendable {
  /// Reached ÷ sessions.
  public var reach: Rate
  /// Reached ÷ reached of the page before. Nil on page 0.
  public var step: Rate?
  /// Completed ÷ reached.
  public var completion: Rate
  /// Tapped sessions ÷ reached.
  public var tapThrough: Rate
  /// Exited ÷ reached.
  public var exit: Rate
}
