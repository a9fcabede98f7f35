/// How far the counts can be trusted (metrics §4).
public struct Completeness: Equatable, Sendable {
  /// Highest `seq` + 1, summed over story sessions.
  public var expectedEvents: Int
  /// `seq` values absent below each session's highest, summed over story sessions.
  public var missingEvents: Int
  /// Story sessions without a `start`.
  public var sessionsWithoutStart: Int
  /// Taps on a page that was never shown in their session.
  public var orphanTaps: Int
  /// Impressions whose end lies before their beginning.
  public var negativeDwells: Int
  /// Sessions whose clock cannot be right (contract §3).
  public var suspectClockSessions: Int
  /// Events that devices say they had to give up: the highest total of each device, summed.
  public var droppedByDevices: Int
  /// Rejected events by reason.
  public var rejectedEvents: [String: Int]

  /// Makes a completeness; nothing missing unless said otherwise.
  public init(
    expectedEvents: Int = 0, missingEvents: Int = 0, sessionsWithoutStart: Int = 0, orphanTaps: Int = 0,
    negativeDwells: Int = 0, suspectClockSessions: Int = 0, droppedByDevices: Int = 0,
    rejectedEvents: [String: Int] = [:]
  ) {
    self.expectedEvents = expectedEvents
    self.missingEvents = missingEvents
    self.sessionsWithoutStart = sessionsWithoutStart
    self.orphanTaps = orphanTaps
    self.negativeDwells = negativeDwells
    self.suspectClockSessions = suspectClockSessions
    self.droppedByDevices = droppedByDevices
    self.rejectedEvents = rejectedEvents
  }

  /// The sum of both, reason by reason.
  public static func + (left: Completeness, right: Completeness) -> Completeness {
    Completeness(
      expectedEvents: left.expectedEvents + right.expectedEvents,
      missingEvents: left.missingEvents + right.missingEvents,
      sessionsWithoutStart: left.sessionsWithoutStart + right.sessionsWithoutStart,
      orphanTaps: left.orphanTaps + right.orphanTaps, negativeDwells: left.negativeDwells + right.negativeDwells,
      suspectClockSessions: left.suspectClockSessions + right.suspectClockSessions,
      droppedByDevices: left.droppedByDevices + right.droppedByDevices,
      rejectedEvents: left.rejectedEvents.merging(right.rejectedEvents, uniquingKeysWith: +))
  }
}
