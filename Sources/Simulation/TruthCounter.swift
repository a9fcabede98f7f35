import FunnelDocument

/// Counts the funnel that a report must show, session by session, by the definitions of metrics.md in plain Swift.
///
/// It holds the length of every impression, since quantiles need them all: 8 bytes an impression.
public struct TruthCounter: Sendable {
  private var tallies: [StoryTally]

  /// A counter for a number of stories.
  public init(storyCount: Int) {
    tallies = Array(repeating: StoryTally(), count: storyCount)
  }

  /// Counts a session from the events that are delivered of it. They may be out of order and repeated.
  public mutating func count(_ session: SimulatedSession) {
    count(session.events, storyIndex: session.storyIndex, hasSuspectClock: session.hasSuspectClock)
  }

  /// Counts the events of one session of the story at this place. Page indexes and counts are within the contract's
  /// limits (contract §1).
  public mutating func count(_ events: [SimulatedEvent], storyIndex: Int, hasSuspectClock: Bool = false) {
    tallies[storyIndex].count(events, hasSuspectClock: hasSuspectClock)
  }

  /// The counts of one story. Titles are for the caller to add.
  public func counts(storyIndex: Int) -> FunnelCounts { tallies[storyIndex].counts }

  /// The counts of all stories together, with the quantiles of all their impressions.
  public func total() -> FunnelCounts {
    guard var sum = tallies.first else { return FunnelCounts() }
    for tally in tallies.dropFirst() { sum.add(tally) }
    return sum.counts
  }
}
