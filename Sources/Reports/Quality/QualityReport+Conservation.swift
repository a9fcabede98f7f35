extension QualityReport {
  /// Sentences on everything that cannot be; empty where the report is sound.
  ///
  /// - Parameters:
  ///   - fallbacks: presentations that fell back.
  ///   - lost: what funnels say of lost events of the same scope, which must be the same.
  func conservationFaults(fallbacks: Int, _ lost: LostEvents) -> [String] {
    var faults: [String] = []
    func require(_ holds: Bool, _ fault: String) { if !holds { faults.append(fault) } }
    for (name, parts) in [
      ("app versions", versions.map(\.faults)), ("days", days.map(\.faults)), ("cells", cells.map(\.faults)),
    ] {
      let sum = parts.reduce(into: SessionFaults()) { $0 += $1 }
      require(sum == total, "the \(name) do not add up to the total")
      require(parts.allSatisfy(\.isPossible), "one of the \(name) counts more faults than it has sessions or events")
    }
    require(total.isPossible, "the total counts more faults than it has sessions or events")
    require(total.sessions <= presentations, "there are more sessions than presentations")
    require(
      delay.sessions + total.suspectClockSessions == total.sessions, "delays and suspect clocks are not the sessions")
    require(delay.startsAfterArrival <= delay.sessions, "more sessions start after their arrival than there are")
    require(
      days.map(\.delay.sessions).reduce(0, +) == delay.sessions, "the delays of days do not add up to the total")
    require(clocks.sessions == total.offsetClockSessions, "the clock offsets are not those of the sessions")
    require(
      self.fallbacks.map(\.presentations).reduce(0, +) == fallbacks, "the reasons do not add up to the fallbacks")
    require(fallbacks <= presentations, "there are more fallbacks than presentations")
    let sum = fates.apps.reduce(into: FateNumbers()) { $0 += $1.numbers }
    require(sum == fates.total, "the fates of apps do not add up to the total")
    let rejections = lost.rejected.values.flatMap(\.values).reduce(0, +)
    require(rejected.map(\.events).reduce(0, +) == rejections, "the rejected events are not those of funnels")
    require(rejected.allSatisfy { $0.times >= $0.events }, "rejected events came less often than there are")
    if let yesterday {
      require(
        yesterday.earlierDays.allSatisfy { $0.arrived <= $0.sessions },
        "more sessions of a day had arrived than it has")
    }
    return faults
  }
}

extension SessionFaults {
  /// No part is larger than its whole, and none is negative.
  fileprivate var isPossible: Bool {
    let perSession = [
      sessionsWithMissingEvents, sessionsWithoutStart, singleEventSessions, suspectClockSessions, offsetClockSessions,
    ]
    let all = perSession + [sessions, missingEvents, orphanTaps, negativeDwells]
    return perSession.allSatisfy { $0 <= sessions } && all.allSatisfy { $0 >= 0 } && missingEvents <= expectedEvents
      && sessionsWithMissingEvents <= missingEvents
  }
}
