import StoryEvents

/// The definitions of metrics §1 and §2, applied to one session after the other.
///
/// Its memory is used again for each session, so that a report over millions of them allocates next to nothing.
package struct SessionJudge {
  /// What the latest session counts for.
  package private(set) var session = JudgedSession()
  /// Where a page stands in `session.visits`, by page index; -1 for a page that this session has not visited.
  private var visitOfPage: [Int32] = []

  /// A `next` that lasted the page's duration less this was made by the timer (metrics §2).
  package static let timerToleranceMicroseconds = 250_000.0

  /// Begins with no session judged.
  package init() {}

  /// Judges a session; the result stands in `session` until the next one.
  package mutating func judge(_ history: borrowing SessionHistory) {
    forgetSession()
    readFacts(history.events)
    readImpressions(history)
    readStrictOrder()
    if let pageCount = session.pageCount {
      session.hasReachedLast = impressions(of: pageCount - 1) > 0
      session.pageSpan = max(session.pageSpan, pageCount)
    }
  }

  // MARK: Sessions (metrics §1)

  private mutating func readFacts(_ events: [StoredEvent]) {
    for event in events {
      switch event.type {
      case .start:
        if !session.hasStart { session.pageCount = event.number }
        session.hasStart = true
      case .pageShown: visit(event.number) { $0.impressions += 1 }
      case .actionTap:
        session.isTapped = true
        visit(event.number) { $0.taps += 1 }
      case .finish: session.isFinished = true
      case .fallback: session.isFallback = true
      case .dismiss: session.isPresentation = true
      case .richMediaDeferred, .richMediaPresented, .richMediaClosed, .richMediaFailed, .notificationResponse, nil:
        break
      }
    }
    session.isStorySession =
      session.hasStart || session.isFinished || !session.visits.isEmpty  // each visit is a page_shown or an action_tap
    session.isPresentation = session.isPresentation || session.isStorySession || session.isFallback
    session.expectedEvents = (events.last?.seq ?? -1) + 1
    session.missingEvents = session.expectedEvents - events.count
  }

  // MARK: Impressions (metrics §2)

  private mutating func readImpressions(_ history: borrowing SessionHistory) {
    let events = history.events
    var place = events.firstIndex { $0.type == .pageShown }
    while let shown = place {
      let stay = Stay(from: shown, in: events)
      let page = events[shown].number
      let departure = departure(of: page, stay, events)
      let length = stay.length(in: events)
      let dwell = length.flatMap { $0 >= 0 ? $0 : nil }
      var cause: NextCause?
      if departure == .next, let duration = events[shown].durationSeconds ?? history.startPageDuration(of: page) {
        cause = Self.cause(ofNextAfter: dwell, durationSeconds: duration)
      }
      let order = session.impressions.count
      visit(page) { visit in
        visit.firstImpression = visit.firstImpression ?? order
        if departure.completesPage { visit.isCompleted = true }
      }
      session.impressions.append(
        JudgedImpression(
          page: page, departure: departure, dwellMicroseconds: dwell, isNegativeDwell: length != nil && dwell == nil,
          nextCause: cause))
      place = stay.next
    }
  }

  /// The table of metrics §2: the first rule that applies.
  private func departure(of page: Int, _ stay: Stay, _ events: [StoredEvent]) -> Departure {
    if stay.hasMissing { return .unknown }
    guard let next = stay.next else {
      if stay.holdsFinish { return .finished }
      return stay.holdsTap ? .tappedOut : .exited
    }
    let nextPage = events[next].number
    if nextPage == page + 1 { return .next }
    if nextPage == page - 1 || (page == 0 && nextPage == 0 && !stay.holdsFinish) { return .back }
    let isLastPage = session.pageCount.map { page == $0 - 1 } ?? false
    if nextPage == 0 && (stay.holdsFinish || isLastPage) { return .looped }
    return .unknown
  }

  private static func cause(ofNextAfter dwellMicroseconds: Int64?, durationSeconds: Double) -> NextCause {
    // To the microsecond, as times are stored: 4.1 s less 0.25 s must not become 3.8499999 s.
    let timerMicroseconds = (durationSeconds * 1_000_000).rounded() - timerToleranceMicroseconds
    guard let dwellMicroseconds, Double(dwellMicroseconds) >= timerMicroseconds else { return .tap }
    return .auto
  }

  /// Strict reached: from page 0 on, as long as the first showing exists and stands after that of the page before.
  private mutating func readStrictOrder() {
    var latest = -1
    var page = 0
    while page < visitOfPage.count, visitOfPage[page] >= 0 {
      let place = Int(visitOfPage[page])
      guard let first = session.visits[place].firstImpression, first > latest else { return }
      session.visits[place].isStrict = true
      latest = first
      page += 1
    }
  }

  // MARK: Pages of the session

  private func impressions(of page: Int) -> Int {
    guard visitOfPage.indices.contains(page), visitOfPage[page] >= 0 else { return 0 }
    return session.visits[Int(visitOfPage[page])].impressions
  }

  private mutating func visit(_ page: Int, _ change: (inout PageVisit) -> Void) {
    while visitOfPage.count <= page { visitOfPage.append(-1) }
    if visitOfPage[page] < 0 {
      visitOfPage[page] = Int32(session.visits.count)
      session.visits.append(PageVisit(page: page))
      session.pageSpan = max(session.pageSpan, page + 1)
    }
    change(&session.visits[Int(visitOfPage[page])])
  }

  private mutating func forgetSession() {
    for visit in session.visits { visitOfPage[visit.page] = -1 }
    // The arrays change places with empty ones: one that two hold would be emptied by making another.
    var next = JudgedSession()
    swap(&next.impressions, &session.impressions)
    swap(&next.visits, &session.visits)
    next.impressions.removeAll(keepingCapacity: true)
    next.visits.removeAll(keepingCapacity: true)
    session = next
  }
}

extension SessionHistory {
  /// The duration that the first `start` gave for a page, in seconds.
  fileprivate func startPageDuration(of page: Int) -> Double? {
    startPageDurations.indices.contains(page) ? startPageDurations[page] : nil
  }
}
