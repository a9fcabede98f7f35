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
    report.total = FunnelCounts(presentations: 2, sessions: 2)
    report.groups = [
      FunnelGroup(name: "4.2.0", counts: FunnelCounts(presentations: 1, sessions: 2)),
      FunnelGroup(name: "(none)", counts: FunnelCounts(presentations: 1)),
    ]
    #expect(
      report.conservationFaults() == ["group 4.2.0: sessions (2) not within 0 and presentations (1)"])
  }

  @Test(arguments: Spoiling.all) func `groups that do not add up to the total are a fault`(spoiling: Spoiling) {
    var report = exampleReport()
    report.groups = [
      FunnelGroup(name: "4.2.0", counts: exampleCounts()), FunnelGroup(name: "a", counts: FunnelCounts()),
    ]
    report.groups?[0].counts.completeness.rejectedEvents = [:]
    #expect(report.conservationFaults() == [])
    spoiling.spoil(&report.total)
    #expect(report.total.sumFaults([exampleCounts()], of: "groups") != [])
  }

  @Test func `devices that cannot be are a fault`() {
    func faults(_ distinct: Int, _ presentations: Int, _ groups: [(Int, Int)]) -> [String] {
      var report = exampleReport()
      report.devices = DeviceCounts(distinct: distinct, presentationsWithDevice: presentations)
      report.groups = groups.enumerated().map { place, devices in
        FunnelGroup(
          name: "\(place)", counts: place == 0 ? exampleCounts() : FunnelCounts(),
          devices: DeviceCounts(distinct: devices.0, presentationsWithDevice: devices.1))
      }
      return report.conservationFaults()
    }
    #expect(faults(3, 5, [(3, 5), (0, 0)]) == [])
    #expect(faults(3, 5, [(2, 5), (0, 0)]).count == 1)
    #expect(faults(3, 5, [(3, 4), (0, 0)]).count == 1)
    #expect(faults(5, 3, [(5, 3), (0, 0)]).count >= 1)
    #expect(faults(3, 1_000, [(3, 1_000), (0, 0)]).count >= 1)
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
