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
}

/// The loader's figures and switches, behind its lock.
struct LoaderState {
  var isRunning = false
  var isStopping = false
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
    if let oldest = oldestUnstoredMicroseconds {
      statistics.lagSeconds = Double(max(0, nowMicroseconds - oldest)) / 1e6
    }
    return statistics
  }
}
