import FunnelDocument

/// The running counts of a set of sessions without their pages (metrics §1 and §4).
package struct SessionTally: Sendable {
  /// What was counted; without pages.
  package private(set) var counts = FunnelCounts()
  /// How many pages the sessions imply.
  package private(set) var pageSpan = 0

  /// Begins with nothing counted.
  package init() {}

  /// Counts a session.
  package mutating func count(_ session: borrowing JudgedSession, hasSuspectClock: Bool) {
    guard session.isPresentation else { return }
    counts.presentations += 1
    if session.isFallback { counts.fallbacks += 1 }
    guard session.isStorySession else { return }
    counts.sessions += 1
    if session.isFinished { counts.finishedSessions += 1 }
    if session.hasReachedLast { counts.reachedLastSessions += 1 }
    if session.isTapped { counts.tappedSessions += 1 }
    counts.completeness.expectedEvents += session.expectedEvents
    counts.completeness.missingEvents += session.missingEvents
    if !session.hasStart { counts.completeness.sessionsWithoutStart += 1 }
    if hasSuspectClock { counts.completeness.suspectClockSessions += 1 }
    pageSpan = max(pageSpan, session.pageSpan)
    counts.completeness.negativeDwells += session.negativeDwells
    counts.completeness.orphanTaps += session.orphanTaps
  }

  /// Takes in the sessions of another tally.
  package mutating func add(_ other: SessionTally) {
    counts = counts + other.counts
    pageSpan = max(pageSpan, other.pageSpan)
  }
}
