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
  /// Notifications opened.
  public var sessions = 0
  /// Events that came of them.
  public var events = 0
  /// Batches of those events.
  public var batches = 0
  /// Bytes of those batches, before anything is sent twice.
  public var bytes = 0
  /// The funnel of the world: its only story's, or the total with one group a story.
  public var truth = FunnelReport(generatedAt: "", scope: FunnelScope(), total: FunnelCounts())
  /// What the collector answered; nil where nothing was sent.
  public var delivery: DeliverySummary?
}
