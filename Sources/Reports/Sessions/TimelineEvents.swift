import SessionMetrics
import StoryEvents

/// The events of a judged session in words: when each was, and how and why each impression left.
struct TimelineEvents {
  private let session: JudgedSession
  private let events: [StoredEvent]
  private let titles: [Int: String]

  init(_ session: JudgedSession, _ events: [StoredEvent], titles: [Int: String]) {
    self.session = session
    self.events = events
    self.titles = titles
  }

  /// The first of them.
  ///
  /// - Parameter details: the fields that the judge does not ask for, by `seq`.
  func list(most: Int, details: [Int: [NamedText]]) -> [TimelineEvent] {
    var result: [TimelineEvent] = []
    var impression = 0
    var hasStart = false
    let surfaces = SurfaceEvents(events)
    for (place, event) in events.prefix(most).enumerated() {
      var entry = TimelineEvent(
        seq: event.seq, type: event.type?.name ?? "unknown", atMicroseconds: event.atMicroseconds,
        afterMicroseconds: event.atMicroseconds &- events[0].atMicroseconds, details: details[event.seq] ?? [])
      switch event.type {
      case .pageShown:
        entry.page = event.number
        entry.impression = words(for: session.impressions[impression], at: place)
        impression += 1
      case .actionTap:
        entry.page = event.number
        if !isShown(event.number) { entry.remark = "an orphan tap: page \(event.number) was never shown here" }
      case .start:
        entry.pageCount = event.number
        if hasStart { entry.remark = "a later start: the page count is that of the first" }
        hasStart = true
      case .finish, .fallback, .dismiss: break
      case .richMediaDeferred, .richMediaPresented, .richMediaClosed, .richMediaFailed, .notificationResponse:
        entry.remark = surfaces.remark(at: place)
      case nil: entry.remark = "a type that this version does not know: it only fills its seq"
      }
      entry.title = entry.page.flatMap { titles[$0] }
      result.append(entry)
    }
    return result
  }

  /// The `seq` values below the highest that are not there.
  var gaps: [ClosedRange<Int>] {
    var gaps: [ClosedRange<Int>] = []
    var expected = 0
    for event in events {
      if event.seq > expected { gaps.append(expected...(event.seq - 1)) }
      expected = event.seq + 1
    }
    return gaps
  }

  // MARK: Impressions (metrics §2)

  private func words(for impression: JudgedImpression, at place: Int) -> TimelineImpression {
    let stay = Stay(from: place, in: events)
    var cause: String?
    switch impression.nextCause {
    case .auto: cause = "auto"
    case .tap: cause = "tap"
    case nil: break
    }
    return TimelineImpression(
      departure: impression.departure.name, reason: reason(impression, stay),
      dwellMicroseconds: impression.dwellMicroseconds, dwellReason: dwellReason(impression, stay), nextCause: cause)
  }

  private func reason(_ impression: JudgedImpression, _ stay: Stay) -> String {
    let next = stay.next.map { "page \(events[$0].number)" } ?? "no page"
    switch impression.departure {
    case .next:
      switch impression.nextCause {
      case .auto: return "\(next) followed, by the page's timer"
      case .tap: return "\(next) followed, before the page's timer ran out"
      case nil: return "\(next) followed"
      }
    case .back: return impression.page == 0 ? "page 0 followed again, without a finish" : "\(next) followed"
    case .looped: return stay.holdsFinish ? "page 0 followed, after a finish" : "page 0 followed the last page"
    case .finished: return "a finish, and no page followed"
    case .tappedOut: return "a tap, and no page followed"
    case .exited: return "no page, finish or tap followed"
    case .unknown:
      guard stay.hasMissing else { return "\(next) followed, where no player goes from page \(impression.page)" }
      let last = stay.next ?? events.count - 1
      return "\(missing(between: stay.shown, and: last)) before \(stay.next == nil ? "the last event" : next)"
    }
  }

  private func dwellReason(_ impression: JudgedImpression, _ stay: Stay) -> String? {
    if impression.dwellMicroseconds != nil { return nil }
    if impression.isNegativeDwell { return "the device's clock was set back" }
    guard let end = stay.end else { return "no page, finish or dismiss followed" }
    return "\(missing(between: stay.shown, and: end)) before its end"
  }

  /// `seq 4 is missing`.
  private func missing(between first: Int, and last: Int) -> String {
    var gaps: [ClosedRange<Int>] = []
    for place in first..<last where events[place + 1].seq > events[place].seq + 1 {
      gaps.append((events[place].seq + 1)...(events[place + 1].seq - 1))
    }
    return gaps.count == 1 && gaps[0].count == 1
      ? "seq \(gaps[0].lowerBound) is missing" : "seq \(SeqText.list(gaps)) are missing"
  }

  private func isShown(_ page: Int) -> Bool { session.visits.contains { $0.page == page && $0.impressions > 0 } }
}

/// Numbers of events as people read them.
enum SeqText {
  /// `3, 5–7 and others`.
  static func list(_ ranges: [ClosedRange<Int>], most: Int = 5) -> String {
    let shown = ranges.prefix(most).map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)–\(range.upperBound)"
    }
    return shown.joined(separator: ", ") + (ranges.count > most ? " and others" : "")
  }
}

extension Departure {
  /// As the JSON form of a funnel calls it (metrics §5).
  var name: String {
    switch self {
    case .next: "next"
    case .back: "back"
    case .looped: "looped"
    case .finished: "finished"
    case .tappedOut: "tapped_out"
    case .exited: "exited"
    case .unknown: "unknown"
    }
  }
}
