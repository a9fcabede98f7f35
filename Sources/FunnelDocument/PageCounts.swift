/// What is counted on one page (metrics §2).
public struct PageCounts: Equatable, Sendable {
  /// The played index, from 0.
  public var index: Int
  /// The page's title for display, where one is known.
  public var title: String?
  /// Where its button leads, for display, where that is known.
  public var link: String?
  /// Its `page_shown` events: going back, looping and restarting count again.
  public var impressions: Int
  /// Reached: sessions with at least one impression.
  public var sessions: Int
  /// Strict reached: sessions in which the first showings of pages 0…index stand in this order.
  public var strictSessions: Int
  /// Sessions with at least one departure `next`, `looped` or `finished` from it.
  public var completedSessions: Int
  /// Its `action_tap` events, orphans included.
  public var taps: Int
  /// Sessions that both reached it and tapped on it.
  public var tappedSessions: Int
  /// How its impressions ended.
  public var departures: Departures
  /// How long its impressions lasted.
  public var dwell: DwellSummary

  /// Makes the counts of a page; all zero unless said otherwise.
  public init(
    index: Int, title: String? = nil, link: String? = nil, impressions: Int = 0, sessions: Int = 0,
    strictSessions: Int = 0,
    completedSessions: Int = 0, taps: Int = 0, tappedSessions: Int = 0, departures: Departures = Departures(),
    dwell: DwellSummary = DwellSummary()
  ) {
    self.index = index
    self.title = title
    self.link = link
    self.impressions = impressions
    self.sessions = sessions
    self.strictSessions = strictSessions
    self.completedSessions = completedSessions
    self.taps = taps
    self.tappedSessions = tappedSessions
    self.departures = departures
    self.dwell = dwell
  }

  /// Impressions beyond a session's first: impressions − reached.
  public var replays: Int { impressions - sessions }

  /// The sum of both, under the left one's index. Quantiles of dwell do not add up and become nil (see `DwellSummary`).
  public static func + (left: PageCounts, right: PageCounts) -> PageCounts {
    PageCounts(
      index: left.index, title: left.title ?? right.title, link: left.link ?? right.link,
      impressions: left.impressions + right.impressions,
      sessions: left.sessions + right.sessions, strictSessions: left.strictSessions + right.strictSessions,
      completedSessions: left.completedSessions + right.completedSessions, taps: left.taps + right.taps,
      tappedSessions: left.tappedSessions + right.tappedSessions, departures: left.departures + right.departures,
      dwell: left.dwell + right.dwell)
  }
}

/// How impressions ended: every impression in exactly one way (metrics §2).
public struct Departures: Equatable, Sendable {
  /// To the following page.
  public var next: Int
  /// Of `next`, those that the timer made. Nil where no `next` of the page has a known duration.
  public var nextAuto: Int?
  /// Of `next`, those that the viewer made. Nil together with `nextAuto`.
  public var nextTap: Int?
  /// To the page before, or page 0 shown again.
  public var back: Int
  /// To page 0 from the end.
  public var looped: Int
  /// The story finished there.
  public var finished: Int
  /// The button was tapped, and nothing followed.
  public var tappedOut: Int
  /// The viewer left.
  public var exited: Int
  /// A lost event hides it, or a jump that no player makes.
  public var unknown: Int

  /// Makes departures; all zero, and no split of `next`, unless said otherwise.
  public init(
    next: Int = 0, nextAuto: Int? = nil, nextTap: Int? = nil, back: Int = 0, looped: Int = 0, finished: Int = 0,
    tappedOut: Int = 0, exited: Int = 0, unknown: Int = 0
  ) {
    self.next = next
    self.nextAuto = nextAuto
    self.nextTap = nextTap
    self.back = back
    self.looped = looped
    self.finished = finished
    self.tappedOut = tappedOut
    self.exited = exited
    self.unknown = unknown
  }

  /// All of them; equals the page's impressions.
  public var total: Int { next + back + looped + finished + tappedOut + exited + unknown }

  /// The sum of both. A split that only one side has is kept.
  public static func + (left: Departures, right: Departures) -> Departures {
    Departures(
      next: left.next + right.next, nextAuto: sum(left.nextAuto, right.nextAuto),
      nextTap: sum(left.nextTap, right.nextTap), back: left.back + right.back, looped: left.looped + right.looped,
      finished: left.finished + right.finished, tappedOut: left.tappedOut + right.tappedOut,
      exited: left.exited + right.exited, unknown: left.unknown + right.unknown)
  }

  private static func sum(_ left: Int?, _ right: Int?) -> Int? {
    guard let left else { return right }
    return left + (right ?? 0)
  }
}

/// How long impressions lasted, in milliseconds of device time (metrics §2).
public struct DwellSummary: Equatable, Sendable {
  /// Impressions whose length is known.
  public var count: Int
  /// The ⌈n/2⌉-th smallest, in milliseconds. Nil where the count is 0, and in a sum.
  public var medianMilliseconds: Double?
  /// The ⌈0.9·n⌉-th smallest, in milliseconds. Nil where the count is 0, and in a sum.
  public var ninetiethPercentileMilliseconds: Double?

  /// Makes a summary.
  public init(count: Int = 0, medianMilliseconds: Double? = nil, ninetiethPercentileMilliseconds: Double? = nil) {
    self.count = count
    self.medianMilliseconds = medianMilliseconds
    self.ninetiethPercentileMilliseconds = ninetiethPercentileMilliseconds
  }

  /// The counts added up. The quantiles are kept where the other side has none to add, else they are nil: those of a
  /// union cannot be had from those of its parts.
  public static func + (left: DwellSummary, right: DwellSummary) -> DwellSummary {
    if right.count == 0 { return left }
    if left.count == 0 { return right }
    return DwellSummary(count: left.count + right.count)
  }
}
