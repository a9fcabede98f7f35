import PrintedText

/// Why stored events or sessions changed, as `pagefall.changes` names it.
package enum ChangeReason: String, CaseIterable, Sendable {
  /// Events were stored.
  case stored
  /// Events that had been rejected were put through the rules again, and stored.
  case replayed
  /// Sessions got context fields that they had no value for.
  case contextFilled = "context_filled"
  /// Somebody removed sessions or events.
  case erased
  /// The retention line removed them.
  case retained

  /// Reads the name that the database has for it.
  ///
  /// - Throws: `.database` for one that this version does not know: what it means for a set cannot be told.
  init(stored name: String) throws(ExportError) {
    guard let reason = ChangeReason(rawValue: name) else {
      throw ExportError(
        .database, "the database says that '\(DisplayText.escaped(name))' changed events; update pagefall")
    }
    self = reason
  }
}

/// How much changed. Counts only ever grow; of what was removed, they say how much.
package struct ChangeCount: Equatable, Sendable {
  /// Sessions that are new, got a value, or are gone.
  package var sessions: Int64
  /// Events that were stored or removed.
  package var events: Int64

  init(sessions: Int64 = 0, events: Int64 = 0) {
    self.sessions = sessions
    self.events = events
  }

  /// Both together.
  package static func + (left: ChangeCount, right: ChangeCount) -> ChangeCount {
    ChangeCount(sessions: left.sessions + right.sessions, events: left.events + right.events)
  }

  /// What the left one has more.
  package static func - (left: ChangeCount, right: ChangeCount) -> ChangeCount {
    ChangeCount(sessions: left.sessions - right.sessions, events: left.events - right.events)
  }
}

/// Where the account of a day's changes stood when its set was made: a day whose account stands elsewhere has changed.
///
/// Read in the snapshot that the set is made from. So an event whose transaction was open then is in neither, and counts as
/// a change next time; no clock and no transaction id is asked.
struct ChangePosition: Equatable, Sendable {
  /// Reasons that are absent have counts of zero.
  private(set) var counts: [ChangeReason: ChangeCount] = [:]
  /// A sum of random numbers, one for each change: where a backup was restored and as much has changed since, it differs.
  private(set) var mark: Int64 = 0

  init(_ counts: [ChangeReason: ChangeCount] = [:], mark: Int64 = 0) {
    for (reason, count) in counts { add(count, for: reason) }
    self.mark = mark
  }

  /// The count of a reason.
  subscript(_ reason: ChangeReason) -> ChangeCount { counts[reason] ?? ChangeCount() }

  mutating func add(_ count: ChangeCount, for reason: ChangeReason, mark: Int64 = 0) {
    let sum = self[reason] + count
    counts[reason] = sum == ChangeCount() ? nil : sum
    self.mark &+= mark
  }

  /// What is stored by this account: what came less what was removed.
  var stored: ChangeCount { self[.stored] + self[.replayed] - self[.erased] - self[.retained] }
}
