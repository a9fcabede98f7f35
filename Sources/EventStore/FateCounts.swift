import StoryEvents

/// How many accepted events ended how; their sum is the number of accepted events.
public struct FateCounts: Equatable, Sendable {
  public var stored = 0
  public var duplicates = 0
  public var conflictingDuplicates = 0
  public var foreignSessions = 0
  public var expired = 0
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
