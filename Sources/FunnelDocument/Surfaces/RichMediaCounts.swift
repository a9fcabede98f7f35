/// What is counted of presentations of rich media (rich-media §1).
public struct RichMediaCounts: Equatable, Sendable {
  /// Sessions with at least one event of rich media.
  public var presentations = 0
  /// Of them, those with at least one `rich_media_deferred`: told to wait.
  public var deferred = 0
  /// Of them, those with at least one `rich_media_presented`.
  public var shown = 0

  // Each presentation ends in exactly one of these four ways.

  /// With at least one `rich_media_failed`, whatever else was told.
  public var failed = 0
  /// With at least one `rich_media_closed`, and no failure.
  public var closed = 0
  /// Shown, and neither closed nor failed: still open, or its end was lost.
  public var openOrLost = 0
  /// Deferred alone: still waiting, or what followed was lost.
  public var waitingOrLost = 0

  /// Of `closed`, those that the timer closed. Nil where no closed presentation has a known timer and time open.
  public var closedByTimer: Int?
  /// Of `closed`, those closed before their timer. Nil together with `closedByTimer`.
  public var closedBeforeTimer: Int?
  /// From the first `rich_media_deferred` to the first `rich_media_presented`, where that is known.
  public var wait = DwellSummary()
  /// From the first `rich_media_presented` to the first `rich_media_closed`, where that is known.
  public var open = DwellSummary()
  /// `seq` values from 0 to each session's highest, summed.
  public var expectedEvents = 0
  /// Of them, those that are absent.
  public var missingEvents = 0

  /// All zero.
  public init() {}
}

/// The presentations of one content code.
public struct RichMediaLine: Equatable, Sendable {
  /// The app; nil where lines of all apps are told apart by nothing else.
  public var app: String?
  /// The content code.
  public var contentCode: String
  /// What was counted.
  public var counts: RichMediaCounts

  /// Makes a line.
  public init(app: String? = nil, contentCode: String, counts: RichMediaCounts) {
    self.app = app
    self.contentCode = contentCode
    self.counts = counts
  }
}
