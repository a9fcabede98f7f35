import StoryEvents

/// One event of a session, as far as a funnel asks.
package struct StoredEvent: Sendable, Equatable {
  /// Its number within the session.
  package var seq: Int
  /// What happened; nil for a type that this version does not know, which still fills its `seq`.
  package var type: EventType?
  /// The page index of a `page_shown` or `action_tap`, the page count of a `start`; else 0.
  package var number: Int
  /// When, by the device's own clock.
  package var atMicroseconds: Int64
  /// The page's duration that came with a `page_shown`.
  package var durationSeconds: Double?

  /// Makes an event; see the properties.
  package init(seq: Int, type: EventType?, number: Int, atMicroseconds: Int64, durationSeconds: Double? = nil) {
    self.seq = seq
    self.type = type
    self.number = number
    self.atMicroseconds = atMicroseconds
    self.durationSeconds = durationSeconds
  }
}

/// Everything that a funnel needs of one session: its events, each `seq` once, in the order of `seq` (metrics §1).
package struct SessionHistory {
  /// In the order of `seq`, without duplicates.
  package private(set) var events: [StoredEvent] = []
  /// The durations of the first `start`'s pages in seconds, by page index; empty where it had none.
  package var startPageDurations: [Double?] = []

  /// Begins without events.
  package init() {}

  /// The history of these events, in whatever order.
  package init(_ events: [StoredEvent], startPageDurations: [Double?] = []) {
    self.init()
    for event in events { append(event) }
    self.startPageDurations = startPageDurations
    putInOrder()
  }

  /// Forgets the session and keeps the memory.
  package mutating func removeAll() {
    events.removeAll(keepingCapacity: true)
    startPageDurations.removeAll(keepingCapacity: true)
  }

  /// Adds an event. `putInOrder` must follow before the session is judged.
  package mutating func append(_ event: StoredEvent) { events.append(event) }

  /// Orders the events by `seq`. PostgreSQL nearly always delivers them so, but nothing obliges it to.
  package mutating func putInOrder() {
    var previous = -1
    for event in events {
      guard event.seq > previous else {
        events.sort { $0.seq < $1.seq }
        return
      }
      previous = event.seq
    }
  }
}
