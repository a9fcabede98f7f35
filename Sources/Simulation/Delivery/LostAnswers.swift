import StoryPlayback

/// Loses the answers to some batches, so that their device sends them again: the same events, stamped anew (contract §3),
/// a little later and behind a few other batches.
struct LostAnswers {
  private let share: Double
  private var generator: SplitMix64
  private var waiting: [Waiting] = []

  private struct Waiting {
    var batch: SentBatch
    var sentAtMicroseconds: Int64
    var receivedAtMicroseconds: Int64
    /// How many further batches are sent before it.
    var batchesBefore: Int
  }

  /// Bounds how many batches wait, since each waits for fewer than these.
  private static let mostBatchesBefore = 8

  init(_ configuration: WorldConfiguration) {
    share = configuration.network.retryShare
    generator = SplitMix64(seed: configuration.seed ^ Delivery.Knob.retries.rawValue)
  }

  /// Notes a batch that was sent.
  mutating func note(_ batch: borrowing SentBatch, sentAtMicroseconds: Int64, receivedAtMicroseconds: Int64) {
    guard share > 0 else { return }
    for place in waiting.indices { waiting[place].batchesBefore -= 1 }
    guard generator.happens(share) else { return }
    let pause = generator.microseconds(1, 120)
    waiting.append(
      Waiting(
        batch: copy batch, sentAtMicroseconds: sentAtMicroseconds + pause,
        receivedAtMicroseconds: receivedAtMicroseconds + pause,
        batchesBefore: generator.index(below: Self.mostBatchesBefore)))
  }

  /// The next batch that is sent again.
  ///
  /// - Parameters:
  ///   - all: whether also one that would wait longer.
  ///   - stamp: writes its new times, `sent_at` and `received_at`.
  mutating func next(all: Bool, stamp: (inout SentBatch, Int64, Int64) -> Void) -> SentBatch? {
    guard let place = waiting.firstIndex(where: { all || $0.batchesBefore <= 0 }) else { return nil }
    var again = waiting.remove(at: place)
    stamp(&again.batch, again.sentAtMicroseconds, again.receivedAtMicroseconds)
    return again.batch
  }
}
