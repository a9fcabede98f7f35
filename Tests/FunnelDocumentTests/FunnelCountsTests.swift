import FunnelDocument
import Testing

@Suite struct FunnelCountsTests {
  @Test func `sound counts have no faults`() {
    #expect(exampleReport().conservationFaults() == [])
    #expect(FunnelCounts().conservationFaults() == [])
  }

  @Test func `an impression without a departure is a fault`() {
    var counts = exampleCounts()
    counts.pages[0].departures.exited -= 1
    #expect(counts.conservationFaults() == ["page 0: 430 impressions, but 429 departures"])
  }

  @Test(arguments: Spoiling.all) func `what cannot be is named`(spoiling: Spoiling) {
    var counts = exampleCounts()
    spoiling.spoil(&counts)
    #expect(counts.conservationFaults().contains { $0.contains(spoiling.word) })
  }

  @Test func `a fault in a group names the group`() {
    var report = exampleReport()
    report.groups = [FunnelGroup(name: "4.2.0", counts: FunnelCounts(presentations: 1, sessions: 2))]
    #expect(
      report.conservationFaults() == ["group 4.2.0: sessions (2) not within 0 and presentations (1)"])
  }

  @Test func `counts add up, and what cannot be added becomes nil`() {
    let sum = exampleCounts() + exampleCounts()
    #expect(sum.sessions == 800)
    #expect(sum.pages.count == 2)
    #expect(sum.pages[0].departures.nextAuto == 360)
    #expect(sum.pages[1].departures.nextAuto == nil)
    #expect(sum.pages[0].dwell == DwellSummary(count: 640))
    #expect(sum.completeness.rejectedEvents == ["invalid_text": 4])
    #expect(sum.conservationFaults() == [])
  }

  @Test func `nothing added changes nothing, from either side`() {
    #expect(exampleCounts() + FunnelCounts() == exampleCounts())
    #expect(FunnelCounts() + exampleCounts() == exampleCounts())
  }
}

/// A way to make sound counts unsound, and a word that the fault must name.
struct Spoiling: Sendable, CustomTestStringConvertible {
  let word: String
  let spoil: @Sendable (inout FunnelCounts) -> Void

  var testDescription: String { word }

  static let all = [
    Spoiling(word: "next_auto") { $0.pages[0].departures.nextAuto = 200 },
    Spoiling(word: "split of next") { $0.pages[0].departures.nextTap = nil },
    Spoiling(word: "tapped sessions") { $0.pages[0].tappedSessions = 26 },
    Spoiling(word: "finished sessions") { $0.finishedSessions = 401 },
    Spoiling(word: "missing events") { $0.completeness.missingEvents = 2101 },
    Spoiling(word: "numbered") { $0.pages[1].index = 2 },
    Spoiling(word: "fallbacks") { $0.fallbacks = -1 },
    Spoiling(word: "dwells") { $0.pages[0].dwell.count = 431 },
  ]
}
