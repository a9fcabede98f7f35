import StoryEvents

/// What the uploader needs of the queue. Everything may be called from any thread, and nothing throws: what cannot be read now
/// is read later.
protocol UploadQueue: Sendable {
  /// The oldest events that were not answered yet, of as many sessions as fit: whole entries only, each session in the order
  /// of its events. Nil where there are none that can be read now.
  ///
  /// - Parameter mostEvents: at least 1.
  func nextBatch(mostEvents: Int) -> QueuedBatch?
  /// Forgets the events of a batch, or of a part of it: their answer has come.
  func remove(_ batch: QueuedBatch)
  /// Forgets the events of a batch and counts them as dropped.
  func drop(_ batch: QueuedBatch)
  /// How many events this installation has given up so far (contract §1, `dropped_events_total`).
  var droppedEventsTotal: Int { get }
  /// Takes the right to upload for some seconds, so that two processes do not send the same; false where another has it. Taking it
  /// again prolongs it. It is a courtesy, not a lock: what is sent twice is stored once.
  func takeLease(seconds: Double) -> Bool
  /// Gives the right back.
  func releaseLease()
}

/// Some events of the queue, at most as many as a request is to hold.
struct QueuedBatch: Sendable, Equatable {
  /// The oldest session first; none is empty.
  var parts: [QueuedPart]

  /// How many events it has.
  var eventCount: Int { parts.reduce(0) { $0 + $1.events.count } }

  /// The first and the second half by the number of events; nil where there is one event alone.
  func halves() -> (QueuedBatch, QueuedBatch)? {
    let half = eventCount / 2
    guard half > 0 else { return nil }
    var (first, second) = (QueuedBatch(parts: []), QueuedBatch(parts: []))
    for part in parts {
      let room = half - first.eventCount
      if room >= part.events.count {
        first.parts.append(part)
      } else if room <= 0 {
        second.parts.append(part)
      } else {
        first.parts.append(QueuedPart(file: part.file, context: part.context, events: Array(part.events[..<room])))
        second.parts.append(QueuedPart(file: part.file, context: part.context, events: Array(part.events[room...])))
      }
    }
    return (first, second)
  }
}

/// Events of one file, and so of one session.
struct QueuedPart: Sendable, Equatable {
  /// The file's name without its state.
  var file: String
  /// A JSON object: what is said about the session (contract §1, "Context fields").
  var context: [UInt8]
  /// In the order of the file; not empty.
  var events: [QueuedEvent]
}

/// One event as it lies in the queue.
struct QueuedEvent: Sendable, Equatable {
  /// A JSON object (contract §1).
  var json: [UInt8]
  /// Where the entry ends in its file, in bytes: what is removed is known by it.
  var endOffset: Int
}
