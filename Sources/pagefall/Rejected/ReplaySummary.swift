import EventStore
import StoryEvents

/// What a replay came to.
struct ReplaySummary {
  /// Rejected events that were put through the rules again.
  var replayed = 0
  /// What became of those that pass (with `--dry-run` nothing).
  var fates = FateCounts()
  /// With `--dry-run`: events that pass the rules, but for those below.
  var passing = 0
  /// With `--dry-run`: events that passed the rules before already; storing them again would say what becomes of them.
  var undecided: [String: Int] = [:]
  /// Events that a rule refuses still, by code.
  var refused: [String: Int] = [:]
  /// Among them: those whose fault is in the context of their batch.
  var refusedForContext = 0

  /// Everything that is rejected still, by code.
  var stillRejected: [String: Int] {
    var counts = refused
    for (fate, code) in [
      (EventFate.conflictingDuplicate, RejectionCode.conflictingDuplicate), (.foreignSession, .foreignSession),
      (.refusedByDatabase, .refusedByDatabase),
    ] where fates[fate] > 0 {
      counts[code.name, default: 0] += fates[fate]
    }
    return counts
  }

  /// The line.
  func text(isDryRun: Bool) -> String {
    let left = "still rejected \(Self.list(stillRejected))"
    if isDryRun {
      let open = undecided.isEmpty ? "" : ", decided when they are stored \(Self.list(undecided))"
      return "would replay \(replayed): pass the rules \(passing)\(open), \(left)"
    }
    let expired = fates.expired > 0 ? ", expired \(fates.expired)" : ""
    return "replayed \(replayed), stored \(fates.stored), duplicates \(fates.duplicates)\(expired), \(left)"
  }

  /// Such as `3 (invalid_seq 2, unknown_type 1)`.
  private static func list(_ counts: [String: Int]) -> String {
    let total = counts.values.reduce(0, +)
    if total == 0 { return "0" }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return "\(total) (\(sorted.map { "\($0.key) \($0.value)" }.joined(separator: ", ")))"
  }
}
