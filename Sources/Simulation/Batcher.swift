import StoryEvents

/// Puts parcels into batches, and counts each session's truth when its first batch is known: that batch's times are its
/// arrival.
struct Batcher {
  private(set) var summary = SimulationSummary()
  private(set) var truth: TruthCounter
  /// Nil where the world has none.
  private(set) var richMediaTruth: RichMediaTruth?
  /// Nil where the world has none.
  private(set) var responseTruth: ResponseTruth?
  /// When the latest batch arrived, in microseconds since 1970; nil before the first.
  private(set) var latestArrival: Int64?
  private var writer: BatchWriter
  private var lostAnswers: LostAnswers
  private var timestamps = TimestampWriter()
  /// Sessions whose first event is in the batch being written.
  private var begun: [SimulatedSession] = []
  private var sentAt: Int64 = 0
  private var receivedAt: Int64 = 0
  /// Of the device or devices whose events are in the batch being written.
  private var clockError: Int64 = 0
  private let mostEvents: Int?
  /// The time of day where batches are sent when they are made; nil keeps the world's own times.
  private let clock: (() -> Int64)?

  init(configuration: WorldConfiguration, clock: (() -> Int64)? = nil) {
    truth = TruthCounter(configuration)
    richMediaTruth = configuration.richMedia.map { RichMediaTruth($0, configuration) }
    responseTruth = configuration.responses.map { ResponseTruth($0, configuration) }
    writer = BatchWriter(configuration: configuration)
    lostAnswers = LostAnswers(configuration)
    self.clock = clock
    switch configuration.batching {
    case .session: mostEvents = nil
    case .packed(let eventCount): mostEvents = eventCount
    }
  }

  mutating func add(
    _ parcel: Parcel, take: (borrowing SentBatch) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    let session = parcel.session
    // A batch has one `sent_at`, so it holds events of devices whose clocks agree.
    if session.clockErrorMicroseconds != clockError { try handOver(to: take) }
    clockError = session.clockErrorMicroseconds
    if parcel.arrivesFirst {
      summary.distinctEvents += session.events.count
      begun.append(session)
    }
    writer.select(session)
    for event in parcel.events {
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

  /// Ends the last batch, and sends again what is still to be sent again.
  mutating func finish(take: (borrowing SentBatch) throws(SimulationError) -> Void) throws(SimulationError) {
    try handOver(to: take)
    try sendAgain(all: true, to: take)
  }

  /// Ends the batch being written, if there is one.
  private mutating func handOver(
    to take: (borrowing SentBatch) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    if let clock {
      receivedAt = clock()
      sentAt = receivedAt + clockError
    }
    if writer.eventCount > 0 {
      writer.end(sentAtMicroseconds: sentAt, receivedAtMicroseconds: receivedAt)
      latestArrival = max(latestArrival ?? receivedAt, receivedAt)
      try send(writer.batch, to: take)
      lostAnswers.note(writer.batch, sentAtMicroseconds: sentAt, receivedAtMicroseconds: receivedAt)
      writer.clear()
      try sendAgain(all: false, to: take)
    }
    for place in begun.indices {
      begun[place].sentAtMicroseconds = sentAt
      begun[place].receivedAtMicroseconds = receivedAt
      count(begun[place])
    }
    begun.removeAll(keepingCapacity: true)
    receivedAt = 0
  }

  private mutating func count(_ session: SimulatedSession) {
    switch session.surface {
    case .story: truth.count(session)
    case .richMedia: richMediaTruth?.count(session)
    case .response: responseTruth?.count(session)
    }
  }

  private mutating func sendAgain(
    all: Bool, to take: (borrowing SentBatch) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    while let again = nextAgain(all: all) {
      summary.repeatedBatches += 1
      try send(again, to: take)
    }
  }

  private mutating func nextAgain(all: Bool) -> SentBatch? {
    lostAnswers.next(all: all) { [clock] batch, sentAt, receivedAt in
      let now = clock?()
      batch.stamp(now ?? receivedAt, at: batch.receivedAtOffset, &timestamps)
      batch.stamp(now.map { $0 + batch.clockErrorMicroseconds } ?? sentAt, at: batch.sentAtOffset, &timestamps)
    }
  }

  private mutating func send(
    _ batch: borrowing SentBatch, to take: (borrowing SentBatch) throws(SimulationError) -> Void
  ) throws(SimulationError) {
    summary.batches += 1
    summary.events += batch.eventRanges.count
    summary.bytes += batch.bytes.count
    try take(batch)
  }
}
