extension RichMediaReport {
  /// Sentences on everything that cannot be, in the total, in each line and group, and between them; empty where the report is
  /// sound. A report checks itself with this and fails loudly (rich-media §1).
  public func conservationFaults() -> [String] {
    var faults = total.conservationFaults()
    faults += total.lineFaults(contents, hidden: hiddenContents)
    for group in groups ?? [] {
      let ofGroup =
        group.counts.conservationFaults() + group.counts.lineFaults(group.contents, hidden: group.hiddenContents)
      faults += ofGroup.map { "group \(group.name): " + $0 }
    }
    if let groups, !total.isSum(of: groups.map(\.counts)) { faults.append("groups do not add up to the total") }
    return faults
  }
}

extension RichMediaCounts {
  /// Sentences on everything that cannot be, whatever the events were; empty where the counts are sound.
  ///
  /// Each presentation ends exactly once, and every part is at most its whole.
  public func conservationFaults() -> [String] {
    var faults = FaultList()
    let ends = failed + closed + openOrLost + waitingOrLost
    faults.require(ends == presentations, "\(presentations) presentations, but \(ends) ends")
    for (name, end) in [("failed", failed), ("closed", closed), ("open or lost", openOrLost)] {
      faults.atMost(name, end, "presentations", presentations)
    }
    faults.atMost("deferred", deferred, "presentations", presentations)
    faults.atMost("shown", shown, "presentations", presentations)
    faults.atMost("open or lost", openOrLost, "shown", shown)
    faults.atMost("waiting or lost", waitingOrLost, "deferred", deferred)
    faults.atMost("shown and waiting or lost", shown + waitingOrLost, "presentations", presentations)
    faults.require(
      (closedByTimer == nil) == (closedBeforeTimer == nil), "only one half of the split of closed by the timer")
    faults.require(closedByTimer ?? 0 >= 0 && closedBeforeTimer ?? 0 >= 0, "a negative half of the split by the timer")
    let split = (closedByTimer ?? 0) + (closedBeforeTimer ?? 0)
    faults.require(closedByTimer == nil || split > 0, "a split of closed by the timer with nothing in it")
    faults.atMost("closed by and before the timer", split, "closed", closed)
    faults.atMost("closed by and before the timer", split, "lengths of time open", open.count)
    faults.atMost("lengths of waits", wait.count, "deferred", deferred)
    faults.atMost("lengths of waits", wait.count, "shown", shown)
    faults.atMost("lengths of time open", open.count, "shown", shown)
    faults.atMost("missing events", missingEvents, "expected events", expectedEvents)
    faults.atMost("presentations", presentations, "events that arrived", expectedEvents - missingEvents)
    return faults.sentences
  }

  /// Sentences on where lines are not sound or do not add up to these counts; of some alone, where others are hidden.
  fileprivate func lineFaults(_ lines: [RichMediaLine], hidden: Int) -> [String] {
    var faults = lines.flatMap { line in
      line.counts.conservationFaults().map { "content \(line.contentCode): " + $0 }
    }
    if hidden == 0, !isSum(of: lines.map(\.counts)) { faults.append("content codes do not add up to the total") }
    return faults
  }
}
