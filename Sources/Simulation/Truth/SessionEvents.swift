/// A session's events as reports take them (metrics §1): each `seq` once, the first that arrived, in the order of `seq`.
struct SessionEvents {
  /// The events.
  let events: [SimulatedEvent]

  init(_ delivered: [SimulatedEvent]) {
    let isInOrder = zip(delivered, delivered.dropFirst()).allSatisfy { $0.seq < $1.seq }
    if isInOrder {
      events = delivered
    } else {
      var known: Set<Int> = []
      events = delivered.filter { known.insert($0.seq).inserted }.sorted { $0.seq < $1.seq }
    }
  }

  /// `seq` values from 0 to the highest.
  var expectedCount: Int { (events.last?.seq ?? -1) + 1 }
  /// Of them, those that are absent.
  var missingCount: Int { expectedCount - events.count }

  /// Whether no `seq` is missing between two places.
  func isWhole(from place: Int, to end: Int) -> Bool { events[end].seq - events[place].seq == end - place }
}

extension [Int64] {
  /// Of lengths in microseconds the ⌈q·n⌉-th in milliseconds, sorted before: nearest rank (metrics §2). Not empty.
  func nearestRankMilliseconds(tenths: Int) -> Double { Double(self[(count * tenths + 9) / 10 - 1]) / 1_000 }
}
