import FunnelDocument
import StoryEvents

extension QualityVerdict {
  mutating func judgeFates() {
    let fates = report.fates.total
    judge(
      .conflictingDuplicates, fates.conflictingDuplicates, serious: 0.01,
      "have the number of another event with other content",
      "The first stays and the later is kept as rejected: the sender uses a number twice.")
    judge(
      .foreignSessions, fates.foreignSessions, serious: 0.01, "belong to a session of another app",
      "Two apps share session ids or write keys: give each its own.")
    judge(
      .expired, fates.expired, serious: 0.05, "were older than the retention line and were not stored",
      "Devices send very late, or the line is too near.")
    judge(
      .refusedByDatabase, fates.refusedByDatabase, serious: 0.001, "were refused by PostgreSQL",
      "See them with pagefall rejected list --code refused_by_database, mend the cause and replay them.")
  }

  mutating func judgeRefusals() {
    // Those that were accepted first are told by their fates.
    let fates = Set(EventFate.allCases.map(\.rawValue))
    let refused = report.rejected.filter { !fates.contains($0.code) }
    let count = refused.reduce(0) { $0 + $1.events }
    let rate = Rate(count, of: count + report.fates.total.accepted)
    if let share = rate.value, share >= Self.notableEventShare, let most = refused.first {
      note(
        .rejectedEvents, weight: share, serious: 0.05,
        "\(text.share(rate, of: "the events that came")) were rejected, most of them (\(FigureText.count(most.events))) as "
          + "\(text.shown(most.code)) from \(text.shown(most.app)).",
        "See why:", command: text.rejectedCommand(most))
    }
    let dropped = report.dropped.reduce(0) { $0 + $1.events }
    if let share = Rate(dropped, of: dropped + report.fates.total.accepted).value, share >= Self.notableEventShare {
      note(
        .droppedByDevices, weight: share, serious: 0.05,
        "Devices say that they had to give up \(FigureText.count(dropped, "event")), ever.",
        "They could not send for long, or their queue is too small.")
    }
  }

  /// Notes a number of accepted events that is at least 0.1 % of all.
  private mutating func judge(
    _ code: QualityCode, _ count: Int, serious: Double, _ fact: String, _ advice: String
  ) {
    let rate = Rate(count, of: report.fates.total.accepted)
    guard let share = rate.value, share >= Self.notableEventShare else { return }
    note(code, weight: share, serious: serious, "\(text.share(rate, of: "the accepted events")) \(fact).", advice)
  }
}
