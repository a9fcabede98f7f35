import StoryPlayback

/// Delivers events out of order, in their batch and across batches.
struct Reordering {
  let share: Double

  /// Moves some events to other places, and takes some out of the upload.
  ///
  /// - Returns: those that travel by themselves.
  func reorder(_ events: inout [SimulatedEvent], _ generator: inout SplitMix64) -> [DelayedEvents] {
    var kept: [SimulatedEvent] = []
    var moved: [SimulatedEvent] = []
    var withheld: [SimulatedEvent] = []
    for event in events {
      if !generator.happens(share) {
        kept.append(event)
      } else if generator.happens(0.5) {
        moved.append(event)
      } else {
        withheld.append(event)
      }
    }
    for event in moved { kept.insert(event, at: generator.index(below: kept.count + 1)) }
    events = kept
    return DelayedEvents.scatter(withheld, &generator)
  }
}

extension DelayedEvents {
  /// The most time that such events take longer than their session's upload, in seconds.
  private static let longestDelaySeconds = 600.0

  /// Spreads events over one or two parcels, each with a delay of its own.
  static func scatter(_ events: [SimulatedEvent], _ generator: inout SplitMix64) -> [DelayedEvents] {
    guard !events.isEmpty else { return [] }
    var parcels = (0...generator.index(below: 2)).map { _ in
      DelayedEvents(events: [], delayMicroseconds: generator.microseconds(1, longestDelaySeconds))
    }
    for event in events { parcels[generator.index(below: parcels.count)].events.append(event) }
    return parcels.filter { !$0.events.isEmpty }
  }
}
