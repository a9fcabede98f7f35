/// Events of one session that arrive together: all of them, unless the network takes the session apart.
struct Parcel {
  /// The session, with all events that are delivered of it, and the times of this parcel.
  var session: SimulatedSession
  /// The events in the parcel, in the order in which they arrive.
  var events: [SimulatedEvent]
  /// How much later than the session's upload it arrives, in microseconds.
  private(set) var delayMicroseconds: Int64 = 0
  /// Whether it is the first of its session that arrives: its batch fixes when the session counts (contract §3).
  private(set) var arrivesFirst = true

  /// A whole session.
  init(_ session: SimulatedSession) {
    self.session = session
    events = session.events
  }

  init(_ session: SimulatedSession, events: [SimulatedEvent], delayMicroseconds: Int64 = 0) {
    self.session = session
    self.events = events
    delay(by: delayMicroseconds)
  }

  /// Lets it be sent, and so arrive, later: a batch is stamped when it is sent (contract §3).
  mutating func delay(by microseconds: Int64) {
    delayMicroseconds += microseconds
    session.sentAtMicroseconds += microseconds
    session.receivedAtMicroseconds += microseconds
  }

  /// Marks which parcel of a session arrives first.
  static func markFirst(_ parcels: [Parcel]) -> [Parcel] {
    let first = parcels.indices.min { parcels[$0].delayMicroseconds < parcels[$1].delayMicroseconds }
    var parcels = parcels
    for place in parcels.indices { parcels[place].arrivesFirst = place == first }
    return parcels
  }
}

/// Events that travel apart from their session's upload.
struct DelayedEvents {
  var events: [SimulatedEvent]
  /// How much later than the upload they arrive, in microseconds.
  var delayMicroseconds: Int64
}
