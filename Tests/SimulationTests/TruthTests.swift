import FunnelDocument
import Simulation
import StoryEvents
import Testing

/// The definitions of metrics.md that the shared cases leave open.
@Suite struct TruthTests {
  /// Counts sessions written as words: `s3` start of 3 pages, `p0` shows page 0, `t0` taps on it, `f` finish, `d`
  /// dismissal, `b` fallback, `-` a lost event; one second between words.
  private func count(_ sessions: String..., durations: [Int64?]? = nil, seconds: [Double]? = nil) -> FunnelCounts {
    var truth = TruthCounter(storyCount: 1)
    for session in sessions {
      var events: [SimulatedEvent] = []
      for (seq, word) in session.split(separator: " ").enumerated() {
        let number = Int(word.dropFirst())
        let at = Int64((seconds?[seq] ?? Double(seq)) * 1_000_000)
        switch word.first {
        case "s":
          events.append(
            SimulatedEvent(
              type: .start, seq: seq, atMicroseconds: at, pageCount: number, pageDurationsMicroseconds: durations))
        case "p": events.append(SimulatedEvent(type: .pageShown, seq: seq, atMicroseconds: at, pageIndex: number))
        case "t": events.append(SimulatedEvent(type: .actionTap, seq: seq, atMicroseconds: at, pageIndex: number))
        case "f": events.append(SimulatedEvent(type: .finish, seq: seq, atMicroseconds: at))
        case "d": events.append(SimulatedEvent(type: .dismiss, seq: seq, atMicroseconds: at))
        case "b": events.append(SimulatedEvent(type: .fallback, seq: seq, atMicroseconds: at))
        case "-": break
        default: Issue.record("no such word: \(word)")
        }
      }
      truth.count(events, storyIndex: 0)
    }
    let counts = truth.total()
    #expect(counts.conservationFaults() == [])
    return counts
  }

  private func departures(_ session: String) -> [Departures] { count(session).pages.map(\.departures) }

  @Test(arguments: [
    ("s2 p0 p1 p0", 1, Departures(back: 1)), ("s2 p0 p1 f p0", 1, Departures(back: 1)),
    ("s1 p0 f p0", 0, Departures(looped: 1, exited: 1)), ("s1 p0 p0", 0, Departures(back: 1, exited: 1)),
    ("s3 p0 p1 p2 p0", 2, Departures(looped: 1)), ("s3 p0 p1 p2 f p0", 2, Departures(looped: 1)),
    ("p0 p1 p2 p0", 2, Departures(unknown: 1)), ("p0 p1 p2 f p0", 2, Departures(looped: 1)),
    ("s5 p0 p3", 0, Departures(unknown: 1)), ("s5 p3 p1 p4", 1, Departures(unknown: 1)),
    ("s2 p1 f t1", 1, Departures(finished: 1)), ("s2 p1 t1 d", 1, Departures(tappedOut: 1)),
    ("s2 p1 d", 1, Departures(exited: 1)), ("s2 p1 b", 1, Departures(exited: 1)),
    ("s2 p1 - d", 1, Departures(unknown: 1)), ("s2 p1 - f", 1, Departures(unknown: 1)),
    ("s2 p1 f - ", 1, Departures(finished: 1)), ("s2 p0 t0 p1", 0, Departures(next: 1)),
    ("s2 p0 - p1 f", 1, Departures(finished: 1)), ("s2 p1 p1", 1, Departures(exited: 1, unknown: 1)),
    ("s2 p0 f p0", 0, Departures(looped: 1, exited: 1)),
  ]) func `a departure is what the table's first row says`(session: String, page: Int, expected: Departures) {
    let found = departures(session)[page]
    #expect(found == expected)
  }

  @Test func `a presentation with only a dismissal is neither a session nor a fallback`() {
    let counts = count("d")
    #expect(counts.presentations == 1 && counts.sessions == 0 && counts.fallbacks == 0)
  }

  @Test func `rich media is no presentation`() {
    var truth = TruthCounter(storyCount: 1)
    truth.count([SimulatedEvent(type: .richMediaPresented, seq: 0, atMicroseconds: 0)], storyIndex: 0)
    #expect(truth.total() == FunnelCounts())
  }

  @Test func `the first start by seq says how many pages there are`() {
    let counts = count("s2 p0 p1 s5")
    #expect(counts.pages.count == 2)
    #expect(counts.reachedLastSessions == 1)
  }

  @Test func `without a start nobody reaches the last page`() {
    let counts = count("p0 p1 f")
    #expect(counts.reachedLastSessions == 0 && counts.finishedSessions == 1)
    #expect(counts.completeness.sessionsWithoutStart == 1)
  }

  @Test func `strict reach wants first showings in their order`() {
    let counts = count("s3 p0 p1 p2", "s3 p0 p2 p1", "s3 p1 p0 p2", "s3 p1 p2")
    #expect(counts.pages.map(\.sessions) == [3, 4, 4])
    #expect(counts.pages.map(\.strictSessions) == [3, 2, 1])
  }

  @Test func `a tap on a page that was never shown is an orphan`() {
    let counts = count("s3 p0 t0 t0 t2")
    #expect(counts.pages.map(\.taps) == [2, 0, 1])
    #expect(counts.pages.map(\.tappedSessions) == [1, 0, 0])
    #expect(counts.completeness.orphanTaps == 1)
    #expect(counts.tappedSessions == 1)
  }

  @Test func `pages reach to the largest index that is shown, tapped or implied`() {
    #expect(count("p4").pages.count == 5)
    #expect(count("t6").pages.count == 7)
    #expect(count("s9").pages.count == 9)
    #expect(count("b").pages.count == 0)
  }

  @Test func `a page counts as completed once a session`() {
    let counts = count("s3 p0 p1 p0 p1 p2 f", "s3 p0 d")
    #expect(counts.pages.map(\.completedSessions) == [1, 1, 1])
    #expect(counts.pages.map(\.replays) == [1, 1, 0])
  }

  @Test func `dwell goes to the next showing, finish or dismissal, over no gap`() {
    let counts = count("s2 p0 t0 p1 d", "s2 p0 - p1 f", "s2 p0 t0")
    #expect(
      counts.pages[0].dwell == DwellSummary(count: 1, medianMilliseconds: 2_000, ninetiethPercentileMilliseconds: 2_000)
    )
    #expect(counts.pages[1].dwell.count == 2)
  }

  @Test func `a dwell that runs backwards is counted, not used`() {
    let counts = count("s2 p0 p1 f", seconds: [0, 5, 3, 4])
    #expect(counts.completeness.negativeDwells == 1)
    #expect(counts.pages[0].dwell.count == 0)
    #expect(counts.pages[1].dwell.count == 1)
  }

  @Test func `quantiles are of the nearest rank`() {
    let sessions = (1...10).map { length in
      [
        SimulatedEvent(type: .pageShown, seq: 0, atMicroseconds: 0, pageIndex: 0),
        SimulatedEvent(type: .dismiss, seq: 1, atMicroseconds: Int64(length) * 1_000),
      ]
    }
    var truth = TruthCounter(storyCount: 1)
    for session in sessions.reversed() { truth.count(session, storyIndex: 0) }
    #expect(
      truth.total().pages[0].dwell
        == DwellSummary(count: 10, medianMilliseconds: 5, ninetiethPercentileMilliseconds: 9))
  }

  @Test func `next is split by the duration, less a quarter second`() {
    let durations: [Int64?] = [2_000_000, nil]
    #expect(count("s3 p0 p1 p2", durations: durations, seconds: [0, 0, 1.75, 9]).pages[0].departures.nextAuto == 1)
    let early = count("s3 p0 p1 p2", durations: durations, seconds: [0, 0, 1.749999, 9]).pages
    #expect(early[0].departures == Departures(next: 1, nextAuto: 0, nextTap: 1))
    #expect(early[1].departures == Departures(next: 1))
    #expect(count("s3 p0 p1", durations: durations, seconds: [0, 5, 3]).pages[0].departures.nextTap == 1)
  }

  @Test func `an impression's own duration comes before the start's`() {
    var truth = TruthCounter(storyCount: 1)
    truth.count(
      [
        SimulatedEvent(
          type: .start, seq: 0, atMicroseconds: 0, pageCount: 2, pageDurationsMicroseconds: [9_000_000, nil]),
        SimulatedEvent(type: .pageShown, seq: 1, atMicroseconds: 0, pageIndex: 0, durationMicroseconds: 1_000_000),
        SimulatedEvent(type: .pageShown, seq: 2, atMicroseconds: 1_000_000, pageIndex: 1),
      ], storyIndex: 0)
    #expect(truth.total().pages[0].departures.nextAuto == 1)
  }

  @Test func `missing events are those below the highest, of story sessions alone`() {
    let counts = count("s2 - p0 - -", "- - b", "- p0")
    #expect(counts.completeness.expectedEvents == 5)
    #expect(counts.completeness.missingEvents == 2)
  }

  @Test func `stories add up to the total, and its quantiles are those of all`() {
    var truth = TruthCounter(storyCount: 2)
    for (story, length) in [(0, 1), (0, 2), (1, 30)] {
      truth.count(
        [
          SimulatedEvent(type: .pageShown, seq: 0, atMicroseconds: 0, pageIndex: story),
          SimulatedEvent(type: .dismiss, seq: 1, atMicroseconds: Int64(length) * 1_000),
        ], storyIndex: story)
    }
    #expect(truth.total().sessions == 3)
    #expect(truth.total().pages.map(\.impressions) == [2, 1])
    #expect(truth.total().pages[1].dwell.medianMilliseconds == 30)
    #expect(truth.counts(storyIndex: 0).pages.count == 1)
  }

  @Test(
    arguments: [
      (0, 0, false), (3_600_000_000, 0, false), (3_601_000_000, 0, true), (-400 * 86_400_000_000, 0, false),
      (-401 * 86_400_000_000, 0, true), (3_000_000_000_000, 3_000_000_000_000, false), (0, 200_000_000, false),
    ] as [(Int64, Int64, Bool)]) func `a clock is suspect where the corrected start lies far from the arrival`(
      startAhead: Int64, sentAhead: Int64, isSuspect: Bool
    ) throws
  {
    var session = try World(exampleWorld(sessions: 1)).session(0)
    session.receivedAtMicroseconds = endOfNovember
    session.sentAtMicroseconds = endOfNovember + sentAhead
    session.id = SessionID(
      millisecondsSince1970: UInt64((endOfNovember + startAhead) / 1_000), randomHigh: 0, randomLow: 0)
    #expect(session.hasSuspectClock == isSuspect)
  }
}
