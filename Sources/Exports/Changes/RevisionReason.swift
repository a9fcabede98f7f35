/// Why a set is written anew, as its manifest says it.
package enum RevisionReason: String, CaseIterable, Sendable {
  /// Events arrived after the set was made.
  case lateEvents = "late_events"
  /// Rejected events were put through the rules again, and stored.
  case replayedRejections = "replayed_rejections"
  /// Sessions got context fields that they had no value for.
  case contextFilledIn = "context_filled_in"
  /// Somebody removed sessions or events.
  case erased
  /// The retention line removed them.
  case retained
  /// The numbers' definitions have another version.
  case definitions
  /// Other files, another format or another compression were asked for.
  case options
  /// The database is another one, or one restored to an earlier time.
  case otherDatabase = "other_database"
}

/// A reason of a new set, with what changed by it; zero where nothing of that kind can be counted.
package struct RevisionCause: Equatable, Sendable {
  /// Why.
  package var reason: RevisionReason
  /// How much.
  package var count: ChangeCount
}
