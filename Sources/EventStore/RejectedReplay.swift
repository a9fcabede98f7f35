import Spool
import StoryEvents

extension BatchStore {
  /// Stores a batch of events that are kept in `pagefall.rejected` and pass the rules now, in one transaction, and empties
  /// it.
  ///
  /// For a store of the source `.replay`. As `store()`, but what cannot be stored this time either (a conflicting duplicate, a
  /// foreign session, a refused row) gives its row in `pagefall.rejected` that reason and raises no count: nobody sent it again.
  /// Rows whose events are stored now are left to the caller (`RejectedStore.remove`); a crash in between leaves rows whose
  /// events are duplicates the next time.
  ///
  /// - Returns: the fate of each accepted event, in the order in which they were added.
  /// - Throws: as `store()`; the batch is kept, and calling this again finds out what was committed. `.unexpected` where an
  ///   event has no fate: its row must stay, for it may be the only copy.
  public mutating func storeReplayed() throws(EventStoreError) -> [EventFate] {
    if isEmpty { return [] }
    let expected = position
    if connection == nil || connection?.isUsable != true {
      let found = try connect()
      position = found
      // It was committed and only the answer was lost: the fates are still those of that attempt.
      if let openCommit, openCommit.end == found { return try takeFates() }
      if let expected, expected != found { throw .positionMoved(found) }
    }
    let begin = position ?? .start
    let next = SpoolPosition(segment: begin.segment, offset: begin.offset + 1)
    try commitBatch(from: begin, to: next)
    position = next
    return try takeFates()
  }

  private mutating func takeFates() throws(EventStoreError) -> [EventFate] {
    let fates = try batch.decidedFates()
    discard()
    return fates
  }
}
