import FunnelDocument
import StoryEvents

/// The definitions once more, sentence by sentence and without a thought for speed: what a report has to agree with.
/// Shares nothing with `Reports`.
struct NaiveFunnel {
  let sessions: [WorldSession]

  init(_ sessions: [WorldSession]) {
    self.sessions = sessions.filter { session in
      session.events.contains { EventType.fallback == $0.type || $0.type == .dismiss || $0.isOfStorySession }
    }
  }

  var counts: FunnelCounts {
    let stories = sessions.filter { $0.events.contains(where: \.isOfStorySession) }
    var counts = FunnelCounts(
      presentations: sessions.count, fallbacks: sessions.filter { $0.has(.fallback) }.count, sessions: stories.count,
      finishedSessions: stories.filter { $0.has(.finish) }.count,
      reachedLastSessions: stories.filter { session in session.pageCount.map { session.shows($0 - 1) } ?? false }.count,
      tappedSessions: stories.filter { $0.has(.actionTap) }.count)
    let highest =
      stories.map { session in
        max(
          session.events.compactMap { $0.type == .pageShown || $0.type == .actionTap ? $0.number : nil }.max() ?? -1,
          (session.pageCount ?? 0) - 1)
      }.max() ?? -1
    if highest >= 0 { counts.pages = (0...highest).map { page(Int($0), stories) } }
    counts.completeness = completeness(stories)
    return counts
  }

  private func page(_ page: Int, _ stories: [WorldSession]) -> PageCounts {
    let reached = stories.filter { $0.shows(page) }
    let taps = stories.map { session in session.events.filter { $0.type == .actionTap && $0.number == page }.count }
    let impressions = stories.flatMap { session in
      session.events.filter { $0.type == .pageShown && $0.number == page }.map { (session: session, event: $0) }
    }
    let departures = impressions.map { departure($0.session, $0.event) }
    var counts = PageCounts(
      index: page, impressions: impressions.count, sessions: reached.count,
      strictSessions: stories.filter { $0.isStrict(page) }.count,
      completedSessions: reached.filter { session in
        session.events.contains {
          $0.type == .pageShown && $0.number == page
            && ["next", "looped", "finished"].contains(departure(session, $0))
        }
      }.count,
      taps: taps.reduce(0, +),
      tappedSessions: reached.filter { session in
        session.events.contains { $0.type == .actionTap && $0.number == page }
      }.count)
    func count(_ name: String) -> Int { departures.filter { $0 == name }.count }
    counts.departures = Departures(
      next: count("next"), back: count("back"), looped: count("looped"), finished: count("finished"),
      tappedOut: count("tapped_out"), exited: count("exited"), unknown: count("unknown"))
    let timed = zip(impressions, departures).filter { $1 == "next" }.compactMap { shown, _ in
      duration(shown.session, shown.event).map { duration -> Bool in
        guard let dwell = dwell(shown.session, shown.event), dwell >= 0 else { return false }
        return dwell >= duration * 1_000 - 250
      }
    }
    if !timed.isEmpty {
      counts.departures.nextAuto = timed.filter { $0 }.count
      counts.departures.nextTap = timed.filter { !$0 }.count
    }
    let dwells = impressions.compactMap { dwell($0.session, $0.event) }.filter { $0 >= 0 }.sorted()
    if !dwells.isEmpty {
      counts.dwell = DwellSummary(
        count: dwells.count, medianMilliseconds: dwells[Int((0.5 * Double(dwells.count)).rounded(.up)) - 1],
        ninetiethPercentileMilliseconds: dwells[(9 * dwells.count + 9) / 10 - 1])
    }
    return counts
  }

  private func completeness(_ stories: [WorldSession]) -> Completeness {
    let expected = stories.map { ($0.events.map(\.seq).max() ?? -1) + 1 }
    return Completeness(
      expectedEvents: expected.reduce(0, +),
      missingEvents: expected.reduce(0, +) - stories.map(\.events.count).reduce(0, +),
      sessionsWithoutStart: stories.filter { !$0.has(.start) }.count,
      orphanTaps: stories.map { session in
        session.events.filter { $0.type == .actionTap && !session.shows($0.number ?? -1) }.count
      }.reduce(0, +),
      negativeDwells: stories.map { session in
        session.events.filter { $0.type == .pageShown && (dwell(session, $0) ?? 0) < 0 }.count
      }.reduce(0, +),
      suspectClockSessions: stories.filter(\.hasSuspectClock).count)
  }

  /// The table of metrics §2.
  private func departure(_ session: WorldSession, _ shown: WorldEvent) -> String {
    let after = session.events.filter { $0.seq > shown.seq }
    let next = after.first { $0.type == .pageShown }
    let stay = after.filter { $0.seq < next?.seq ?? .max }
    let last = next?.seq ?? session.events.last?.seq ?? shown.seq
    if !session.isWhole(from: shown.seq, to: last) { return "unknown" }
    let finish = stay.contains { $0.type == .finish }
    guard let to = next?.number, let from = shown.number else {
      return finish ? "finished" : stay.contains { $0.type == .actionTap } ? "tapped_out" : "exited"
    }
    if to == from + 1 { return "next" }
    if to == from - 1 || (from == 0 && to == 0 && !finish) { return "back" }
    if to == 0 && (finish || session.pageCount == from + 1) { return "looped" }
    return "unknown"
  }

  /// In milliseconds; negative where the clock went back.
  private func dwell(_ session: WorldSession, _ shown: WorldEvent) -> Double? {
    let end = session.events.first { $0.seq > shown.seq && [.pageShown, .finish, .dismiss].contains($0.type) }
    guard let end, session.isWhole(from: shown.seq, to: end.seq) else { return nil }
    return end.milliseconds - shown.milliseconds
  }

  private func duration(_ session: WorldSession, _ shown: WorldEvent) -> Double? {
    if let own = shown.durationSeconds { return own }
    let listed = session.events.first { $0.type == .start }?.pageDurations ?? []
    guard let page = shown.number, page < listed.count else { return nil }
    return listed[page]
  }
}

extension WorldEvent {
  fileprivate var isOfStorySession: Bool { [.start, .pageShown, .actionTap, .finish].contains(type) }
}

extension WorldSession {
  func has(_ type: EventType) -> Bool { events.contains { $0.type == type } }

  func shows(_ page: Int) -> Bool { events.contains { $0.type == .pageShown && $0.number == page } }

  var pageCount: Int? { events.first { $0.type == .start }?.number }

  fileprivate func isWhole(from: Int, to: Int) -> Bool {
    Set(from...to).isSubset(of: events.map(\.seq))
  }

  fileprivate func isStrict(_ page: Int) -> Bool {
    let firsts = (0...page).map { page in events.first { $0.type == .pageShown && $0.number == page }?.seq }
    guard firsts.allSatisfy({ $0 != nil }) else { return false }
    let order = firsts.compactMap { $0 }
    return order == order.sorted()
  }
}
