// Quality: how far the numbers of a scope can be trusted (docs/quality.md).
//
//   QualityReport    what is reported: a value, checked by itself (+Conservation) and judged in sentences (QualityVerdict)
//   QualityReporter  makes one out of what is stored: QualityReading reads, QualityTally counts
//   QualityFormat    prints one: QualityTable, QualityJSON, QualityCSV

import FunnelDocument

/// How far the numbers of a scope can be trusted: what is missing, what was refused, what is still to come
/// (docs/quality.md).
public struct QualityReport: Sendable, Equatable {
  /// When the report was made, as RFC 3339.
  public var generatedAt: String
  /// The newest arrival in the database, as RFC 3339. Nil where nothing has arrived.
  public var dataThrough: String?
  /// Which sessions were asked for.
  public var scope: FunnelScope
  /// Whether all apps were asked for, rather than those that the scope names.
  public var coversAllApps: Bool
  /// The first and the last start among the presentations; nil where there is none.
  public var observed: ObservedRange?
  /// What makes the numbers doubtful, worst first; empty where nothing does.
  public var verdict: [QualityFinding]
  /// Presentations in the scope (metrics §1).
  public var presentations: Int
  /// What is wrong with the story sessions of the scope.
  public var total: SessionFaults
  /// By app version, those with the most sessions first; what is beyond the bound is one, `(other)`. They add up to the
  /// total.
  public var versions: [VersionQuality]
  /// By local day, in order; they add up to the total.
  public var days: [DayQuality]
  /// Of each app version and day, those with the most missing events first; the rest is one. They add up to the total.
  public var cells: [CellQuality]
  /// How far the clocks of devices were off.
  public var clocks: ClockOffsets
  /// How long first events took to arrive.
  public var delay: ArrivalDelay
  /// How complete yesterday is likely to be; nil where the range does not touch it.
  public var yesterday: YesterdayEstimate?
  /// What became of the accepted events of each app.
  public var fates: ReceivedFates
  /// Rejected events of each app and reason, first received in the range.
  public var rejected: [RejectedReason]
  /// Rejected events that were removed since to keep them bounded, whenever they were received.
  public var removedRejections: Int
  /// Fallbacks by reason, the most first.
  public var fallbacks: [FallbackReason]
  /// Events that devices say they had to give up, by app: of all time, for devices say no time.
  public var dropped: [DroppedEvents]
  /// A sentence on why there are no sessions; nil where there are.
  public var explanation: String?
}

/// What is wrong with a set of story sessions (metrics §4).
public struct SessionFaults: Sendable, Equatable {
  /// Story sessions.
  public var sessions = 0
  /// Highest `seq` + 1, summed.
  public var expectedEvents = 0
  /// `seq` values absent below each session's highest, summed.
  public var missingEvents = 0
  /// Sessions with at least one missing event.
  public var sessionsWithMissingEvents = 0
  /// Sessions without a `start`.
  public var sessionsWithoutStart = 0
  /// Sessions of one event with `seq` 0: senders that do not number their events have only such.
  public var singleEventSessions = 0
  /// Taps on a page that was never shown in their session.
  public var orphanTaps = 0
  /// Impressions whose end lies before their beginning.
  public var negativeDwells = 0
  /// Sessions whose clock cannot be right (contract §3).
  public var suspectClockSessions = 0
  /// Sessions whose start was corrected by more than five minutes (contract §3).
  public var offsetClockSessions = 0

  /// Missing ÷ expected.
  public var missingRate: Rate { Rate(missingEvents, of: expectedEvents) }

  /// Nothing counted yet.
  public init() {}

  /// Takes in those of another set.
  public static func += (left: inout SessionFaults, right: SessionFaults) {
    left.sessions += right.sessions
    left.expectedEvents += right.expectedEvents
    left.missingEvents += right.missingEvents
    left.sessionsWithMissingEvents += right.sessionsWithMissingEvents
    left.sessionsWithoutStart += right.sessionsWithoutStart
    left.singleEventSessions += right.singleEventSessions
    left.orphanTaps += right.orphanTaps
    left.negativeDwells += right.negativeDwells
    left.suspectClockSessions += right.suspectClockSessions
    left.offsetClockSessions += right.offsetClockSessions
  }

  /// This set without a part of it.
  func without(_ part: SessionFaults) -> SessionFaults {
    var rest = self
    rest.sessions -= part.sessions
    rest.expectedEvents -= part.expectedEvents
    rest.missingEvents -= part.missingEvents
    rest.sessionsWithMissingEvents -= part.sessionsWithMissingEvents
    rest.sessionsWithoutStart -= part.sessionsWithoutStart
    rest.singleEventSessions -= part.singleEventSessions
    rest.orphanTaps -= part.orphanTaps
    rest.negativeDwells -= part.negativeDwells
    rest.suspectClockSessions -= part.suspectClockSessions
    rest.offsetClockSessions -= part.offsetClockSessions
    return rest
  }
}
