/// Everything that is counted of one set of sessions: the heart of a funnel (metrics §1, §2, §4).
public struct FunnelCounts: Equatable, Sendable {
  /// Sessions with at least one story event.
  public var presentations: Int
  /// Presentations with at least one `fallback`.
  public var fallbacks: Int
  /// Story sessions: presentations with a `start`, `page_shown`, `action_tap` or `finish`.
  public var sessions: Int
  /// Sessions with at least one `finish`.
  public var finishedSessions: Int
  /// Sessions that showed page `page_count − 1`.
  public var reachedLastSessions: Int
  /// Sessions with at least one `action_tap`.
  public var tappedSessions: Int
  /// The pages from 0, without holes: `pages[i].index == i`.
  public var pages: [PageCounts]
  /// How far all of this can be trusted.
  public var completeness: Completeness

  /// Makes counts; all zero unless said otherwise.
  public init(
    presentations: Int = 0, fallbacks: Int = 0, sessions: Int = 0, finishedSessions: Int = 0,
    reachedLastSessions: Int = 0, tappedSessions: Int = 0, pages: [PageCounts] = [],
    completeness: Completeness = Completeness()
  ) {
    self.presentations = presentations
    self.fallbacks = fallbacks
    self.sessions = sessions
    self.finishedSessions = finishedSessions
    self.reachedLastSessions = reachedLastSessions
    self.tappedSessions = tappedSessions
    self.pages = pages
    self.completeness = completeness
  }

  /// The counts of both sets of sessions together: days add up to the month, groups to the total. Only the quantiles of
  /// dwell do not add up (see `DwellSummary`).
  public static func + (left: FunnelCounts, right: FunnelCounts) -> FunnelCounts {
    let pageCount = max(left.pages.count, right.pages.count)
    return FunnelCounts(
      presentations: left.presentations + right.presentations, fallbacks: left.fallbacks + right.fallbacks,
      sessions: left.sessions + right.sessions, finishedSessions: left.finishedSessions + right.finishedSessions,
      reachedLastSessions: left.reachedLastSessions + right.reachedLastSessions,
      tappedSessions: left.tappedSessions + right.tappedSessions,
      pages: (0..<pageCount).map { index in
        guard index < left.pages.count else { return right.pages[index] }
        guard index < right.pages.count else { return left.pages[index] }
        return left.pages[index] + right.pages[index]
      },
      completeness: left.completeness + right.completeness)
  }
}
