/// What one session counts for, by the definitions of metrics.md.
package struct JudgedSession {
  /// At least one story event.
  package var isPresentation = false
  /// A presentation with a `start`, `page_shown`, `action_tap` or `finish`.
  package var isStorySession = false
  /// At least one `fallback`.
  package var isFallback = false
  /// At least one `finish`.
  package var isFinished = false
  /// At least one `action_tap`.
  package var isTapped = false
  /// At least one `start`.
  package var hasStart = false
  /// `page_count` of the first `start`; nil is unknown.
  package var pageCount: Int?
  /// Showed page `page_count − 1`.
  package var hasReachedLast = false
  /// The highest `seq` + 1.
  package var expectedEvents = 0
  /// The `seq` values absent below the highest.
  package var missingEvents = 0
  /// Every `page_shown`, in order.
  package var impressions: [JudgedImpression] = []
  /// Every page that was shown or tapped, each once.
  package var visits: [PageVisit] = []
  /// How many pages its events imply: one more than the largest index shown or tapped, at least its page count.
  package var pageSpan = 0

  /// Taps on pages that it never showed (metrics §4).
  package var orphanTaps: Int { visits.reduce(0) { $1.impressions == 0 ? $0 + $1.taps : $0 } }
  /// Impressions whose end lies before their beginning (metrics §4).
  package var negativeDwells: Int { impressions.count(where: \.isNegativeDwell) }
}

/// One showing of a page.
package struct JudgedImpression {
  /// The played index.
  package var page: Int
  /// How it ended.
  package var departure: Departure
  /// How long it lasted, in microseconds of device time, never negative; nil where that cannot be known.
  package var dwellMicroseconds: Int64?
  /// The device's clock was set back in between, so there is no dwell.
  package var isNegativeDwell: Bool
  /// Who made a `next`; nil where it is no `next` or the page's duration is unknown.
  package var nextCause: NextCause?
}

/// What a session did on one page.
package struct PageVisit {
  /// The played index.
  package var page: Int
  /// Its `page_shown` events; 0 where it was only tapped.
  package var impressions = 0
  /// Its `action_tap` events.
  package var taps = 0
  /// Whether the first showings of all pages up to it exist and stand in their order.
  package var isStrict = false
  /// Whether a departure from it completes it.
  package var isCompleted = false
  /// The place of its first showing among the session's impressions.
  package var firstImpression: Int?

  /// Begins with nothing done on the page of this played index.
  package init(page: Int) {
    self.page = page
  }
}
