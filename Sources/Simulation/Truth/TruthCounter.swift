import FunnelDocument

/// Counts the funnel that a report must show, session by session, by the definitions of metrics.md in plain Swift.
///
/// It holds the length of every impression, since quantiles need them all: 8 bytes an impression.
public struct TruthCounter: Sendable {
  /// One for each group, or for each story.
  private var groupTallies: GroupTallies<StoryTally>
  private var naming: GroupNaming?

  /// A counter for a number of stories, without groups.
  public init(storyCount: Int) {
    groupTallies = GroupTallies(StoryTally())
    for place in 0..<storyCount { groupTallies.update(String(place)) { _ in } }
  }

  /// A counter for a world, with the groups that it asks for.
  init(_ configuration: WorldConfiguration) {
    let naming = GroupNaming(configuration)
    self.naming = naming
    groupTallies = GroupTallies(StoryTally())
    // Also stories that are never shown have a group.
    if naming.grouping == .story {
      for index in configuration.stories.indices { groupTallies.update(naming.storyName(index)) { _ in } }
    }
  }

  /// Counts a session of a story from the events that are delivered of it. They may be out of order and repeated.
  public mutating func count(_ session: SimulatedSession) {
    guard case .story(let index) = session.surface else { return }
    let name = naming?.name(of: session) ?? String(index)
    groupTallies.update(name) { $0.count(session.events, hasSuspectClock: session.hasSuspectClock) }
  }

  /// Counts the events of one session of the story at this place, without groups. Page indexes and counts are within the
  /// contract's limits (contract §1).
  public mutating func count(_ events: [SimulatedEvent], storyIndex: Int, hasSuspectClock: Bool = false) {
    groupTallies.update(String(storyIndex)) { $0.count(events, hasSuspectClock: hasSuspectClock) }
  }

  /// The counts of one story, where there are no groups. Titles are for the caller to add.
  public func counts(storyIndex: Int) -> FunnelCounts { groupTallies.tallies[storyIndex].counts }

  /// The counts of all stories together, with the quantiles of all their impressions.
  public func total() -> FunnelCounts {
    guard var sum = groupTallies.tallies.first else { return FunnelCounts() }
    for tally in groupTallies.tallies.dropFirst() { sum.add(tally) }
    return sum.counts
  }

  /// The counts of each group: stories in the order of the configuration, days and hours in theirs, others by size and name. Nil
  /// where the configuration asks for none.
  func groups() -> [FunnelGroup]? {
    guard let naming, naming.isAsked else { return nil }
    let groups = zip(groupTallies.names, groupTallies.tallies).map { FunnelGroup(name: $0, counts: $1.counts) }
    if naming.grouping == .story, !naming.isExplicit { return groups }
    return naming.ordered(groups, name: \.name) { $0.counts.presentations }
  }
}
