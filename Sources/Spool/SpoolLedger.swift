/// What a spool knows of its segments: a pure value that decides, while others act.
///
/// No call here touches a file; decisions come back as results (``RoomDecision``, segment numbers to delete).
struct SpoolLedger: Sendable {
  /// One segment file.
  struct Segment: Sendable, Equatable {
    let number: Int64
    /// The seed of its record headers.
    let seed: UInt32
    /// The end of its trusted bytes: all of them are synced.
    var end: Int64
    /// The bytes its file takes or has reserved.
    var fileBytes: Int64
    /// When all of it was loaded; nil while it is not.
    var loadedAtMicroseconds: Int64?
    /// The file's modification time where an earlier process wrote it.
    let foundModifiedAtMicroseconds: Int64?

    var endPosition: SpoolPosition { SpoolPosition(segment: number, offset: end) }
    var hasRecords: Bool { end > Int64(SegmentHeader.byteCount) }
  }

  /// By number, oldest first.
  private(set) var segments: [Segment]

  /// The number of the segment being written, which is the newest; nil when there is none.
  private(set) var active: Int64?

  /// From here on nothing that was acknowledged is gone.
  private(set) var completeSince: SpoolPosition

  /// The end of what is committed in the database.
  private(set) var loadedThrough = SpoolPosition.start

  /// Where an empty spool stands: after all that may have been in it, before all that will.
  private let emptyPosition: SpoolPosition

  private var loadedThroughIsKnown = false

  // Kept by those who act, here because readers of statistics need one moment's figures.
  var statistics = SpoolStatistics()
  var refusal: Refusal?
  var isClosed = false
  var interruptions: UInt64 = 0
  private var knownDamage: Set<SpoolPosition> = []

  /// An append that was refused: for how many bytes, and why.
  struct Refusal: Sendable, Equatable {
    let bytes: Int64
    let reason: SpoolFullReason
  }

  init(segments: [Segment], completeSince: SpoolPosition, emptyPosition: SpoolPosition) {
    self.segments = segments
    self.completeSince = completeSince
    self.emptyPosition = emptyPosition
  }

  var usedBytes: Int64 { segments.reduce(0) { $0 + $1.fileBytes } }

  var oldestPosition: SpoolPosition {
    segments.first.map { SpoolPosition(segment: $0.number, offset: Int64(SegmentHeader.byteCount)) } ?? emptyPosition
  }

  /// The synced end.
  var endPosition: SpoolPosition { segments.last?.endPosition ?? emptyPosition }

  func relation(of position: SpoolPosition) -> SpoolRelation {
    if position < completeSince { return .beforeOldest }
    if position == completeSince || position == endPosition { return .within }
    // A position in a segment that is not here was given by another copy of this directory, however new its records are.
    let segment = segments.first { $0.number == position.segment }
    return segment.map { position.offset <= $0.end } == true ? .within : .beyondEnd
  }

  /// The first stretch of trusted bytes behind a position.
  func readable(after position: SpoolPosition) -> (segment: Segment, from: Int64)? {
    // Readers are mostly at the newest or the oldest end, and segments are few (128 by default).
    for segment in segments where segment.hasRecords && segment.number >= position.segment {
      if segment.number > position.segment { return (segment, Int64(SegmentHeader.byteCount)) }
      if segment.end > position.offset { return (segment, max(position.offset, Int64(SegmentHeader.byteCount))) }
    }
    return nil
  }

  // MARK: Writing

  mutating func begin(_ segment: Segment) {
    segments.append(segment)
    active = segment.number
  }

  /// The active segment is trusted up to `end` from now on.
  mutating func advance(to end: Int64) {
    segments[segments.count - 1].end = end
  }

  mutating func reserve(fileBytes: Int64) {
    segments[segments.count - 1].fileBytes = fileBytes
  }

  /// Nothing is written to the active segment any more; its file takes `fileBytes`.
  mutating func closeActive(fileBytes: Int64) {
    segments[segments.count - 1].fileBytes = fileBytes
    active = nil
  }

  /// The active segment holds nothing that counts and goes.
  mutating func dropActive() {
    segments.removeLast()
    active = nil
  }

  // MARK: Room

  /// What has to happen before `bytes` more can be written.
  enum RoomDecision: Equatable {
    case granted
    /// Delete this segment, which has left the ledger, and ask again.
    case delete(Int64)
    /// Close the active segment, all of which is loaded, and ask again.
    case closeActive
    /// Begin a segment of nothing but its header, so that the only one, which is loaded, can go; and ask again.
    case beginNext
    case refused(SpoolFullReason)
  }

  /// Decides on `bytes` more, `unwrittenBytes` being granted already but not on the disk yet.
  mutating func requestRoom(
    bytes: Int64, unwrittenBytes: Int64, space: DiskSpace, limits: SpoolConfiguration, nowMicroseconds: Int64
  ) -> RoomDecision {
    let reason: SpoolFullReason
    if bytes > limits.maximumBytes - Self.nextHeaderBytes - usedBytes {
      reason = .maximumBytes
    } else if bytes > space.availableBytes - unwrittenBytes - limits.reserveBytes(of: space) {
      reason = .diskReserve
    } else {
      return .granted
    }
    noteLoaded(nowMicroseconds: nowMicroseconds)
    if let number = takeOldest(where: { $0.loadedAtMicroseconds != nil }) { return .delete(number) }
    if let newest = segments.last, newest.number == active, newest.hasRecords, loadedThrough >= newest.endPosition {
      return .closeActive
    }
    if segments.count == 1, active == nil, segments[0].hasRecords, segments[0].loadedAtMicroseconds != nil {
      return .beginNext
    }
    return .refused(reason)
  }

  /// Records never take the last room for a segment's header: it lets the only segment be replaced once it is loaded.
  static let nextHeaderBytes = Int64(SegmentHeader.byteCount)

  /// Bytes of loaded segments, which make way when space is needed; the newest makes way for its follower's header.
  var keptBytes: Int64 {
    segments.reduce(0) { sum, segment in
      guard segment.hasRecords, loadedThrough >= segment.endPosition else { return sum }
      return sum + segment.fileBytes - (segment.number == segments.last?.number ? Self.nextHeaderBytes : 0)
    }
  }

  /// Whether the active segment's header alone tells where the spool ends, all others being deleted.
  var activeIsLastTrace: Bool { active != nil && segments.count == 1 && completeSince != emptyPosition }

  // MARK: Loading

  /// Takes over what the database has committed.
  ///
  /// - Returns: the segments that are loaded since now.
  mutating func markLoaded(through position: SpoolPosition, nowMicroseconds: Int64) -> [Int64] {
    loadedThrough = position
    defer { loadedThroughIsKnown = true }
    return noteLoaded(nowMicroseconds: nowMicroseconds)
  }

  @discardableResult
  private mutating func noteLoaded(nowMicroseconds: Int64) -> [Int64] {
    var newlyLoaded: [Int64] = []
    for index in segments.indices where segments[index].number != active {
      guard loadedThrough >= segments[index].endPosition else {
        segments[index].loadedAtMicroseconds = nil
        continue
      }
      guard segments[index].loadedAtMicroseconds == nil else { continue }
      // The first mark after a start tells of segments that an earlier process saw loaded: it left the time on the file.
      let earlier = loadedThroughIsKnown ? nil : segments[index].foundModifiedAtMicroseconds
      segments[index].loadedAtMicroseconds = earlier ?? nowMicroseconds
      if earlier == nil { newlyLoaded.append(segments[index].number) }
    }
    return newlyLoaded
  }

  /// Takes out the oldest segment whose time as a kept copy is over; the caller deletes it and asks again.
  mutating func takeExpired(keep: Duration, nowMicroseconds: Int64) -> Int64? {
    noteLoaded(nowMicroseconds: nowMicroseconds)
    let kept = keep.components
    let keepMicroseconds = kept.seconds.multipliedReportingOverflow(by: 1_000_000)
    guard !keepMicroseconds.overflow else { return nil }
    let limit = keepMicroseconds.partialValue + kept.attoseconds / 1_000_000_000_000
    return takeOldest { segment in
      segment.loadedAtMicroseconds.map { nowMicroseconds - $0 >= limit } ?? false
    }
  }

  /// Only ever the oldest, so that no gap arises, and never the newest, which tells where the spool ends.
  private mutating func takeOldest(where condition: (Segment) -> Bool) -> Int64? {
    guard segments.count > 1, let oldest = segments.first, condition(oldest) else { return nil }
    segments.removeFirst()
    completeSince = max(completeSince, oldest.endPosition)
    return oldest.number
  }

  /// Bytes of committed records behind the loaded mark.
  var unloadedBytes: Int64 {
    segments.reduce(0) { sum, segment in
      var begin = Int64(SegmentHeader.byteCount)
      if loadedThrough.segment > segment.number {
        begin = segment.end
      } else if loadedThrough.segment == segment.number {
        begin = max(begin, loadedThrough.offset)
      }
      return sum + max(0, segment.end - begin)
    }
  }

  // MARK: Damage

  /// Counts a damaged stretch; false when it was counted before (a segment may be read more than once).
  mutating func noteDamage(at position: SpoolPosition, bytes: Int64) -> Bool {
    guard !knownDamage.contains(position) else { return false }
    if knownDamage.count < Self.mostKnownDamage { knownDamage.insert(position) }
    statistics.damagedRecords += 1
    statistics.damagedBytes += bytes
    return true
  }

  /// Beyond this, damage met again is counted again: memory is bounded, and such a disk needs no exact count.
  private static let mostKnownDamage = 10_000
}

extension SpoolConfiguration {
  /// The bytes of the disk that records never use.
  func reserveBytes(of space: DiskSpace) -> Int64 {
    max(Self.leastReserveBytes, Int64(Double(space.totalBytes) * min(1, max(0, diskReserveFraction))))
  }

  /// A block for the next segment's header and one for the identity file: without them nothing loaded could make way.
  private static let leastReserveBytes: Int64 = 8 << 10
}
