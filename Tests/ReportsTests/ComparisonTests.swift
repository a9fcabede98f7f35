import FunnelDocument
import Testing

@testable import Reports

@Suite struct `What a comparison concludes` {
  private typealias Example = ComparisonExample

  @Test func `one adjustment is made over all p-values of the report`() throws {
    let comparison = Example.usual()
    let all = comparison.allRates
    #expect(all.count == 4 + 4 * 4)
    #expect(
      comparison.rates.map(\.name.rawValue) == ["completion_rate", "reached_last_rate", "tap_rate", "fallback_rate"])
    #expect(comparison.pages.map(\.index) == [0, 1, 2, 3])
    let adjusted = HolmAdjustment.adjusted(all.map(\.comparison.pValue))
    #expect(all.map(\.adjustedPValue) == adjusted)
    #expect(comparison.testCount == all.count { $0.comparison.pValue != nil })
    // Nobody missed page 0, and page 3 is of one side alone.
    #expect(comparison.pages[0].rates[0].comparison.pValue == nil)
    #expect(comparison.pages[3].rates.allSatisfy { $0.comparison.difference == nil })
    #expect(comparison.pages[3].isOfOneSide && !comparison.pages[2].isOfOneSide)
  }

  @Test func `differences that hold are told, those that do not are not`() throws {
    let comparison = Example.usual()
    let text = comparison.conclusions.joined(separator: "\n")
    let held = comparison.allRates.filter { comparison.holds($0) }
    #expect(!held.isEmpty && held.count < comparison.testCount)
    #expect(text.contains("Page 1, reach rate: B is higher, 87.3% against 74.5% (+12.8 points"))
    #expect(!text.contains("Completion rate: B is"))
    #expect(text.contains("Completion: too few sessions to tell +5.0 points apart from chance."))
    #expect(text.contains("each side needs about 1,519; A has 400, B 402."))
  }

  @Test func `nothing is claimed where nothing holds`() {
    let same = Comparison(
      a: Example.side("a", sessions: [400, 300], finished: 200),
      b: Example.side("b", sessions: [400, 300], finished: 200))
    #expect(same.conclusions[0].hasPrefix("No difference can be told apart from chance ("))
    #expect(same.conclusions[0].hasSuffix("That does not show that the sides are alike."))
    let single = Comparison(
      a: Example.side("a", sessions: [400, 400], finished: 182),
      b: Example.side("b", sessions: [400, 400], finished: 211))
    #expect(single.conclusions[0].contains("p-value"), "\(single.conclusions)")
    let still = Comparison(
      a: Example.side("a", sessions: [3], finished: 3), b: Example.side("b", sessions: [4], finished: 4))
    #expect(still.conclusions[0].hasPrefix("No rate differs"))
  }

  @Test func `sessions on both sides make the tests void`() {
    let a = Example.side("a", sessions: [400, 300], finished: 200)
    let b = Example.side("b", sessions: [400, 100], finished: 50)
    let shared = Comparison(a: a, b: b, presentationsInBoth: 1)
    #expect(shared.conclusions[0].hasPrefix("1 presentation is on both sides."))
    #expect(!shared.conclusions.joined().contains("larger than chance"))
    #expect(!shared.allRates.contains { shared.holds($0) })
    #expect(!ComparisonFormat.table.render(shared).contains("0.001*"))
    #expect(
      Comparison(a: a, b: b, presentationsInBoth: 1_234).conclusions[0].hasPrefix("1,234 presentations are on both"))
    #expect(
      Comparison(a: a, b: a, presentationsInBoth: 400).conclusions[0].hasPrefix("Both sides are the same sessions"))
  }

  @Test func `an empty side is said, and compared with nothing`() {
    let full = Example.side("a", sessions: [400, 300], finished: 200)
    let empty = Example.side("b", sessions: [], finished: 0)
    #expect(
      Comparison(a: full, b: empty).conclusions == ["Side B has no presentation, so there is nothing to compare with."])
    #expect(
      Comparison(a: empty, b: full).conclusions == ["Side A has no presentation, so there is nothing to compare with."])
    #expect(Example.empty().conclusions.count == 1)
    #expect(Comparison(a: full, b: empty).allRates.allSatisfy { $0.comparison.difference == nil })
  }

  @Test func `a side below the minimum count hides every rate and every difference`() {
    let hidden = Example.side("a", sessions: [9, 3], finished: 2, minimumCount: 10)
    let comparison = Comparison(a: hidden, b: Example.side("b", sessions: [400, 300], finished: 200, minimumCount: 10))
    #expect(comparison.conclusions[0].hasPrefix("Side A has fewer than 10 presentations"))
    #expect(comparison.allRates.allSatisfy { $0.comparison.difference == nil && $0.comparison.a.value == nil })
    #expect(comparison.testCount == 0)
  }

  @Test func `pages that are not the same pages are named`() {
    func conclusions(_ titles: [String?], links: [Int: String] = [:], sessions: [Int] = [400, 300, 200]) -> String {
      Comparison(
        a: Example.side("a", sessions: [400, 300, 200], finished: 100, links: [1: "shop://a"]),
        b: Example.side("b", sessions: sessions, finished: 100, titles: titles, links: links)
      ).conclusions.joined(separator: "\n")
    }
    #expect(!conclusions(["Welcome", "Sale", "Shop"]).contains("not the same"))
    #expect(!conclusions(["Welcome", nil, nil]).contains("not the same"))
    #expect(conclusions(["Welcome", "Other", "Shop"]).contains("Page 1 is not the same on both sides"))
    #expect(conclusions(["Welcome", "Sale", "Shop"], links: [1: "shop://b"]).contains("Page 1 is not the same"))
    #expect(conclusions(["A", "Sale", "C"]).contains("Pages 0 and 2 are not the same"))
    #expect(conclusions(["A", "B", "C"]).contains("Pages 0 to 2 are not the same"))
    #expect(
      conclusions(["Welcome", "Sale", "Shop"], sessions: [400, 300]).contains("Side A has 3 pages, side B 2: page 2 is")
    )
  }

  @Test func `pages that changed within a side's time are named`() {
    var side = Example.side("b", sessions: [400, 300], finished: 200)
    side.funnel.pageChanges = [1, 0, 1].map {
      PageChange(
        index: $0, changedAt: "2026-11-02T00:00:00Z", fields: [.init(name: "title", before: "\u{1B}[2J", after: nil)])
    }
    let sentences = Comparison(a: Example.side("a", sessions: [400, 300], finished: 200), b: side).conclusions
    #expect(sentences.contains { $0.hasPrefix("Pages 0 and 1 are not the same all through the time of side B") })
    #expect(!sentences.joined().contains("side A"))
  }

  @Test func `loss that differs between the sides is said`() {
    func conclusions(_ missing: Int, withoutStart: Int = 0) -> String {
      Comparison(
        a: Example.side(
          "a", sessions: [400], finished: 100, completeness: Completeness(expectedEvents: 1_000, missingEvents: 10)),
        b: Example.side(
          "b", sessions: [400], finished: 100,
          completeness: Completeness(
            expectedEvents: 1_000, missingEvents: missing, sessionsWithoutStart: withoutStart))
      ).conclusions.joined(separator: "\n")
    }
    #expect(!conclusions(10).contains("lost") && !conclusions(14).contains("lost"))
    #expect(conclusions(50).contains("Side A lost 1.0% of its events, side B 5.0%"))
    #expect(conclusions(10, withoutStart: 40).contains("0.0% of side A, 10.0% of side B"))
  }

  @Test func `few sessions make a rough test, which is said`() {
    let comparison = Comparison(
      a: Example.side("a", sessions: [9, 9], finished: 0), b: Example.side("b", sessions: [9, 9], finished: 5))
    #expect(comparison.conclusions.contains { $0.hasPrefix("Too few sessions for a good test of completion rate") })
  }

  @Test func `exchanging the sides turns every difference and nothing else`() {
    let comparison = Example.usual()
    let exchanged = Comparison(a: comparison.b, b: comparison.a)
    for (forward, backward) in zip(comparison.allRates, exchanged.allRates) {
      #expect(forward.comparison.difference == backward.comparison.difference.map { -$0 })
      #expect(forward.adjustedPValue == backward.adjustedPValue)
    }
  }

  @Test func `strict order is that of the reach rates`() {
    var a = Example.side("a", sessions: [400, 300], finished: 200)
    a.funnel.report.scope.order = .strict
    a.funnel.report.total.pages[1].strictSessions = 290
    let comparison = Comparison(a: a, b: a)
    #expect(comparison.pages[1].rates[0].comparison.a == Rate(290, of: 400))
    #expect(comparison.pages[1].rates[1].comparison.a == Rate(200, of: 300))
    #expect(a.scopeText.contains("strict order"))
  }
}
