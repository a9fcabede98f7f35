import StoryEvents

/// How many accepted events ended how; their sum is the number of accepted events.
public struct FateCounts: Equatable, Sendable {
  /// Events that are in the database now and were not before.
  public var stored = 0
  /// Repeats of a stored event, with the same content.
  public var duplicates = 0
  /// Repeats of a stored event's key with other content; the first one stays.
  public var conflictingDuplicates = 0
  /// Events of a session that belongs to another app.
  public var foreignSessions = 0
  /// Events of sessions that start before the retention line.
  public var expired = 0
  /// Events whose row PostgreSQL refused; kept in `pagefall.rejected`.
  public var refusedByDatabase = 0

  /// Nothing yet.
  public init() {}

  /// All of them together.
  public var total: Int {
    stored + duplicates + conflictingDuplicates + foreignSessions + expired + refusedByDatabase
  }

  /// The number of this fate.
  public subscript(fate: EventFate) -> Int {
    get {
      switch fate {
      case .stored: stored
      case .duplicate: duplicates
      case .conflictingDuplicate: conflictingDuplicates
      case .foreignSession: foreignSessions
      case .expired: expired
      case .refusedByDatabase: refusedByDatabase
      }
    }
    set {
      switch fate {
      case .stored: stored = newValue
      case .duplicate: duplicates = newValue
      case .conflictingDuplicate: conflictingDuplicates = newValue
      case .foreignSession: foreignSessions = newValue
      case .expired: expired = newValue
      case .refusedByDatabase: refusedByDatabase = newValue
      }
    }
  }

  /// Adds, fate by fate.
  public static func += (left: inout FateCounts, right: FateCounts) {
    for fate in EventFate.allCases { left[fate] += right[fate] }
  }
}
