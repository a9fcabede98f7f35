extension RichMediaCounts {
  /// The counts of both sets of presentations together. Only the quantiles of lengths do not add up (see `DwellSummary`).
  public static func + (left: RichMediaCounts, right: RichMediaCounts) -> RichMediaCounts {
    var sum = left
    sum.presentations += right.presentations
    sum.deferred += right.deferred
    sum.shown += right.shown
    sum.failed += right.failed
    sum.closed += right.closed
    sum.openOrLost += right.openOrLost
    sum.waitingOrLost += right.waitingOrLost
    if left.closedByTimer != nil || right.closedByTimer != nil {
      sum.closedByTimer = (left.closedByTimer ?? 0) + (right.closedByTimer ?? 0)
      sum.closedBeforeTimer = (left.closedBeforeTimer ?? 0) + (right.closedBeforeTimer ?? 0)
    }
    sum.wait = left.wait + right.wait
    sum.open = left.open + right.open
    sum.expectedEvents += right.expectedEvents
    sum.missingEvents += right.missingEvents
    return sum
  }

  /// What adds up: all but the quantiles of lengths.
  fileprivate var additive: RichMediaCounts {
    var counts = self
    counts.wait = DwellSummary(count: wait.count)
    counts.open = DwellSummary(count: open.count)
    return counts
  }

  /// Whether the counts of parts add up to these.
  func isSum(of parts: some Sequence<RichMediaCounts>) -> Bool {
    parts.reduce(RichMediaCounts(), +).additive == additive
  }
}
