/// A spool's figures at one moment, for metrics and status.
public struct SpoolStatistics: Sendable, Equatable {
  /// Bytes that segment files take, or have reserved.
  public var usedBytes: Int64 = 0

  /// Bytes of committed records, headers included, that the database has not committed yet.
  public var unloadedBytes: Int64 = 0

  /// Bytes that may still be appended, by the maximum and the disk's reserve; kept copies count as free, because they
  /// make way.
  public var freeBytes: Int64 = 0

  /// Segment files.
  public var segments = 0

  /// Damaged stretches skipped since the spool was opened: each is one record, or more where headers were hit.
  public var damagedRecords = 0

  /// Bytes in those stretches.
  public var damagedBytes: Int64 = 0

  /// Bytes cut off the newest segment when the spool was opened.
  public var tornBytes: Int64 = 0

  /// Records committed since the spool was opened.
  public var appendedRecords: Int64 = 0

  /// Bytes of those records, without their headers.
  public var appendedBytes: Int64 = 0

  /// Commits that ended in a successful sync.
  public var syncs: Int64 = 0

  /// Groups of which nothing was acknowledged because a write or sync failed.
  public var failedCommits: Int64 = 0

  /// How long the last successful sync took.
  public var lastSyncDuration: Duration = .zero

  /// Why the last append was refused, where that reason still holds; nil means there is room.
  public var full: SpoolFullReason?

  /// Nothing stored, nothing counted.
  public init() {}
}
