import FunnelDocument

/// What became of accepted events (contract §2), by day of receipt in UTC, of apps and not of stories.
public struct ReceivedFates: Sendable, Equatable {
  /// The first day of receipt that is counted; nil for all.
  public var firstDay: String?
  /// The last day of receipt that is counted; nil for all.
  public var lastDay: String?
  /// All apps of the scope together.
  public var total = FateNumbers()
  /// Each app that has any, by name.
  public var apps: [AppFates] = []
}

/// The fates of an app's events.
public struct AppFates: Sendable, Equatable {
  /// The app.
  public var app: String
  /// How many ended how.
  public var numbers: FateNumbers
}

/// How many accepted events ended how; their sum is the number of accepted events.
public struct FateNumbers: Sendable, Equatable {
  /// Stored, each once.
  public var stored = 0
  /// Repeats with the same content: a sender tried again. Harmless.
  public var duplicates = 0
  /// The same number with other content.
  public var conflictingDuplicates = 0
  /// Of a session that belongs to another app.
  public var foreignSessions = 0
  /// Older than the retention line.
  public var expired = 0
  /// PostgreSQL refused the row.
  public var refusedByDatabase = 0

  /// All of them together.
  public var accepted: Int {
    stored + duplicates + conflictingDuplicates + foreignSessions + expired + refusedByDatabase
  }

  static func += (left: inout FateNumbers, right: FateNumbers) {
    left.stored += right.stored
    left.duplicates += right.duplicates
    left.conflictingDuplicates += right.conflictingDuplicates
    left.foreignSessions += right.foreignSessions
    left.expired += right.expired
    left.refusedByDatabase += right.refusedByDatabase
  }
}

/// Rejected events of an app for one reason, first received in the range.
public struct RejectedReason: Sendable, Equatable {
  /// The app.
  public var app: String
  /// Why (contract §2).
  public var code: String
  /// Rejected events, each once.
  public var events: Int
  /// How often they came.
  public var times: Int
}

/// Fallbacks for one reason.
public struct FallbackReason: Sendable, Equatable {
  /// The reason of the presentation's first fallback, `(none)` without one; nil for all that are not listed.
  public var reason: String?
  /// Presentations that fell back so.
  public var presentations: Int
}

/// Events that the devices of an app say they had to give up.
public struct DroppedEvents: Sendable, Equatable {
  /// The app.
  public var app: String
  /// How many: the highest total of each device, summed.
  public var events: Int
}

/// Something that makes the numbers of the scope doubtful.
public struct QualityFinding: Sendable, Equatable {
  /// What it is; never renamed.
  public var code: QualityCode
  /// How much it matters.
  public var severity: Severity
  /// What was found, in a sentence.
  public var sentence: String
  /// What to do, in a sentence.
  public var advice: String
  /// A command that shows more, or options that leave it out: words for a shell, each quoted where it has to be. Empty where
  /// there is none.
  public var command: [String] = []
  /// The share of the numbers that it touches, by which findings of one severity are ordered.
  var weight: Double

  /// How much a finding matters.
  public enum Severity: String, Sendable, CaseIterable {
    /// Do not decide anything on the numbers before it is understood.
    case serious
    /// Know it when you read the numbers.
    case notable
  }
}

/// What can be found (docs/quality.md §7).
public enum QualityCode: String, Sendable, CaseIterable {
  /// Nothing has arrived for a day.
  case nothingArrives = "nothing_arrives"
  /// Events of a sender carry no numbers, so that losses cannot be seen.
  case noSequence = "no_sequence"
  /// Events are missing overall.
  case missingEvents = "missing_events"
  /// An app version misses far more events than the others.
  case missingEventsOfVersion = "missing_events_of_version"
  /// A day misses far more events than the others.
  case missingEventsOfDay = "missing_events_of_day"
  /// Sessions have no start.
  case sessionsWithoutStart = "sessions_without_start"
  /// Taps on pages that were never shown.
  case orphanTaps = "orphan_taps"
  /// Clocks were set back within sessions.
  case negativeDwells = "negative_dwells"
  /// Clocks cannot be believed.
  case suspectClocks = "suspect_clocks"
  /// Clocks were off, and were corrected.
  case clockOffsets = "clock_offsets"
  /// Events with the same number and other content.
  case conflictingDuplicates = "conflicting_duplicates"
  /// Events of sessions of another app.
  case foreignSessions = "foreign_sessions"
  /// Events older than the retention line.
  case expired
  /// Rows that PostgreSQL refused.
  case refusedByDatabase = "refused_by_database"
  /// Events that were refused.
  case rejectedEvents = "rejected_events"
  /// Devices gave events up.
  case droppedByDevices = "dropped_by_devices"
  /// Many sessions arrive late.
  case lateArrivals = "late_arrivals"
  /// Yesterday is likely to be incomplete.
  case yesterdayIncomplete = "yesterday_incomplete"
}
