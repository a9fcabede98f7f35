/// The writing half of a spool: gathers records in memory and makes them durable together.
///
/// Memory is bounded by one buffer: what does not fit is written out before its commit, and a record larger than the
/// buffer goes straight from the caller's memory.
struct SpoolWriter: ~Copyable, Sendable {
  let shared: SpoolShared
  var identityFile: IdentityFile
  var nextNumber: Int64

  /// The trusted end of the newest segment that is no longer written; goes into the next one's header.
  var previousEnd: SpoolPosition

  var active: ActiveSegment?
  var buffer = WriteBuffer(capacity: 1 << 20)
  let zeros = ZeroBytes(count: Int(ActiveSegment.grantStepBytes))

  /// What was appended since the last commit.
  var pendingRecords: Int64 = 0
  var pendingBytes: Int64 = 0

  /// Set when an append lost records that earlier appends of the same group had taken: the commit must say so.
  var lostGroup: SpoolError?

  var isClosed = false

  /// Keeps the directory's lock for as long as the writer lives.
  var lock: SpoolFile?

  init(
    shared: SpoolShared, identityFile: IdentityFile, nextNumber: Int64, previousEnd: SpoolPosition,
    lock: consuming SpoolFile
  ) {
    self.shared = shared
    self.identityFile = identityFile
    self.nextNumber = nextNumber
    self.previousEnd = previousEnd
    self.lock = .some(lock)
  }

  // MARK: Appending

  mutating func append(_ pieces: UnsafeBufferPointer<UnsafeRawBufferPointer>) throws(SpoolError) -> SpoolPosition {
    if isClosed { throw .closed }
    if let lostGroup { throw lostGroup }
    var payloadBytes = 0
    for piece in pieces { payloadBytes += piece.count }
    let maximumBytes = shared.configuration.maximumRecordBytes
    guard payloadBytes <= maximumBytes else {
      throw .recordTooLarge(bytes: payloadBytes, maximumBytes: maximumBytes)
    }
    let recordBytes = Int64(RecordHeader.byteCount + payloadBytes)
    if let active, active.hasRecords, active.end + recordBytes > shared.configuration.segmentBytes {
      try inAppend { writer throws(SpoolError) in try writer.commitGroup() }
      closeActive()
    }
    let segment = try segment(withRoomFor: recordBytes)
    try inAppend { writer throws(SpoolError) in
      try writer.place(pieces, payloadBytes: payloadBytes, in: segment)
    }
    pendingRecords += 1
    pendingBytes += Int64(payloadBytes)
    return SpoolPosition(segment: segment.number, offset: segment.end)
  }

  private mutating func place(
    _ pieces: UnsafeBufferPointer<UnsafeRawBufferPointer>, payloadBytes: Int, in segment: ActiveSegment
  ) throws(SpoolError) {
    let recordBytes = RecordHeader.byteCount + payloadBytes
    let offset = segment.end
    if recordBytes > buffer.free { try flush() }
    if recordBytes <= buffer.free {
      buffer.appendRecord(pieces, payloadBytes: payloadBytes, seed: segment.seed, offset: offset)
      segment.end += Int64(recordBytes)
      return
    }
    // Larger than the buffer: no copy of it is made.
    var checksum = CRC32C.initial
    for piece in pieces { checksum = CRC32C.update(checksum, piece) }
    buffer.appendHeader(
      RecordHeader(payloadBytes: payloadBytes, payloadChecksum: ~checksum), seed: segment.seed, offset: offset)
    segment.end += Int64(RecordHeader.byteCount)
    try flush()
    for piece in pieces where !piece.isEmpty {
      try segment.file.write(piece, at: segment.end)
      segment.end += Int64(piece.count)
      segment.written(to: segment.end)
    }
  }

  // MARK: Committing

  mutating func commit() throws(SpoolError) -> SpoolPosition {
    if isClosed { throw .closed }
    if let lostGroup {
      self.lostGroup = nil
      throw lostGroup
    }
    try commitGroup()
    return shared.ledger.withLock { $0.endPosition }
  }

  /// Writes and syncs what is pending; afterwards either all of it is trusted, or none of it and the segment is given up.
  mutating func commitGroup() throws(SpoolError) {
    guard pendingRecords > 0, let segment = active else { return }
    let duration: Duration
    do {
      try flush()
      let begin = ContinuousClock.now
      try segment.file.synchronizeData()
      duration = begin.duration(to: .now)
    } catch {
      abandonActive(because: error)
      throw error
    }
    segment.syncedEnd = segment.end
    let (records, bytes) = (pendingRecords, pendingBytes)
    (pendingRecords, pendingBytes) = (0, 0)
    shared.ledger.withLockWaking { ledger in
      ledger.advance(to: segment.end)
      ledger.statistics.appendedRecords += records
      ledger.statistics.appendedBytes += bytes
      ledger.statistics.syncs += 1
      ledger.statistics.lastSyncDuration = duration
    }
  }

  /// Writes the buffer out.
  ///
  /// A small write takes zeros along up to the granted end. The small writes that follow then change bytes of the file
  /// and nothing of its size or blocks, so their sync need not wait for the file system's journal (see
  /// docs/decisions/0004-zeros-ahead-in-the-spool.md).
  private mutating func flush() throws(SpoolError) {
    guard let segment = active, !buffer.bytes.isEmpty else { return }
    let bytes = buffer.bytes
    let begin = segment.end - Int64(bytes.count)
    let isSmall = bytes.count <= ActiveSegment.grantStepBytes / 8
    let zerosWanted = isSmall && segment.end > segment.allocatedEnd ? segment.grantedEnd - segment.end : 0
    let filling = zeros.prefix(Int(max(0, zerosWanted)))
    let filled = try segment.file.write(bytes, filling: filling, at: begin)
    segment.written(to: segment.end + Int64(filled))
    buffer.clear()
  }

  /// Runs a step of an append. Where it fails, records that earlier appends took are lost with it, and the commit that
  /// their callers wait for has to fail too.
  private mutating func inAppend(
    _ step: (inout SpoolWriter) throws(SpoolError) -> Void
  ) throws(SpoolError) {
    let earlierRecords = pendingRecords
    do {
      try step(&self)
    } catch {
      if active != nil { abandonActive(because: error) }
      if earlierRecords > 0 { lostGroup = error }
      throw error
    }
  }
}
