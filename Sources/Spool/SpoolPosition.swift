/// Where a record ends or begins in a spool: a segment and a byte offset in it.
///
/// Positions order as records were appended, and none is ever given twice: a segment's number is durably reserved
/// before the segment is made, and recovery never appends to a segment that it found (architecture §2).
public struct SpoolPosition: Comparable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// The segment's number, from 1; 0 only in ``start``.
  public let segment: Int64

  /// Bytes from the beginning of the segment's file, its header included.
  public let offset: Int64

  /// A position from its two numbers, as a database keeps them.
  public init(segment: Int64, offset: Int64) {
    self.segment = segment
    self.offset = offset
  }

  /// Before the first record of any spool.
  public static let start = SpoolPosition(segment: 0, offset: 0)

  /// Whether the left one comes first: by segment, then by offset.
  public static func < (left: SpoolPosition, right: SpoolPosition) -> Bool {
    left.segment == right.segment ? left.offset < right.offset : left.segment < right.segment
  }

  /// `segment:offset`, for logs.
  public var description: String { "\(segment):\(offset)" }
}

/// How a position that a database remembers stands to a spool.
public enum SpoolRelation: String, Sendable, CaseIterable {
  /// Reading on from here misses nothing that this spool ever acknowledged.
  case within

  /// After the synced end: the spool is older than the database, or another one.
  case beyondEnd

  /// Before the oldest record that is left: records in between are gone from the spool.
  case beforeOldest
}
