import FunnelDocument

/// Counts the funnel that a report must show, session by session, by the definitions of metrics.md in plain Swift.
///
/// It holds the length of every impression, since quantiles need them all: 8 bytes an impression.
public struct TruthCounter: Sendable {
  /// One for each group.
  private var tallies: [StoryTally]
  /// The name of each group; empty where sessions are told apart by the place of their story alone.
  private var names: [String] = []
  /// The place of each group by the bytes of its name: texts are told apart as in the database.
  private var places: [[UInt8]: Int] = [:]
  private var naming: GroupNaming?

  /// A counter for a number of stories, without groups.
  public init(storyCount: Int) {
    tallies = Array(repeating: StoryTally(), count: storyCount)
  }

  /// A counter for a world, with the groups that it asks for.
  init(_ configuration: WorldConfiguration) {
    let naming = GroupNaming(configuration)
    self.naming = naming
    tallies = []
    // Also stories that are never shown have a group.
    if naming.grouping == .story {
      for index in configuration.stories.indices { _ = place(named: naming.storyName(index)) }
    }
  }

  /// Counts a session from the events that are delivered of it. They may be out of order and repeated.
  public mutating func count(_ session: SimulatedSession) {
    let place = naming == nil ? session.storyIndex : place(of: session)
    tallies[place].count(session.events, hasSuspectClock: session.hasSuspectClock)
  }

  /// Counts the events of one session of the story at this place, without groups. Page indexes and counts are within the
  /// contract's limits (contract §1).
  public mutating func count(_ events: [SimulatedEvent], storyIndex: Int, hasSuspectClock: Bool = false) {
    tallies[storyIndex].count(events, hasSuspectClock: hasSuspectClock)
  }

  /// The counts of one story, where there are no groups. Titles are for the caller to add.
  public func counts(storyIndex: Int) -> FunnelCounts { tallies[storyIndex].counts }

  /// The counts of all stories together, with the quantiles of all their impressions.
  public func total() -> FunnelCounts {
    guard var sum = tallies.first else { return FunnelCounts() }
    for tally in tallies.dropFirst() { sum.add(tally) }
    return sum.counts
  }

  /// The counts of each group: stories in the order of the configuration, days and hours in theirs, others by size and name. Nil
  /// where the configuration asks for none.
  func groups() -> [FunnelGroup]? {
    guard let naming, naming.isAsked else { return nil }
    let groups = zip(names, tallies).map { FunnelGroup(name: $0, counts: $1.counts) }
    switch naming.grouping {
    case .story where !naming.isExplicit: return groups
    case .day, .hour: return groups.filter { $0.counts.presentations > 0 }.sorted { $0.name < $1.name }
    case .story, .context, .property:
      return groups.filter { $0.counts.presentations > 0 }.sorted { left, right in
        let sizes = (left.counts.presentations, right.counts.presentations)
        return sizes.0 != sizes.1 ? sizes.0 > sizes.1 : left.name < right.name
      }
    }
  }

  private mutating func place(of session: SimulatedSession) -> Int {
    let name = naming?.name(of: session) ?? TruthGrouping.noneText
    return place(named: name)
  }

  private mutating func place(named name: String) -> Int {
    let bytes = Array(name.utf8)
    if let known = places[bytes] { return known }
    places[bytes] = names.count
    names.append(name)
    tallies.append(StoryTally())
    return names.count - 1
  }
}
