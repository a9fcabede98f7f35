import StoryEvents

/// All sessions of a world, of all surfaces, by their starts.
struct WorldSessions {
  private let world: World
  private var storyCount = 0
  private var visitCount = 0
  private var mediaCount = 0
  private var responseCount = 0
  /// The next ones of each surface that has another one.
  private var heads: [Head] = []

  private struct Head {
    var source: Source
    /// In order; at least one.
    var sessions: [SimulatedSession]
    /// That of the first of them.
    var number: Int

    var startMilliseconds: Int64 { sessions[0].id.timeMilliseconds ?? 0 }
  }

  private enum Source: UInt64, CaseIterable {
    case stories, richMedia, responses

    /// The numbers of a surface's sessions lie apart from those of the others; those of stories are their own.
    func streamNumber(_ number: Int) -> UInt64 { rawValue << 60 | UInt64(number) }
  }

  init(_ world: World) {
    self.world = world
    for source in Source.allCases {
      if let head = next(of: source) { heads.append(head) }
    }
  }

  /// The next session, and a number that no other one has.
  mutating func next() -> (session: SimulatedSession, number: UInt64)? {
    guard let place = heads.indices.min(by: { heads[$0].startMilliseconds < heads[$1].startMilliseconds }) else {
      return nil
    }
    let head = heads[place]
    if head.sessions.count > 1 {
      heads[place].sessions.removeFirst()
      heads[place].number += 1
    } else if let next = next(of: head.source) {
      heads[place] = next
    } else {
      heads.remove(at: place)
    }
    return (head.sessions[0], head.source.streamNumber(head.number))
  }

  private mutating func next(of source: Source) -> Head? {
    switch source {
    case .stories:
      guard storyCount < world.configuration.sessionCount else { return nil }
      defer { storyCount += 1 }
      return Head(source: source, sessions: [world.session(storyCount)], number: storyCount)
    case .richMedia:
      let visit = world.richMediaVisit(visitCount, first: mediaCount)
      guard !visit.isEmpty else { return nil }
      defer {
        visitCount += 1
        mediaCount += visit.count
      }
      return Head(source: source, sessions: visit, number: mediaCount)
    case .responses:
      guard let response = world.response(responseCount) else { return nil }
      defer { responseCount += 1 }
      return Head(source: source, sessions: [response], number: responseCount)
    }
  }
}
