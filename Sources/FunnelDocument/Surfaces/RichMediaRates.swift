/// The rates of presentations of rich media (rich-media §2). All derived; nothing is stored twice.
public struct RichMediaRates: Sendable {
  /// What the rates are made of.
  public var counts: RichMediaCounts
  /// Fewer presentations than this hide every rate (metrics §3).
  public var minimumCount: Int

  /// Rates of the given counts.
  public init(_ counts: RichMediaCounts, minimumCount: Int = 1) {
    self.counts = counts
    self.minimumCount = minimumCount
  }

  /// True where too few presentations stand behind the rates to show them.
  public var areHidden: Bool { counts.presentations < minimumCount }

  /// Deferred ÷ presentations.
  public var deferred: Rate { rate(counts.deferred, of: counts.presentations) }
  /// Shown ÷ presentations.
  public var shown: Rate { rate(counts.shown, of: counts.presentations) }
  /// Failed ÷ presentations.
  public var failed: Rate { rate(counts.failed, of: counts.presentations) }
  /// Closed by the timer ÷ closed presentations of which it is known.
  public var closedByTimer: Rate {
    rate(counts.closedByTimer ?? 0, of: (counts.closedByTimer ?? 0) + (counts.closedBeforeTimer ?? 0))
  }

  private func rate(_ numerator: Int, of denominator: Int) -> Rate {
    Rate(numerator, of: denominator, isHidden: areHidden)
  }
}

extension RichMediaReport {
  /// The rates of a line's, a group's or the total's counts, under this report's minimum count.
  public func rates(of counts: RichMediaCounts) -> RichMediaRates {
    RichMediaRates(counts, minimumCount: scope.minimumCount)
  }
}
