import StoryPlayback

/// Loses events before they are delivered.
///
/// What is lost of a session is one of four things, each as likely: all of it, its first events, its last events, or events
/// here and there. In each way an event is lost with the same probability, so the share holds over all of them.
struct EventLoss {
  let share: Double

  /// The events that are delivered.
  func survivors(of events: [SimulatedEvent], _ generator: inout SplitMix64) -> [SimulatedEvent] {
    switch generator.index(below: 4) {
    case 0: return generator.happens(share) ? [] : events
    case 1: return Array(events.dropFirst(lostCount(of: events.count, &generator)))
    case 2: return Array(events.dropLast(lostCount(of: events.count, &generator)))
    case _: return events.filter { _ in !generator.happens(share) }
    }
  }

  /// The share of a number, rounded up or down so that the mean is right.
  private func lostCount(of count: Int, _ generator: inout SplitMix64) -> Int {
    min(count, Int(share * Double(count) + generator.unit()))
  }
}
