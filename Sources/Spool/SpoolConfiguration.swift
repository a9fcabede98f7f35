/// Where a spool lives and how much it may hold.
public struct SpoolConfiguration: Sendable {
  /// The spool's directory; made, with mode 0700, where it does not exist (its parent must).
  public var directory: String

  /// The most bytes that segment files may take together. 8 GiB by default (architecture §2).
  public var maximumBytes: Int64 = 8 << 30

  /// The share of the directory's disk that is never used, 0…1. 0.05 by default (architecture §2).
  public var diskReserveFraction: Double = 0.05

  /// The size at which a segment is closed and the next begun, at most 2 GiB. 64 MiB by default, and at
  /// most a quarter of ``maximumBytes``: loaded segments make way whole. A single larger record gets a segment of its own.
  public var segmentBytes: Int64 = 64 << 20

  /// How long a segment is kept after all of it was loaded, for the case that the database is restored from a
  /// backup. 24 hours by default. Such copies make way earlier when new records need the space.
  public var keepLoaded: Duration = .seconds(24 * 60 * 60)

  /// The largest record that ``Spool/append(_:)`` takes, in bytes, at most 1 GiB. 24 MiB by default.
  public var maximumRecordBytes: Int = 24 << 20

  /// The most bytes that copies of damaged regions may take in the `quarantine` folder. 64 MiB by default; what does
  /// not fit is counted and reported but not copied.
  public var quarantineBytes: Int64 = 64 << 20

  /// The defaults, for `directory`.
  public init(directory: String) {
    self.directory = directory
  }

  /// The same within what the format can hold (a record's offset has to fit 32 bits), and with several segments within
  /// the maximum, since only a whole one makes way.
  var bounded: SpoolConfiguration {
    var bounded = self
    bounded.segmentBytes = min(segmentBytes, 2 << 30, maximumBytes / 4)
    bounded.maximumRecordBytes = min(maximumRecordBytes, 1 << 30)
    return bounded
  }
}
