/// What one session counts for, by the definitions of metrics.md.
struct JudgedSession {
  /// At least one story event.
  var isPresentation = false
  /// A presentation with a `start`, `page_shown`, `action_tap` or `finish`.
  var isStorySession = false
  /// At least one `fallback`.
  var isFallback = false
  /// At least one `finish`.
  var isFinished = false
  /// At least one `action_tap`.
  var isTapped = false
  /// At least one `start`.
  var hasStart = false
  /// `page_count` of the first `start`; nil is unknown.
  var pageCount: Int?
  /// Showed page `page_count − 1`.
  var hasReachedLast = false
  /// The highest `seq` + 1.
  var expectedEvents = 0
  /// The `seq` values absent below the highest.
  var missingEvents = 0
  /// Every `page_shown`, in order.
  var impressions: [JudgedImpression] = []
  /// Every page that was shown or tapped, each once.
  var visits: [PageVisit] = []
  /// How many pages its events imply: one more than the largest index shown or tapped, at least its page count.
  var pageSpan = 0
}

/// One showing of a page.
struct JudgedImpression {
  /// The played index.
  var page: Int
  /// How it ended.
  var departure: Departure
  /// How long it lasted, in microseconds of device time, never negative; nil where that cannot be known.
  var dwellMicroseconds: Int64?
  /// The device's clock was set back in between, so there is no dwell.
  var isNegativeDwell: Bool
  /// Who made a `next`; nil where it is no `next` or the page's duration is unknown.
  var nextCause: NextCause?
}

/// What a session did on one page.
struct PageVisit {
  /// The played index.
  var page: Int
  /// Its `page_shown` events; 0 where it was only tapped.
  var impressions = 0
  /// Its `action_tap` events.
  var taps = 0
  /// Whether the first showings of all pages up to it exist and stand in their order.
  var isStrict = false
  /// Whether a departure from it completes it.
  var isCompleted = false
  /// The place of its first showing among the session's impressions.
  var firstImpression: Int?
}
