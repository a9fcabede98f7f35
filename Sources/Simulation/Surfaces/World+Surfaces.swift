import StoryEvents
import StoryPlayback

/// Rich media and responses. Each surface draws from streams of its own: with the others the world's stories stay what they
/// are.
extension World {
  /// What keeps the streams of the surfaces apart from each other and from those of stories, devices and mishaps. Never
  /// changes.
  private enum Stream: UInt64 {
    case richMedia = 0x7269_6368_0000_0007
    case responses = 0x7265_7370_0000_0008
  }

  /// The sessions of one visit to an app in which rich media are asked for, in the order of their starts.
  ///
  /// - Parameters:
  ///   - number: the visit's number, from 0; later visits begin later.
  ///   - first: how many are asked for in the visits before; below `RichMediaWorld.sessionCount`.
  /// - Returns: at least one session, and no more than are left of `sessionCount`; none where the world has no rich media.
  public func richMediaVisit(_ number: Int, first: Int) -> [SimulatedSession] {
    guard let world = configuration.richMedia, first < world.sessionCount else { return [] }
    var generator = SplitMix64(seed: configuration.seed ^ Stream.richMedia.rawValue, stream: UInt64(number))
    let count = min(world.sessionCount - first, 1 + generator.index(below: world.mostPerVisit))
    let startedAt = start(of: first, among: world.sessionCount, &generator)
    let device = device(generator.index(below: Self.deviceCount(world.sessionCount, configuration)))
    let places = (0..<count).map { _ in generator.choose(contentChoices) ?? 0 }
    var visit = AppVisit(places.map { world.contents[$0] }, style: world.style, at: startedAt)
    visit.run(&generator)
    return zip(places, visit.callbacks).map { place, callbacks in
      let events = Self.record(callbacks)
      let id = Self.sessionID(startedAt: events.first?.atMicroseconds ?? startedAt, &generator)
      return sent(id, .richMedia(place), device, events, &generator)
    }
  }

  /// Answer number `index` to an interactive notification, from 0 to below `ResponseWorld.sessionCount`; later ones come
  /// later. Nil where the world has none.
  public func response(_ index: Int) -> SimulatedSession? {
    guard let world = configuration.responses, index < world.sessionCount else { return nil }
    var generator = SplitMix64(seed: configuration.seed ^ Stream.responses.rawValue, stream: UInt64(index))
    let startedAt = start(of: index, among: world.sessionCount, &generator)
    let id = Self.sessionID(startedAt: startedAt, &generator)
    let device = device(generator.index(below: Self.deviceCount(world.sessionCount, configuration)))
    let category = world.categories[generator.index(below: world.categories.count)]
    let action = generator.choose(world.actions(of: category)) ?? .default
    var event = SimulatedEvent(action: action, seq: 0, atMicroseconds: startedAt, categoryID: category.id)
    switch action {
    case .button: event.buttonID = generator.choose(ResponseWorld.buttons(of: category))
    case .default, .dismiss: if generator.happens(world.uncategorisedShare) { event.categoryID = nil }
    }
    return sent(id, .response, device, [event], &generator)
  }

  /// Numbers what the delegate was told of one presentation, as an observer on the phone does: a question alone is no
  /// event, but the answer to wait is.
  private static func record(_ callbacks: [ModalPlayer.TimedCallback]) -> [SimulatedEvent] {
    var events: [SimulatedEvent] = []
    for told in callbacks {
      let type: EventType
      var error: String?
      switch told.callback {
      case .shouldPresent(answer: true): continue
      case .shouldPresent(answer: false): type = .richMediaDeferred
      case .didPresent: type = .richMediaPresented
      case .didClose: type = .richMediaClosed
      case .didFail(let text): (type, error) = (.richMediaFailed, text)
      }
      events.append(
        SimulatedEvent(
          type: type, seq: events.count, atMicroseconds: told.atMicroseconds, contentCode: told.content.code,
          source: told.content.source, error: error))
    }
    return events
  }

  private static func sessionID(startedAt: Int64, _ generator: inout SplitMix64) -> SessionID {
    SessionID(
      millisecondsSince1970: UInt64(startedAt / 1_000), randomHigh: UInt16(truncatingIfNeeded: generator.next()),
      randomLow: generator.next())
  }

  /// Phones upload these when they can, too.
  private func sent(
    _ id: SessionID, _ surface: SimulatedSurface, _ device: SimulatedDevice, _ events: [SimulatedEvent],
    _ generator: inout SplitMix64
  ) -> SimulatedSession {
    let sentAt = (events.last?.atMicroseconds ?? 0) + generator.microseconds(1, 60)
    return SimulatedSession(
      id: id, surface: surface, device: device, events: events, sentAtMicroseconds: sentAt,
      receivedAtMicroseconds: sentAt + generator.microseconds(0.02, 0.4))
  }
}
