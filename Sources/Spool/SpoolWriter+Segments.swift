/// The segment that is being written.
///
/// `@unchecked Sendable`: only the writer has it, and the writer is behind its lock.
final class ActiveSegment: @unchecked Sendable {
  let number: Int64
  let file: SpoolFile
  let seed: UInt32

  /// The end of all appended records, written or still in the buffer.
  var end = Int64(SegmentHeader.byteCount)

  /// The end of the committed records.
  var syncedEnd = Int64(SegmentHeader.byteCount)

  /// The file may grow to here: the ledger counts these bytes as used.
  var grantedEnd: Int64

  /// The end of the file, zeros ahead included.
  private(set) var allocatedEnd: Int64

  /// Room is asked for in steps of this many bytes, not for each record.
  static let grantStepBytes: Int64 = 256 << 10

  init(number: Int64, file: consuming SpoolFile, seed: UInt32, grantedEnd: Int64, allocatedEnd: Int64) {
    self.number = number
    self.file = file
    self.seed = seed
    self.grantedEnd = grantedEnd
    self.allocatedEnd = allocatedEnd
  }

  var hasRecords: Bool { end > Int64(SegmentHeader.byteCount) }

  func written(to end: Int64) {
    allocatedEnd = max(allocatedEnd, end)
  }
}

extension SpoolWriter {
  /// The active segment, made where there is none, with room for a record.
  mutating func segment(withRoomFor recordBytes: Int64) throws(SpoolError) -> ActiveSegment {
    while true {
      let begin = active?.end ?? Int64(SegmentHeader.byteCount)
      let granted = active?.grantedEnd ?? 0
      let end = begin + recordBytes
      if let active, end <= granted { return active }
      // More than is needed now, unless just that does not fit any more.
      let step = ActiveSegment.grantStepBytes
      let generousEnd = max(end, min((end + step - 1) / step * step, shared.configuration.segmentBytes))
      var grantedEnd = generousEnd
      var decision = try decideRoom(bytes: generousEnd - granted)
      if case .refused = decision {
        grantedEnd = end
        decision = try decideRoom(bytes: end - granted)
      }
      switch decision {
      case .granted:
        noteRoom()
        guard let active else { return try makeSegment(grantedEnd: grantedEnd) }
        active.grantedEnd = grantedEnd
        shared.ledger.withLock { $0.reserve(fileBytes: grantedEnd) }
        return active
      case .delete(let number):
        shared.deleteSegment(number, toMakeRoom: true)
      case .closeActive:
        // With records pending it is not all loaded in truth; after their commit it can be closed.
        guard pendingRecords == 0 else { throw refuse(.maximumBytes, bytes: recordBytes) }
        closeActive()
      case .beginNext:
        _ = try makeSegment(grantedEnd: SpoolLedger.nextHeaderBytes)
      case .refused(let reason):
        throw refuse(reason, bytes: recordBytes)
      }
    }
  }

  private func decideRoom(bytes: Int64) throws(SpoolError) -> SpoolLedger.RoomDecision {
    let directory = shared.directory
    let space = try retrying(.inspect, directory) { () throws(SystemFailure) in
      try shared.fileSystem.space(at: directory)
    }
    let unwritten = active.map { max(0, $0.grantedEnd - $0.allocatedEnd) } ?? 0
    let now = shared.environment.nowMicroseconds()
    return shared.ledger.withLock { ledger in
      ledger.requestRoom(
        bytes: bytes, unwrittenBytes: unwritten, space: space, limits: shared.configuration, nowMicroseconds: now)
    }
  }

  private func refuse(_ reason: SpoolFullReason, bytes: Int64) -> SpoolError {
    let isNew = shared.ledger.withLock { ledger in
      defer { ledger.refusal = SpoolLedger.Refusal(bytes: bytes, reason: reason) }
      return ledger.refusal == nil
    }
    if isNew { shared.report(.becameFull(reason)) }
    return .full(reason)
  }

  private func noteRoom() {
    let wasFull = shared.ledger.withLock { ledger in
      defer { ledger.refusal = nil }
      return ledger.refusal != nil
    }
    if wasFull { shared.report(.hasRoomAgain) }
  }

  /// Makes the next segment, durable with its name before anything is written to it.
  private mutating func makeSegment(grantedEnd: Int64) throws(SpoolError) -> ActiveSegment {
    let segment: ActiveSegment
    do {
      try reserveNumber()
      let number = nextNumber
      nextNumber += 1
      segment = try makeFile(number: number, grantedEnd: grantedEnd)
    } catch {
      if case .full(let reason) = error { throw refuse(reason, bytes: grantedEnd) }
      throw error
    }
    active = segment
    shared.ledger.withLock { ledger in
      ledger.begin(
        SpoolLedger.Segment(
          number: segment.number, seed: segment.seed, end: segment.end, fileBytes: grantedEnd,
          foundModifiedAtMicroseconds: nil))
    }
    return segment
  }

  /// Makes it durable that the next number may be in use.
  private mutating func reserveNumber() throws(SpoolError) {
    guard nextNumber > identityFile.reservedThrough else { return }
    var reserving = identityFile
    reserving.reservedThrough = nextNumber + IdentityFile.numbersReservedAtOnce - 1
    try reserving.replace(in: shared.directory, on: shared.fileSystem)
    identityFile = reserving
  }

  private func makeFile(number: Int64, grantedEnd: Int64) throws(SpoolError) -> ActiveSegment {
    let path = shared.path(ofSegment: number)
    let file = try SpoolFile(path, .createNew, on: shared.fileSystem)
    let header = SegmentHeader(identity: shared.identity, number: number, previousEnd: previousEnd).bytes
    let zerosWanted = Int(min(grantedEnd, ActiveSegment.grantStepBytes)) - header.count
    let filled: Int
    do {
      filled = try file.write(header, filling: zeros.prefix(zerosWanted), at: 0)
      try file.synchronize()
      try shared.synchronizeDirectory()
    } catch {
      try? shared.fileSystem.remove(path)
      throw error
    }
    let seed = SegmentHeader.seed(identity: shared.identity, number: number)
    return ActiveSegment(
      number: number, file: file, seed: seed, grantedEnd: grantedEnd,
      allocatedEnd: Int64(header.count + filled))
  }

  /// Ends the active segment, all of which is committed: cuts off the zeros ahead and forgets it.
  mutating func closeActive() {
    guard let segment = active else { return }
    shared.upkeep { () throws(SpoolError) in try segment.file.truncate(to: segment.end) }
    shared.ledger.withLock { $0.closeActive(fileBytes: segment.end) }
    previousEnd = SpoolPosition(segment: segment.number, offset: segment.end)
    active = nil
  }

  /// Gives up the active segment after a failed write or sync: its committed records stay, what came after is not
  /// trusted, and the file is not touched any more. A segment without committed records is removed, unless its header
  /// alone tells where the spool ends.
  mutating func abandonActive(because error: SpoolError) {
    guard let segment = active else { return }
    active = nil
    buffer.clear()
    (pendingRecords, pendingBytes) = (0, 0)
    let number = segment.number
    let holdsRecords = segment.syncedEnd > Int64(SegmentHeader.byteCount)
    let isLastTrace = shared.ledger.withLock { $0.activeIsLastTrace } && !holdsRecords
    var fileBytes = max(segment.allocatedEnd, segment.syncedEnd)
    if isLastTrace {
      // Its header was synced before, and stays; what was written behind it must not take the room of the next one.
      shared.upkeep { () throws(SpoolError) in
        try segment.file.truncate(to: segment.syncedEnd)
        fileBytes = segment.syncedEnd
      }
    }
    shared.ledger.withLock { ledger in
      ledger.statistics.failedCommits += 1
      if holdsRecords || isLastTrace {
        ledger.closeActive(fileBytes: fileBytes)
      } else {
        ledger.dropActive()
      }
    }
    shared.report(.commitFailed(error, abandonedSegment: number))
    if holdsRecords || isLastTrace {
      previousEnd = SpoolPosition(segment: number, offset: segment.syncedEnd)
    } else {
      let path = shared.path(ofSegment: number)
      shared.upkeep { () throws(SpoolError) in
        try retrying(.remove, path) { () throws(SystemFailure) in try shared.fileSystem.remove(path) }
      }
    }
    if case .full(let reason) = error { _ = refuse(reason, bytes: ActiveSegment.grantStepBytes) }
  }
}
