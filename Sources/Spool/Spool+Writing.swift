/// For the writing thread.
///
/// ``commit()`` is the truth about durability: when it returns, every record whose `append` returned before it is
/// durable. A group may become durable in parts earlier (where a segment ends); that is harmless.
extension Spool {
  /// Takes a record into the group that the next ``commit()`` makes durable. The bytes are copied or written before the
  /// call returns.
  ///
  /// - Returns: the position of the record's end.
  /// - Throws: ``SpoolError/full(_:)`` or ``SpoolError/recordTooLarge(bytes:maximumBytes:)``: the record is not taken,
  ///   and earlier ones of the group are as they were. After any other error (and a full *device*) earlier records of the
  ///   group may be lost: then the next ``commit()`` throws too, and until then so does every append.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(SpoolError) -> SpoolPosition {
    try withUnsafePointer(to: bytes) { (piece) throws(SpoolError) in
      try append(gathering: UnsafeBufferPointer(start: piece, count: 1))
    }
  }

  /// Takes one record that lies in several pieces, as ``append(_:)`` does.
  public func append(
    gathering pieces: UnsafeBufferPointer<UnsafeRawBufferPointer>
  ) throws(SpoolError) -> SpoolPosition {
    try writer.withLock { (writer) throws(SpoolError) in try writer.append(pieces) }
  }

  /// Makes everything appended durable with one sync, then lets readers see it.
  ///
  /// - Returns: the new synced end.
  /// - Throws: when a write or the sync failed. Nothing appended since the last commit is acknowledged then; the next
  ///   append starts afresh in a new segment.
  @discardableResult
  public func commit() throws(SpoolError) -> SpoolPosition {
    try writer.withLock { (writer) throws(SpoolError) in try writer.commit() }
  }
}

extension SpoolWriter {
  /// Drops what is pending, ends the segment, and gives the directory's lock free.
  mutating func close() {
    guard !isClosed else { return }
    isClosed = true
    buffer.clear()
    if let segment = active {
      // Pending records may have been written already; they go with the cut.
      segment.end = segment.syncedEnd
      closeActive()
    }
    (pendingRecords, pendingBytes) = (0, 0)
    lock = nil
  }
}
