import SessionMetrics

/// How a judged session counts at each step of the funnel, in words.
struct SessionSteps {
  private let session: JudgedSession
  private let visits: [Int: PageVisit]
  private let impressions: [Int: [JudgedImpression]]

  init(_ session: JudgedSession) {
    self.session = session
    visits = Dictionary(session.visits.map { ($0.page, $0) }, uniquingKeysWith: { first, _ in first })
    impressions = Dictionary(grouping: session.impressions, by: \.page)
  }

  /// The steps of the whole session (metrics §1).
  var all: [CountingStep] {
    [presentation, storySession, fallback, finished, reachedLast, tapped]
  }

  /// The steps of each page up to the last that an event implies (metrics §2).
  func pages(titles: [Int: String]) -> [PageSteps] {
    (0..<session.pageSpan).map { page in
      let visit = visits[page] ?? PageVisit(page: page)
      let impressions = impressions[page] ?? []
      let dwells = impressions.count { $0.dwellMicroseconds != nil }
      return PageSteps(
        page: page, title: titles[page], impressions: visit.impressions, taps: visit.taps, dwells: dwells,
        steps: [reached(visit, dwells), strict(visit), completed(visit, impressions), tapped(visit)])
    }
  }

  // MARK: Session

  private var presentation: CountingStep {
    step("presentation", session.isPresentation, yes: "it has a story event", no: "it has no story event")
  }

  private var storySession: CountingStep {
    step(
      "session", session.isStorySession, yes: "it has a start, page, tap or finish",
      no: session.isFallback
        ? "a fallback counts as a presentation, not as a session"
        : session.isPresentation ? "a dismiss alone is no session" : "it has no start, page, tap or finish")
  }

  private var fallback: CountingStep {
    step("fallback", session.isFallback, yes: "it has a fallback", no: "it has no fallback")
  }

  private var finished: CountingStep {
    step(
      "finished", session.isFinished, yes: "it has a finish",
      no: noSession
        ?? (session.missingEvents == 0 ? "all events came, and none is a finish" : "no finish arrived\(lossRemark)"))
  }

  private var reachedLast: CountingStep {
    if let noSession { return step("reached_last", session.hasReachedLast, yes: "", no: noSession) }
    guard let pageCount = session.pageCount else {
      return CountingStep(
        name: "reached_last", counts: session.hasReachedLast,
        reason: "no start arrived, so the page count is not known\(lossRemark)")
    }
    let last = "page \(pageCount - 1), the last of \(pageCount),"
    return step(
      "reached_last", session.hasReachedLast, yes: "\(last) was shown", no: "\(last) was not shown\(lossRemark)")
  }

  private var tapped: CountingStep {
    let taps = session.visits.reduce(0) { $0 + $1.taps }
    return step(
      "tapped", session.isTapped, yes: FigureText.count(taps, "tap"),
      no: noSession ?? "no action_tap arrived\(lossRemark)")
  }

  /// Why nothing of a session is asked: only sessions count here (metrics §1).
  private var noSession: String? { session.isStorySession ? nil : "it is no session" }

  // MARK: Page

  private func reached(_ visit: PageVisit, _ dwells: Int) -> CountingStep {
    let replays = visit.impressions > 1 ? ", \(FigureText.count(visit.impressions - 1, "replay"))" : ""
    return step(
      "reached", visit.impressions > 0,
      yes: "\(FigureText.count(visit.impressions, "impression"))\(replays), \(FigureText.count(dwells, "dwell")) known",
      no: "not shown\(lossRemark)")
  }

  private func strict(_ visit: PageVisit) -> CountingStep {
    // The lowest page up to this one where the order breaks.
    let broken = (0...visit.page).first { visits[$0]?.isStrict != true }
    let reason: String
    if let broken, visits[broken]?.firstImpression != nil {
      reason = "page \(broken) was first shown before page \(broken - 1)"
    } else {
      reason = "page \(broken ?? visit.page) was not shown"
    }
    return step(
      "strict", visit.isStrict,
      yes: visit.page == 0 ? "it was shown" : "pages 0 to \(visit.page) were first shown in this order", no: reason)
  }

  private func completed(_ visit: PageVisit, _ impressions: [JudgedImpression]) -> CountingStep {
    let names = impressions.map(\.departure)
    let completing = names.first { $0.completesPage }?.name ?? ""
    var left: [String] = []
    for name in names.map(\.name) where !left.contains(name) { left.append(name) }
    return step(
      "completed", visit.isCompleted, yes: "it was left by \(completing)",
      no: left.isEmpty ? "not shown" : "it was only left by \(left.joined(separator: ", "))")
  }

  private func tapped(_ visit: PageVisit) -> CountingStep {
    let taps = FigureText.count(visit.taps, "tap")
    return step(
      "tapped", visit.impressions > 0 && visit.taps > 0, yes: taps,
      no: visit.taps > 0 ? "\(taps), but the page was never shown: orphan taps" : "no tap")
  }

  // MARK: Words

  private var lossRemark: String {
    session.missingEvents == 0 ? "" : "; \(FigureText.count(session.missingEvents, "event")) never arrived"
  }

  private func step(_ name: String, _ counts: Bool, yes: String, no: String) -> CountingStep {
    CountingStep(name: name, counts: counts, reason: counts ? yes : no)
  }
}
