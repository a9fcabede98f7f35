extension FunnelCounts {
  /// Sentences on everything that cannot be, whatever the events were; empty where the counts are sound.
  ///
  /// A report checks itself with this and fails loudly (metrics §2): impressions = the sum of departures on every
  /// page, and every part is at most its whole.
  public func conservationFaults() -> [String] {
    var faults = FaultList()
    checkSessions(&faults)
    for (place, page) in pages.enumerated() {
      faults.require(page.index == place, "page \(place) is numbered \(page.index)")
      check(page, &faults)
    }
    faults.atMost("missing events", completeness.missingEvents, "expected events", completeness.expectedEvents)
    let lastStays = pages.reduce(0) { $0 + $1.departures.finished + $1.departures.tappedOut + $1.departures.exited }
    faults.atMost("final departures", lastStays, "sessions", sessions)
    return faults.sentences
  }

  private func checkSessions(_ faults: inout FaultList) {
    faults.atMost("fallbacks", fallbacks, "presentations", presentations)
    faults.atMost("sessions", sessions, "presentations", presentations)
    faults.atMost("finished sessions", finishedSessions, "sessions", sessions)
    faults.atMost("reached-last sessions", reachedLastSessions, "sessions", sessions)
    faults.atMost("tapped sessions", tappedSessions, "sessions", sessions)
    faults.atMost("sessions without a start", completeness.sessionsWithoutStart, "sessions", sessions)
  }

  private func check(_ page: PageCounts, _ faults: inout FaultList) {
    let name = "page \(page.index): "
    let departures = page.departures
    faults.require(
      departures.total == page.impressions,
      name + "\(page.impressions) impressions, but \(departures.total) departures")
    faults.atMost(name + "sessions", page.sessions, "impressions", page.impressions)
    faults.atMost(name + "sessions", page.sessions, "all sessions", sessions)
    faults.atMost(name + "strict sessions", page.strictSessions, "sessions", page.sessions)
    faults.atMost(name + "completed sessions", page.completedSessions, "sessions", page.sessions)
    faults.atMost(name + "tapped sessions", page.tappedSessions, "sessions", page.sessions)
    faults.atMost(name + "tapped sessions", page.tappedSessions, "taps", page.taps)
    faults.atMost(name + "dwells", page.dwell.count, "impressions", page.impressions)
    faults.atMost(name + "exits", departures.exited, "sessions", page.sessions)
    faults.require(
      (departures.nextAuto == nil) == (departures.nextTap == nil), name + "only one half of the split of next")
    faults.atMost(
      name + "next_auto + next_tap", (departures.nextAuto ?? 0) + (departures.nextTap ?? 0), "next", departures.next)
  }
}

/// Collects sentences on what cannot be.
struct FaultList {
  var sentences: [String] = []

  mutating func require(_ holds: Bool, _ sentence: @autoclosure () -> String) {
    if !holds { sentences.append(sentence()) }
  }

  mutating func atMost(_ part: String, _ partCount: Int, _ whole: String, _ wholeCount: Int) {
    require(
      (0...max(0, wholeCount)).contains(partCount), "\(part) (\(partCount)) not within 0 and \(whole) (\(wholeCount))")
  }
}
