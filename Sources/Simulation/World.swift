import StoryEvents
import StoryPlayback

/// The sessions of a world. Session *n* of a surface depends on the settings and *n* alone, so any of them can be made at any time.
public struct World: Sendable {
  /// The settings.
  public let configuration: WorldConfiguration
  private let storyChoices: [Weighted<Int>]
  private let viewerChoices: [Weighted<Viewer>]
  private let details: [StoryDetails]
  private let deviceCount: Int
  let contentChoices: [Weighted<Int>]

  /// A world of these settings.
  ///
  /// - Throws: `invalidConfiguration`.
  public init(_ configuration: WorldConfiguration) throws(SimulationError) {
    try configuration.check()
    self.configuration = configuration
    storyChoices = configuration.stories.enumerated().map { Weighted($0.offset, weight: $0.element.weight) }
    let mix = configuration.viewerMix.with(fastTapperShare: configuration.fastTapperShare)
    viewerChoices = mix.profiles.map { profile in
      let viewer = Viewer(
        profile: profile, brokenLinkProbability: mix.brokenLinkProbability, options: configuration.playerOptions)
      return Weighted(viewer, weight: profile.share)
    }
    details = configuration.stories.map { StoryDetails(story: $0) }
    deviceCount = Self.deviceCount(configuration.sessionCount, configuration)
    let contents = configuration.richMedia?.contents ?? []
    contentChoices = contents.enumerated().map { Weighted($0.offset, weight: $0.element.weight) }
  }

  /// How many devices so many sessions come from.
  static func deviceCount(_ sessionCount: Int, _ configuration: WorldConfiguration) -> Int {
    max(1, Int(Double(sessionCount) / configuration.sessionsPerDevice))
  }

  /// Session number `index` of the stories, from 0 to below `sessionCount`; later numbers start later.
  public func session(_ index: Int) -> SimulatedSession {
    var generator = SplitMix64(seed: configuration.seed, stream: UInt64(index))
    let startedAt = start(of: index, among: configuration.sessionCount, &generator)
    let id = SessionID(
      millisecondsSince1970: UInt64(startedAt / 1_000), randomHigh: UInt16(truncatingIfNeeded: generator.next()),
      randomLow: generator.next())
    let storyIndex = generator.choose(storyChoices) ?? 0
    let device = device(generator.index(below: deviceCount))
    let (outcome, reason) = received(configuration.stories[storyIndex].outcome, &generator)
    let isDismissObserved = generator.happens(configuration.dismissObservedShare)
    var closedAt = startedAt
    var events: [SimulatedEvent] = []
    if let viewer = generator.choose(viewerChoices) {
      let performance = viewer.watch(outcome, at: startedAt, generator: &generator)
      closedAt = performance.closedAtMicroseconds
      events = record(performance, reason: reason, storyIndex: storyIndex, withDismiss: isDismissObserved)
    }
    // Phones upload when they can: seconds to a minute later. Then the network takes its time.
    let sentAt = closedAt + generator.microseconds(1, 60)
    return SimulatedSession(
      id: id, surface: .story(storyIndex), device: device, events: events, sentAtMicroseconds: sentAt,
      receivedAtMicroseconds: sentAt + generator.microseconds(0.02, 0.4))
  }

  /// Starts are spread evenly, each at random within its own part of the range.
  func start(of index: Int, among count: Int, _ generator: inout SplitMix64) -> Int64 {
    let place = (Double(index) + generator.unit()) / Double(max(1, count))
    let span = configuration.spanMicroseconds
    let offset = min(span - 1, Int64(Double(span) * place))
    return configuration.endingMicroseconds - span + offset
  }

  /// What the phone makes of the message this time, and the reason that it sends of a fallback.
  private func received(
    _ outcome: StoryOutcome, _ generator: inout SplitMix64
  ) -> (outcome: StoryOutcome, reason: String?) {
    switch outcome {
    case .fallback(let reason): return (outcome, reason.rawValue)
    case .story:
      guard generator.happens(configuration.fallbackShare) else { return (outcome, nil) }
      return (.fallback(.missingBlock), generator.choose(configuration.fallbackReasons) ?? nil)
    }
  }

  /// Numbers what the delegate was told, as an observer on the phone does.
  private func record(
    _ performance: StoryPerformance, reason: String?, storyIndex: Int, withDismiss: Bool
  ) -> [SimulatedEvent] {
    let details = details[storyIndex]
    var events: [SimulatedEvent] = []
    events.reserveCapacity(performance.callbacks.count + 1)
    for (seq, timed) in performance.callbacks.enumerated() {
      let at = timed.atMicroseconds
      switch timed.callback {
      case .didStart(let pageCount):
        events.append(
          SimulatedEvent(
            type: .start, seq: seq, atMicroseconds: at, pageCount: pageCount,
            pageDurationsMicroseconds: details.startDurations))
      case .didShow(let page):
        events.append(
          SimulatedEvent(
            type: .pageShown, seq: seq, atMicroseconds: at, pageIndex: page,
            durationMicroseconds: details.durations[page]))
      case .didTapAction(let page):
        events.append(SimulatedEvent(type: .actionTap, seq: seq, atMicroseconds: at, pageIndex: page))
      case .didFinish:
        events.append(SimulatedEvent(type: .finish, seq: seq, atMicroseconds: at))
      case .didShowFallback:
        events.append(SimulatedEvent(type: .fallback, seq: seq, atMicroseconds: at, reason: reason))
      }
    }
    if withDismiss {
      events.append(
        SimulatedEvent(type: .dismiss, seq: events.count, atMicroseconds: performance.closedAtMicroseconds))
    }
    return events
  }

  /// Device number `index`, which keeps its versions: an update is another world.
  func device(_ index: Int) -> SimulatedDevice {
    // The complement keeps the streams of devices apart from those of sessions.
    var generator = SplitMix64(seed: ~configuration.seed, stream: UInt64(index))
    return SimulatedDevice(
      deviceID: Self.randomUUID(&generator),
      appVersion: generator.choose(configuration.appVersions),
      osVersion: generator.choose(configuration.osVersions), deviceModel: generator.choose(configuration.deviceModels),
      locale: generator.choose(configuration.locales), sdkVersion: generator.choose(configuration.sdkVersions),
      // What not every world has comes last, so that it changes nothing of the rest.
      environment: configuration.environments.isEmpty ? nil : generator.choose(configuration.environments),
      properties: configuration.properties.compactMap { property in
        generator.choose(property.values).map { SimulatedProperty(name: property.name, value: $0) }
      })
  }

  /// A UUID of version 4; ids of sessions and of devices have the same form.
  private static func randomUUID(_ generator: inout SplitMix64) -> SessionID {
    let high = generator.next() & ~0xF000 | 0x4000
    let low = generator.next()
    // The initialiser for version 7 sets the variant; only it cannot fail.
    let variant = SessionID(millisecondsSince1970: 0, randomHigh: 0, randomLow: low)
    return SessionID(high: high, low: variant.low) ?? variant
  }
}
