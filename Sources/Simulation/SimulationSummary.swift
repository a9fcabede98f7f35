import FunnelDocument

/// Where a simulation's batches go.
public enum SimulationOutput: Equatable, Sendable {
  /// Nowhere: for the truth alone.
  case none
  /// To a file, one batch a line (NDJSON); a file that is there already is replaced.
  case file(path: String)
  /// To standard output, one batch a line.
  case standardOutput
  /// To a collector.
  case http(SenderConfiguration)
}

/// What a simulation did, and what a report of it must show.
public struct SimulationSummary: Equatable, Sendable {
  /// Stories opened.
  public var sessions = 0
  /// Rich media asked for.
  public var richMediaSessions = 0
  /// Notifications answered.
  public var responses = 0
  /// Events that were written or sent, with all repeats.
  public var events = 0
  /// Of them, each once: what is stored in the end.
  public var distinctEvents = 0
  /// Events that were lost before.
  public var lostEvents = 0
  /// Batches that were written or sent.
  public var batches = 0
  /// Of them, those that were sent again after a lost answer.
  public var repeatedBatches = 0
  /// Bytes of those batches.
  public var bytes = 0
  /// The funnel of the world: its only story's, or the total with one group a story.
  public var truth = FunnelReport(generatedAt: "", scope: FunnelScope(), total: FunnelCounts())
  /// What a report of rich media must show; nil where the world has none.
  public var richMediaTruth: RichMediaReport?
  /// What a report of buttons must show; nil where the world has no responses.
  public var buttonsTruth: ButtonsReport?
  /// What the collector answered; nil where nothing was sent.
  public var delivery: DeliverySummary?
}
