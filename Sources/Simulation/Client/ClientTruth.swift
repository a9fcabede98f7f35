import FunnelDocument
import StoryEvents

/// What a client's world must be in the reports: the simulated sessions, each counted when it is recorded.
struct ClientTruth {
  private var stories: TruthCounter
  private var richMedia: RichMediaTruth?
  private var responses: ResponseTruth?
  private var latestArrival: Int64?

  init(_ configuration: WorldConfiguration) {
    stories = TruthCounter(configuration)
    richMedia = configuration.richMedia.map { RichMediaTruth($0, configuration) }
    responses = configuration.responses.map { ResponseTruth($0, configuration) }
  }

  /// Counts a session that was recorded just now. It is sent soon, by a clock that is right: the collector sees no offset, and counts
  /// it at its start.
  mutating func count(_ session: SimulatedSession) {
    var session = session
    session.receivedAtMicroseconds = RealClock.microseconds()
    session.sentAtMicroseconds = session.receivedAtMicroseconds
    latestArrival = session.receivedAtMicroseconds
    switch session.surface {
    case .story: stories.count(session)
    case .richMedia: richMedia?.count(session)
    case .response: responses?.count(session)
    }
  }

  /// Writes what was counted into a summary.
  func fill(_ summary: inout SimulationSummary, of simulator: Simulator) {
    let configuration = simulator.world.configuration
    let dataThrough = latestArrival.map(TimestampWriter.text)
    summary.sessions = configuration.sessionCount
    summary.richMediaSessions = configuration.richMedia?.sessionCount ?? 0
    summary.responses = configuration.responses?.sessionCount ?? 0
    summary.truth = simulator.report(stories, dataThrough: dataThrough)
    summary.richMediaTruth = richMedia?.report(configuration, dataThrough: dataThrough)
    summary.buttonsTruth = responses?.report(configuration, dataThrough: dataThrough)
  }
}

/// The sessions of a world, those of one visit to an app together: one surface after the other, since no phone sees another's.
struct ClientSessions: Sequence, IteratorProtocol {
  private let world: World
  private var storyCount = 0
  private var visitCount = 0
  private var mediaCount = 0
  private var responseCount = 0

  init(_ world: World) {
    self.world = world
  }

  mutating func next() -> [SimulatedSession]? {
    if storyCount < world.configuration.sessionCount {
      defer { storyCount += 1 }
      return [world.session(storyCount)]
    }
    let visit = world.richMediaVisit(visitCount, first: mediaCount)
    if !visit.isEmpty {
      visitCount += 1
      mediaCount += visit.count
      return visit
    }
    defer { responseCount += 1 }
    return world.response(responseCount).map { [$0] }
  }
}
