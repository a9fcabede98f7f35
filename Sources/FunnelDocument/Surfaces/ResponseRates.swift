/// The rates of responses (metrics §3).
public struct ResponseRates: Sendable {
  /// What the rates are made of.
  public var counts: ResponseCounts
  /// Fewer responses than this hide every rate (`--min-count`).
  public var minimumCount: Int

  /// Rates of the given counts.
  public init(_ counts: ResponseCounts, minimumCount: Int = 1) {
    self.counts = counts
    self.minimumCount = minimumCount
  }

  /// True where too few responses stand behind the rates to show them.
  public var areHidden: Bool { counts.responses < minimumCount }

  /// Responses by a button ÷ responses.
  public var buttons: Rate { share(counts.buttonResponses) }
  /// Plain opens ÷ responses.
  public var opens: Rate { share(counts.opens) }
  /// Dismissals ÷ responses.
  public var dismissals: Rate { share(counts.dismissals) }

  /// A part of the responses, such as those by one button, ÷ responses.
  public func share(_ part: Int) -> Rate { Rate(part, of: counts.responses, isHidden: areHidden) }
}

extension ButtonsReport {
  /// The rates of a line's, a group's or the total's counts, under this report's minimum count.
  public func rates(of counts: ResponseCounts) -> ResponseRates {
    ResponseRates(counts, minimumCount: scope.minimumCount)
  }
}
