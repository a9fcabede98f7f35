import FunnelDocument
import StoryEvents
import Testing

@testable import Simulation

/// What the truth makes of single presentations (rich-media §1), written out by hand.
@Suite struct RichMediaTallyTests {
  /// Letters are events one second apart: `d`eferred, `p`resented, `c`losed, `f`ailed; `.` a lost one, `<` a second back.
  private func tally(_ histories: [String], timer: Double? = nil) -> RichMediaCounts {
    var tally = RichMediaTally()
    for history in histories {
      var events: [SimulatedEvent] = []
      var (seq, at) = (0, Int64(0))
      for letter in history {
        let types: [Character: EventType] = [
          "d": .richMediaDeferred, "p": .richMediaPresented, "c": .richMediaClosed, "f": .richMediaFailed,
        ]
        at += letter == "<" ? -2_000_000 : 1_000_000
        if let type = types[letter] {
          events.append(SimulatedEvent(type: type, seq: seq, atMicroseconds: at, contentCode: "a"))
        }
        if letter != "<" { seq += 1 }
      }
      // Backwards, and the first one twice: neither may matter.
      tally.count(
        SessionEvents(events.reversed() + events.prefix(1)), timerMicroseconds: timer.map { Int64($0 * 1_000_000) })
    }
    return tally.counts
  }

  @Test(arguments: [
    ("pc", "closed"), ("dpc", "closed"), ("pcc", "closed"), ("c", "closed"), ("f", "failed"), ("cf", "failed"),
    ("fc", "failed"), ("dpcf", "failed"), ("p", "open"), ("dp", "open"), ("d", "waiting"), ("dd", "waiting"),
    ("..c", "closed"),
  ]) func `each presentation ends once`(history: String, end: String) {
    let counts = tally([history])
    let ends = [
      "closed": counts.closed, "failed": counts.failed, "open": counts.openOrLost, "waiting": counts.waitingOrLost,
    ]
    #expect(ends.filter { $0.value > 0 } == [end: 1])
    #expect(counts.presentations == 1)
    #expect(counts.conservationFaults() == [])
  }

  @Test func `lengths count where nothing is missing and time does not go back`() {
    #expect(tally(["dpc", "d.pc", "dp.c", "d<pc"]).wait.count == 2)
    #expect(tally(["dpc", "d.pc", "dp.c", "dp<c", "cp"]).open.count == 2)
    #expect(tally(["dddpc"]).wait.medianMilliseconds == 3_000)
    #expect(
      tally(["ppc", "pcc"]).open
        == DwellSummary(
          count: 2, medianMilliseconds: 1_000, ninetiethPercentileMilliseconds: 2_000))
    #expect(tally(["d.pc"]).missingEvents == 1)
    #expect(tally(["d.pc"]).expectedEvents == 4)
  }

  @Test func `the timer has closed what was open for as long, less a quarter of a second`() {
    let split: ([String], Double?) -> [Int?] = { histories, timer in
      let counts = tally(histories, timer: timer)
      return [counts.closedByTimer, counts.closedBeforeTimer]
    }
    #expect(split(["pc"], 1) == [1, 0])
    #expect(split(["pc"], 1.25) == [1, 0])
    #expect(split(["pc"], 1.26) == [0, 1])
    #expect(split(["pc", "ppc"], 2) == [1, 1])
    #expect(split(["pc"], nil) == [nil, nil])
    #expect(split(["p.c", "p", "fpc", "c"], 1) == [nil, nil])
  }
}
