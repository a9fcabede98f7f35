/// Goes through a spool's committed records in order, for one thread at a time.
///
/// Sees only what is below the synced mark, and skips what is damaged: that is counted, reported, and copied to the
/// quarantine once. Holds one chunk of 1 MiB, or one record where that is larger.
public struct SpoolReader: ~Copyable, Sendable {
  /// The end of the last record that was returned, or where reading began.
  public private(set) var position: SpoolPosition

  private let shared: SpoolShared
  private var buffer = ReadBuffer(chunkBytes: 1 << 20)
  private var segment: SegmentScanner?

  /// Where to look next; ahead of `position` after damage and at a segment's beginning.
  private var cursor: SpoolPosition

  /// The trusted end of `segment` when it was last asked for.
  private var limit: Int64 = 0

  private var seenInterruptions: UInt64

  init(_ shared: SpoolShared, from position: SpoolPosition) {
    self.shared = shared
    self.position = position
    cursor = position
    seenInterruptions = shared.ledger.withLock { $0.interruptions }
  }

  /// Goes on from another position, which this spool must have given.
  public mutating func seek(to position: SpoolPosition) {
    self.position = position
    cursor = position
    limit = 0
  }

  /// The next record; nil when there is none below the synced mark, or the spool is closed.
  ///
  /// The cost is one checksum of the record; a lock is taken only once in each stretch of committed bytes.
  ///
  /// - Throws: ``SpoolError/system(operation:path:code:)`` when a segment cannot be opened or read for another reason
  ///   than a bad spot of the disk; the call may be repeated.
  public mutating func next() throws(SpoolError) -> SpoolRecord? {
    while try advance() {
      guard let segment else { return nil }
      let begin = cursor
      switch try segment.step(at: begin.offset, limit: limit, buffer: &buffer) {
      case .record(let bytes, let end):
        cursor = SpoolPosition(segment: segment.number, offset: end)
        position = cursor
        return SpoolRecord(bytes: bytes, begin: begin, end: cursor)
      case .damage(let end):
        shared.noteDamage(in: segment.file, segment: segment.number, range: begin.offset..<end)
        cursor = SpoolPosition(segment: segment.number, offset: end)
      case .end:
        continue
      }
    }
    return nil
  }

  /// Waits until there are records to read, the time is over, or someone wakes readers up.
  public mutating func waitForRecords(timeout: Duration) -> SpoolWait {
    let seen = seenInterruptions
    let (wait, interruptions) =
      shared.ledger.wait(timeout: timeout) { [cursor] ledger -> (SpoolWait, UInt64)? in
        if ledger.isClosed { return (.closed, ledger.interruptions) }
        if ledger.interruptions != seen { return (.interrupted, ledger.interruptions) }
        return ledger.readable(after: cursor) != nil ? (.records, seen) : nil
      } ?? (.timedOut, seen)
    seenInterruptions = interruptions
    return wait
  }

  /// Makes sure that `cursor` is in `segment` below `limit`; false when nothing more can be read.
  private mutating func advance() throws(SpoolError) -> Bool {
    while segment?.number != cursor.segment || cursor.offset >= limit {
      let found = shared.ledger.withLock { [cursor] ledger in
        ledger.isClosed ? nil : ledger.readable(after: cursor)
      }
      guard let found else { return false }
      let number = found.segment.number
      if segment?.number != number {
        buffer.reset()
        segment = nil
        guard let file = try openSegment(number) else {
          cursor = SpoolPosition(segment: number, offset: .max)
          continue
        }
        segment = SegmentScanner(number: number, file: file, seed: found.segment.seed)
      }
      cursor = SpoolPosition(segment: number, offset: found.from)
      limit = found.segment.end
    }
    return true
  }

  /// Opens a segment's file; nil where it is gone, because it was loaded and deleted meanwhile, or taken away.
  private func openSegment(_ number: Int64) throws(SpoolError) -> SpoolFile? {
    do {
      return try SpoolFile(shared.path(ofSegment: number), .readOnly, on: shared.fileSystem)
    } catch .system(.open, _, SystemFailure.missing.code) {
      let isWanted = shared.ledger.withLock { ledger in ledger.segments.contains { $0.number == number } }
      if isWanted { shared.report(.segmentMissing(segment: number)) }
      return nil
    } catch {
      throw error
    }
  }
}

/// A record and where it stands.
public struct SpoolRecord {
  /// The bytes that were appended. Valid until the reader's next call.
  public let bytes: UnsafeRawBufferPointer

  /// Where the record begins; later than the end of the one before where a segment ended or damage was skipped.
  public let begin: SpoolPosition

  /// Where it ends: what a database that has stored the record remembers.
  public let end: SpoolPosition
}

/// Why ``SpoolReader/waitForRecords(timeout:)`` returned.
public enum SpoolWait: String, Sendable, CaseIterable {
  /// There is something to read.
  case records

  /// The time is over.
  case timedOut

  /// ``Spool/interruptReaders()`` was called since the last wait.
  case interrupted

  /// The spool is closed.
  case closed
}
