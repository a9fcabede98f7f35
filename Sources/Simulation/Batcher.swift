/// Puts sessions into batches, and counts each session's truth when its first batch is known: that batch's times are its
/// arrival.
struct Batcher {
  private(set) var summary = SimulationSummary()
  private(set) var truth: TruthCounter
  /// When the latest batch arrived, in microseconds since 1970; nil before the first.
  private(set) var latestArrival: Int64?
  private var writer: BatchWriter
  /// Sessions whose first event is in the batch being written.
  private var begun: [SimulatedSession] = []
  private var sentAt: Int64 = 0
  private var receivedAt: Int64 = 0
  private let mostEvents: Int?

  init(configuration: WorldConfiguration) {
    truth = TruthCounter(storyCount: configuration.stories.count)
    writer = BatchWriter(configuration: configuration)
    switch configuration.batching {
    case .session: mostEvents = nil
    case .packed(let eventCount): mostEvents = eventCount
    }
  }

  mutating func add(
    _ session: SimulatedSession, take: (borrowing SentBatch) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    summary.sessions += 1
    begun.append(session)
    writer.select(session)
    for event in session.events {
      if writer.eventCount == 0 { writer.begin(with: session) }
      writer.append(event, of: session)
      // A batch of several sessions is sent when the last of them is.
      if session.receivedAtMicroseconds > receivedAt {
        receivedAt = session.receivedAtMicroseconds
        sentAt = session.sentAtMicroseconds
      }
      if writer.eventCount == mostEvents { try handOver(to: take) }
    }
    if mostEvents == nil { try handOver(to: take) }
  }

  /// Ends the batch being written, if there is one.
  mutating func handOver(
    to take: (borrowing SentBatch) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    if writer.eventCount > 0 {
      writer.end(sentAtMicroseconds: sentAt, receivedAtMicroseconds: receivedAt)
      summary.batches += 1
      summary.events += writer.eventCount
      summary.bytes += writer.batch.bytes.count
      latestArrival = max(latestArrival ?? receivedAt, receivedAt)
      try take(writer.batch)
      writer.clear()
    }
    for place in begun.indices {
      begun[place].sentAtMicroseconds = sentAt
      begun[place].receivedAtMicroseconds = receivedAt
      truth.count(begun[place])
    }
    begun.removeAll(keepingCapacity: true)
    receivedAt = 0
  }
}
