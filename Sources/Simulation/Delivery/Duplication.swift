import StoryPlayback

/// Delivers events a second time.
struct Duplication {
  let share: Double

  /// Puts copies of some of a session's events into its upload.
  ///
  /// - Returns: copies that travel by themselves.
  func repeatSome(
    of events: [SimulatedEvent], in upload: inout [SimulatedEvent], _ generator: inout SplitMix64
  ) -> [DelayedEvents] {
    var later: [SimulatedEvent] = []
    for event in events where generator.happens(share) {
      if generator.happens(0.5) {
        upload.insert(event, at: generator.index(below: upload.count + 1))
      } else {
        later.append(event)
      }
    }
    return DelayedEvents.scatter(later, &generator)
  }
}
