/// For the loading thread, and for housekeeping.
extension Spool {
  /// A reader from a position that this spool gave, or from the oldest record.
  ///
  /// From a position that is no longer stored, reading goes on at the next one that is: ask
  /// ``relation(of:)`` where that matters.
  public func makeReader(from position: SpoolPosition? = nil) -> SpoolReader {
    SpoolReader(shared, from: position ?? oldestPosition)
  }

  /// Takes over what the database has committed. Segments entirely before it are kept for
  /// ``SpoolConfiguration/keepLoaded`` and then deleted, or earlier when new records need the space.
  ///
  /// A lower position than before means that the database forgot: what is behind it is unloaded again.
  public func markLoaded(through position: SpoolPosition) {
    let now = shared.environment.nowMicroseconds()
    let loaded = shared.ledger.withLock { $0.markLoaded(through: position, nowMicroseconds: now) }
    for number in loaded {
      // The file remembers when, for the next process.
      shared.upkeep { () throws(SpoolError) in
        try SpoolFile(shared.path(ofSegment: number), .readOnly, on: shared.fileSystem)
          .setModificationTime(microseconds: now)
      }
    }
    deleteExpiredSegments()
  }

  /// Deletes the kept copies whose time is over; ``markLoaded(through:)`` does it too, so this is for idle times, say
  /// once a minute.
  public func deleteExpiredSegments() {
    let now = shared.environment.nowMicroseconds()
    let keep = shared.configuration.keepLoaded
    while let number = shared.ledger.withLock({ $0.takeExpired(keep: keep, nowMicroseconds: now) }) {
      shared.deleteSegment(number, toMakeRoom: false)
    }
  }

  /// Ends the waiting of every reader, at once or at its next wait.
  public func interruptReaders() {
    shared.ledger.withLockWaking { $0.interruptions += 1 }
  }
}
