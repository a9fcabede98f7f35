import StoryEvents

/// What the definitions of metrics §1 and §2 say about one session.
struct SessionFacts {
  /// Its events, each `seq` once (the first that arrived), in the order of `seq`.
  let events: [SimulatedEvent]
  /// How many pages there are, as far as this session shows, taps or implies.
  let pageSpan: Int
  /// `page_count` of its first start; nil is unknown.
  let pageCount: Int?
  /// The place among `events` of each page's first showing; nil for a page that is not shown.
  private let firstShowings: [Int?]
  private let startDurations: [Int64?]
  /// A bit for each type that occurs.
  private let types: UInt32

  init(_ delivered: [SimulatedEvent]) {
    let ordered = SessionEvents(delivered).events
    let firstStart = ordered.first { $0.type == .start }
    let largestPage = ordered.reduce(-1) { max($0, $1.pageIndex ?? -1) }
    events = ordered
    types = ordered.reduce(0) { $0 | Self.bit($1.type) }
    pageCount = firstStart?.pageCount
    pageSpan = max(largestPage + 1, firstStart?.pageCount ?? 0)
    startDurations = firstStart?.pageDurationsMicroseconds ?? []
    var showings: [Int?] = Array(repeating: nil, count: pageSpan)
    for (place, event) in ordered.enumerated() where event.type == .pageShown {
      if let page = event.pageIndex, showings[page] == nil { showings[page] = place }
    }
    firstShowings = showings
  }

  private static func bit(_ type: EventType) -> UInt32 { 1 << UInt32(type.rawValue) }

  func holds(_ type: EventType) -> Bool { types & Self.bit(type) != 0 }

  func shows(page: Int) -> Bool { firstShowings.indices.contains(page) && firstShowings[page] != nil }

  var isStorySession: Bool { holds(.start) || holds(.pageShown) || holds(.actionTap) || holds(.finish) }

  var isPresentation: Bool { isStorySession || holds(.fallback) || holds(.dismiss) }

  var highestSeq: Int { events.last?.seq ?? -1 }

  /// How many pages, from 0, were first shown one after the other.
  var strictReach: Int {
    var page = 0
    var latest = -1
    while page < pageSpan, let place = firstShowings[page], place > latest {
      latest = place
      page += 1
    }
    return page
  }

  func impressions() -> [Impression] {
    let places = events.indices.filter { events[$0].type == .pageShown }
    return places.enumerated().map { order, place in
      impression(at: place, next: order + 1 < places.count ? places[order + 1] : nil)
    }
  }

  private func impression(at place: Int, next: Int?) -> Impression {
    let page = events[place].pageIndex ?? 0
    let stay = events[(place + 1)..<(next ?? events.count)]
    let length = length(at: place)
    let duration = events[place].durationMicroseconds ?? (page < startDurations.count ? startDurations[page] : nil)
    return Impression(
      page: page, departure: departure(of: page, at: place, next: next, stay: stay), length: length,
      wasEndedByTimer: duration.map { (length ?? -1) >= max(0, $0 - Self.timerTolerance) })
  }

  private func departure(
    of page: Int, at place: Int, next: Int?, stay: ArraySlice<SimulatedEvent>
  ) -> Departure {
    guard isWhole(from: place, to: next ?? events.count - 1) else { return .unknown }
    let holdsFinish = stay.contains { $0.type == .finish }
    guard let next else {
      if holdsFinish { return .finished }
      return stay.contains { $0.type == .actionTap } ? .tappedOut : .exited
    }
    switch events[next].pageIndex {
    case page + 1: return .next
    case page - 1: return .back
    case 0 where page == 0 && !holdsFinish: return .back
    case 0 where holdsFinish || page + 1 == pageCount: return .looped
    case _: return .unknown
    }
  }

  /// Device time to the next showing, finish or dismissal, where there is one and nothing is missing before it; may be
  /// negative.
  private func length(at place: Int) -> Int64? {
    let end = events[(place + 1)...].firstIndex { $0.type == .pageShown || $0.type == .finish || $0.type == .dismiss }
    guard let end, isWhole(from: place, to: end) else { return nil }
    return events[end].atMicroseconds - events[place].atMicroseconds
  }

  /// Whether no `seq` is missing between two places.
  private func isWhole(from place: Int, to end: Int) -> Bool { events[end].seq - events[place].seq == end - place }

  /// A showing that lasted its duration less this was ended by the timer, in microseconds (metrics §2).
  private static let timerTolerance: Int64 = 250_000
}

/// One showing of a page, and how it ended.
struct Impression {
  var page: Int
  var departure: Departure
  /// Microseconds of device time; nil where unknown, negative where the clock was set back.
  var length: Int64?
  /// Whether it lasted as long as its page's duration; nil where the duration is unknown. Says something of `next` alone.
  var wasEndedByTimer: Bool?
}

/// How a showing ended (metrics §2, the table).
enum Departure {
  case next, back, looped, finished, tappedOut, exited, unknown

  /// Whether the viewer saw the page through or moved on.
  var completes: Bool {
    switch self {
    case .next, .looped, .finished: true
    case .back, .tappedOut, .exited, .unknown: false
    }
  }
}
