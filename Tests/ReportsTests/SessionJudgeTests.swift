import SessionMetrics
import StoryEvents
import Testing

@testable import Reports

/// Judges a story written as in `WorldEvent.parse`.
func judge(_ text: String) -> JudgedSession {
  let events = WorldEvent.parse(text)
  let start = events.first { $0.type == .start }
  let history = SessionHistory(events.map(\.stored), startPageDurations: start?.pageDurations ?? [])
  var judge = SessionJudge()
  judge.judge(history)
  return judge.session
}

extension WorldEvent {
  var stored: StoredEvent {
    StoredEvent(
      seq: seq, type: type, number: number ?? 0, atMicroseconds: Int64(milliseconds * 1_000),
      durationSeconds: durationSeconds)
  }
}

@Suite struct `Every impression leaves exactly once` {
  /// Each story with its departures in the order of the impressions.
  static let stories: [(story: String, departures: String)] = [
    ("start/3 0 1 2 finish", "next next finished"),
    ("start/3 0 1", "next exited"),
    ("start/3 0 tap/0", "tappedOut"),
    ("start/3 0 tap/0 dismiss", "tappedOut"),
    ("start/3 0 dismiss", "exited"),
    ("start/3 0 1 0", "next back exited"),
    ("start/3 0 0", "back exited"),
    ("start/1 0 finish", "finished"),
    // A tap and a finish: finished comes first.
    ("start/1 0 tap/0 finish", "finished"),
    ("start/1 0 finish tap/0", "finished"),
    // A tap before going on is no way out.
    ("start/2 0 tap/0 1", "next exited"),
    // Looping: with a finish, or from the last page by a tap.
    ("start/3 0 1 2 finish 0", "next next looped exited"),
    ("start/3 0 1 2 0", "next next looped exited"),
    ("start/1 0 finish 0", "looped exited"),
    // A story of one page: page 0 is its last, but showing it again without a finish is going back.
    ("start/1 0 0", "back exited"),
    // In a story of two pages looping cannot be told from going back.
    ("start/2 0 1 finish 0", "next back exited"),
    ("start/2 0 1 0", "next back exited"),
    // After the finish the story stays, and a back tap plays on.
    ("start/3 0 1 2 finish 1 2 finish", "next next back next finished"),
    // Without a start the last page is unknown.
    ("- 0 1 2 0", "next next unknown exited"),
    ("- 0 1 2 finish 0", "next next looped exited"),
    // A jump that no player makes.
    ("start/5 0 3", "unknown exited"),
    ("start/5 3 3", "unknown exited"),
    ("start/9 0 1 2 3 1", "next next next unknown exited"),
    // The same page again in the middle is a jump, too.
    ("start/3 0 1 1", "next unknown exited"),
    // A lost event between the impression and the next, or the end.
    ("start/3 0 - 1", "unknown exited"),
    ("start/3 0 - 2", "unknown exited"),
    ("start/3 0 tap/0 - 1", "unknown exited"),
    ("start/3 0 - dismiss", "unknown"),
    ("start/3 0 - finish", "unknown"),
    ("start/3 0 - tap/0", "unknown"),
    ("start/3 0 1 tap/1 - dismiss", "next unknown"),
    // What is lost at the end cannot be seen.
    ("start/3 0 -", "exited"),
    // A lost event before the impression does not matter.
    ("start/3 - 1 2", "next exited"),
    ("- - 0 1", "next exited"),
    // Other events fill their place.
    ("start/3 0 media 1", "next exited"),
    ("start/3 0 start/3 1", "next exited"),
    ("start/3 fallback 0 1", "next exited"),
    // A tap before any page belongs to no impression.
    ("start/3 tap/0 0", "exited"),
    ("start/2 finish 0 1", "next exited"),
    ("start/3", ""),
  ]

  @Test(arguments: stories)
  func `by the first rule that applies`(_ story: (story: String, departures: String)) {
    let session = judge(story.story)
    let departures = session.impressions.map { "\($0.departure)" }.joined(separator: " ")
    #expect(departures == story.departures, "\(story.story)")
  }
}

@Suite struct `Dwell` {
  @Test(arguments: [
    ("start/2 0@100 1@3100", [3_000]),
    ("start/2 0@100 finish@600", [500]),
    ("start/2 0@100 dismiss@250", [150]),
    // A tap does not end it.
    ("start/2 0@0 tap/0@700 1@900", [900]),
    ("start/2 0@0 tap/0@700", []),
    // The first of several ends counts.
    ("start/1 0@0 finish@500 dismiss@900", [500]),
    ("start/1 0@0 finish@500 0@900 dismiss@1000", [500, 100]),
    ("start/2 0@0 - 1@900", []),
    // Lost only after the end: the dwell stands, the departure does not.
    ("start/2 0@0 finish@500 - 1@900", [500]),
    ("start/2 0@0 start/2@300 1@900", [900]),
    ("start/2 0@500 1@500", [0]),
  ])
  func `runs to the next page, finish or dismissal`(_ story: String, _ milliseconds: [Int64]) {
    #expect(judge(story).impressions.compactMap(\.dwellMicroseconds) == milliseconds.map { $0 * 1_000 })
  }

  @Test func `is not there where the clock was set back`() {
    let session = judge("start/2 0@5000 1@4000 dismiss@6000")
    #expect(session.impressions.map(\.isNegativeDwell) == [true, false])
    #expect(session.impressions.map(\.dwellMicroseconds) == [nil, 2_000_000])
    #expect(session.impressions.map(\.departure) == [.next, .exited])
  }

  @Test(arguments: [
    ("start/2 0~5@0 1@4750", NextCause.auto), ("start/2 0~5@0 1@4749", .tap), ("start/2 0~4.1@0 1@3850", .auto),
    ("start/2[4.1] 0@0 1@3850", .auto), ("start/2[9,1] 0~4@0 1@4000", .auto), ("start/2[?,1] 0@0 1@4000", nil),
    ("start/2[5] 0~0.1@0 1@0", .auto), ("start/2 0@0 1@4000", nil), ("start/2 0~1@5000 1@4000", .tap),
    ("start/2[] 0 start/2[1] 1", nil),
  ])
  func `says whether the timer made a next`(_ story: String, _ cause: NextCause?) {
    #expect(judge(story).impressions.first?.nextCause == cause)
  }
}

@Suite struct `A session` {
  @Test(arguments: [
    ("start/2", true, true), ("0", true, true), ("tap/0", true, true), ("finish", true, true),
    ("fallback", true, false), ("dismiss", true, false), ("media", false, false), ("answer", false, false),
    ("media fallback", true, false), ("", false, false),
  ])
  func `is a presentation or a story session by its events`(_ story: String, _ isShown: Bool, _ isStory: Bool) {
    let session = judge(story)
    #expect(session.isPresentation == isShown)
    #expect(session.isStorySession == isStory)
  }

  @Test(arguments: [
    ("start/2 0 1", true), ("start/2 0", false), ("0 1 2", false), ("start/3 start/2 0 1", false),
    ("start/2 start/9 0 1", true), ("- 0 1 start/2", true), ("start/1 tap/0", false), ("start/2 0 2 3", false),
  ])
  func `has reached the last page of its first start`(_ story: String, _ reached: Bool) {
    #expect(judge(story).hasReachedLast == reached)
  }

  @Test(arguments: [
    ("start/3 0 1 2", [0, 1, 2]), ("start/3 0 2 1", [0, 1]), ("start/3 1 0 2", [0]), ("start/3 1 2", []),
    ("start/3 0 1 0 2", [0, 1, 2]), ("start/4 0 1 3 2", [0, 1, 2]), ("start/3 0 1 tap/2 2", [0, 1, 2]),
    ("start/4 0 2 1 3", [0, 1]), ("start/3 tap/0 1", []), ("start/4 0 1 3", [0, 1]),
    ("start/5 0 2 1 2 3", [0, 1]), ("start/5 1 0 1", [0]),
  ])
  func `strictly reaches pages whose first showings stand in order`(_ story: String, _ pages: [Int]) {
    #expect(judge(story).visits.filter(\.isStrict).map(\.page).sorted() == pages)
  }

  @Test(arguments: [
    ("start/3 0 1", 3, 0), ("start/3 - 1", 3, 1), ("- - 0", 3, 2), ("- tap/0 - media", 4, 2), ("start/3 0 -", 2, 0),
  ])
  func `misses what lies below its highest seq`(_ story: String, _ expected: Int, _ missing: Int) {
    let session = judge(story)
    #expect(session.expectedEvents == expected)
    #expect(session.missingEvents == missing)
  }

  @Test(arguments: [("start/5", 5), ("start/2 0 7", 8), ("start/1 tap/3", 4), ("0", 1), ("finish", 0)])
  func `spans the pages that it shows, taps or counts`(_ story: String, _ span: Int) {
    #expect(judge(story).pageSpan == span)
  }

  @Test func `is put in the order of seq before it is judged`() {
    let events = WorldEvent.parse("start/3 0 1 2 finish").map(\.stored)
    var judge = SessionJudge()
    judge.judge(SessionHistory(events.reversed()))
    #expect(judge.session.impressions.map(\.departure) == [.next, .next, .finished])
  }

  @Test func `leaves nothing behind for the next one`() {
    var judge = SessionJudge()
    judge.judge(SessionHistory(WorldEvent.parse("start/9 0 1 2 3 tap/4 finish").map(\.stored)))
    judge.judge(SessionHistory(WorldEvent.parse("fallback").map(\.stored)))
    #expect(judge.session.visits.isEmpty && judge.session.impressions.isEmpty)
    #expect(judge.session.pageCount == nil && judge.session.pageSpan == 0)
    judge.judge(SessionHistory(WorldEvent.parse("start/2 1").map(\.stored)))
    #expect(judge.session.visits.map(\.page) == [1])
    #expect(judge.session.visits.allSatisfy { !$0.isStrict })
  }

  @Test func `takes no new memory for the next one`() {
    let history = SessionHistory(WorldEvent.parse("start/9 0 1 2 3 tap/4 finish").map(\.stored))
    var judge = SessionJudge()
    func places() -> [UnsafeRawPointer?] {
      [
        judge.session.impressions.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) },
        judge.session.visits.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) },
      ]
    }
    judge.judge(history)
    let first = places()
    for _ in 0..<3 {
      judge.judge(history)
      #expect(places() == first)
    }
  }

  @Test(arguments: [("start/2 0 tap/1 tap/1 tap/0", 2, 0), ("start/3 0@9000 1@5000 2@6000", 0, 1), ("tap/0", 1, 0)])
  func `counts orphan taps and dwells before their beginning`(_ story: String, _ orphans: Int, _ negative: Int) {
    let session = judge(story)
    #expect(session.orphanTaps == orphans)
    #expect(session.negativeDwells == negative)
  }

  @Test func `of a type of the future still fills its seq`() {
    let events = [
      StoredEvent(seq: 0, type: .pageShown, number: 0, atMicroseconds: 0),
      StoredEvent(seq: 1, type: nil, number: 0, atMicroseconds: 5),
      StoredEvent(seq: 2, type: .pageShown, number: 1, atMicroseconds: 9),
    ]
    var judge = SessionJudge()
    judge.judge(SessionHistory(events))
    #expect(judge.session.impressions.map(\.departure) == [.next, .exited])
  }
}
