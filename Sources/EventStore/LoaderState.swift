/// What a loader has done, and how it is.
public struct LoaderStatistics: Equatable, Sendable {
  /// What became of the accepted events that were loaded.
  public var fates = FateCounts()
  /// Transactions that stored a batch.
  public var batches: Int64 = 0
  /// Records that could not be read, set aside in `pagefall.unreadable_records`.
  public var unreadableRecords: Int64 = 0
  /// For how long the oldest record that was read has waited to be stored; 0 when all is stored.
  public var lagSeconds = 0.0
  /// Whether the database took what it was given last; nil before the first word from it.
  public var databaseUp: Bool?
  /// Whether loading is paused.
  public var isPaused = false
}

/// The loader's figures and switches, behind its lock.
struct LoaderState {
  var isRunning = false
  var isStopping = false
  var isPaused = false
  var isDatabaseUp: Bool?
  var fates = FateCounts()
  var batches: Int64 = 0
  var unreadableRecords: Int64 = 0
  var lastStoreMicroseconds: Int64 = 0
  /// Nil: nothing waits.
  var oldestUnstoredMicroseconds: Int64?
  var lastFailure = ""
  var lastFailureMicroseconds: Int64 = 0

  mutating func noteBatch(_ counts: FateCounts, setAside: Int, isDrained: Bool) {
    fates += counts
    batches += 1
    unreadableRecords += Int64(setAside)
    lastFailure = ""
    if isDrained { oldestUnstoredMicroseconds = nil }
  }

  func statistics(nowMicroseconds: Int64) -> LoaderStatistics {
    var statistics = LoaderStatistics()
    statistics.fates = fates
    statistics.batches = batches
    statistics.unreadableRecords = unreadableRecords
    statistics.databaseUp = isDatabaseUp
    statistics.isPaused = isPaused
    if let oldest = oldestUnstoredMicroseconds {
      statistics.lagSeconds = Double(max(0, nowMicroseconds - oldest)) / 1e6
    }
    return statistics
  }
}

/// How long to wait before the next try: from 0.1 s, doubled up to 5 s, each between half and the whole at random, so that
/// collectors do not come back all at once.
struct RetryDelay {
  private static let first = 0.1
  private static let longest = 5.0
  private var seconds = Self.first

  mutating func next() -> Duration {
    defer { seconds = min(seconds * 2, Self.longest) }
    return .seconds(Double.random(in: (seconds / 2)...seconds))
  }

  mutating func reset() { seconds = Self.first }
}
