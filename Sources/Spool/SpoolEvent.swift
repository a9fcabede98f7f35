/// Something that an operator may want to read in the log.
///
/// The spool logs nothing itself: it hands each event to the closure it was opened with, on the thread where it
/// happened. The closure must not call back into the spool.
public enum SpoolEvent: Sendable, Equatable {
  /// The directory was opened: what was found in it.
  case opened(segments: Int, bytes: Int64, end: SpoolPosition)

  /// The identity file was missing or damaged beside existing segments; a new identity was made, so a database will
  /// see another spool and load again from the oldest record.
  case identityRenewed(SpoolIdentity)

  /// Bytes after the last whole record of the newest segment were cut off: what a crash interrupted, never
  /// acknowledged (unless the disk itself lost its end).
  case tornTailCut(at: SpoolPosition, bytes: Int64)

  /// Damaged bytes were skipped: one record, or the records of a damaged stretch.
  case damageSkipped(at: SpoolPosition, bytes: Int64, quarantined: Bool)

  /// The segment's header was damaged; its records are read nevertheless.
  case segmentHeaderDamaged(segment: Int64)

  /// A segment that should follow another is gone, with whatever was in it.
  case segmentMissing(segment: Int64)

  /// A commit failed: nothing of it is acknowledged, and the segment is not written or synced again.
  case commitFailed(SpoolError, abandonedSegment: Int64)

  /// A file could not be deleted, truncated, synced or copied where that costs nothing but space or a copy.
  case upkeepFailed(SpoolError)

  /// Loaded segments were deleted, because their time was over or because new records needed the space.
  case segmentDeleted(segment: Int64, toMakeRoom: Bool)

  /// An append was refused for the first time since there was room.
  case becameFull(SpoolFullReason)

  /// There is room again.
  case hasRoomAgain

  /// How much an event should worry a reader of the log.
  public enum Severity: Sendable { case info, warning, error }

  /// How much this event should worry a reader of the log.
  public var severity: Severity {
    switch self {
    case .opened, .segmentDeleted, .hasRoomAgain: .info
    case .tornTailCut, .identityRenewed, .upkeepFailed, .becameFull, .segmentHeaderDamaged: .warning
    case .damageSkipped, .segmentMissing, .commitFailed: .error
    }
  }
}

extension SpoolEvent: CustomStringConvertible {
  /// One line without record bytes.
  public var description: String {
    switch self {
    case .opened(let segments, let bytes, let end):
      "spool opened: \(segments) segments, \(bytes) bytes, end \(end)"
    case .identityRenewed(let identity):
      "the spool's identity file was missing or damaged: new identity \(identity)"
    case .tornTailCut(let position, let bytes):
      "cut \(bytes) bytes of an unfinished write at \(position)"
    case .damageSkipped(let position, let bytes, let quarantined):
      "skipped \(bytes) damaged bytes at \(position)" + (quarantined ? ", copied to quarantine" : ", not copied")
    case .segmentHeaderDamaged(let segment):
      "the header of segment \(segment) is damaged; its records are read nevertheless"
    case .segmentMissing(let segment):
      "segment \(segment) is missing, with the records in it"
    case .commitFailed(let error, let segment):
      "commit failed, nothing of it is acknowledged, segment \(segment) is abandoned: \(error)"
    case .upkeepFailed(let error):
      "upkeep of the spool failed, no record is affected: \(error)"
    case .segmentDeleted(let segment, let toMakeRoom):
      "deleted loaded segment \(segment)" + (toMakeRoom ? " to make room" : "")
    case .becameFull(let reason):
      reason.description
    case .hasRoomAgain:
      "the spool has room again"
    }
  }
}
