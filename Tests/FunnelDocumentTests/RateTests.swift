import FunnelDocument
import Testing

@Suite struct RateTests {
  @Test(arguments: [
    (160, 400, 0.3532, 0.4487), (210, 400, 0.4761, 0.5735), (40, 400, 0.0743, 0.1333), (400, 400, 0.9905, 1.0),
    (298, 400, 0.7001, 0.7852), (24, 400, 0.0406, 0.0877),
  ])
  func `Wilson intervals agree with the documented example to four decimals`(
    numerator: Int, denominator: Int, lower: Double, upper: Double
  ) throws {
    let interval = try #require(Rate(numerator, of: denominator).wilsonInterval)
    #expect(abs(interval.lower - lower) < 0.00005)
    #expect(abs(interval.upper - upper) < 0.00005)
  }

  @Test func `nothing out of something is zero with a bound above`() throws {
    let rate = Rate(0, of: 10)
    #expect(rate.value == 0)
    let interval = try #require(rate.wilsonInterval)
    #expect(interval.lower == 0)
    #expect(abs(interval.upper - 0.2775) < 0.00005)
  }

  @Test func `a rate of nothing is nil, not zero and not NaN`() {
    #expect(Rate(0, of: 0).value == nil)
    #expect(Rate(0, of: 0).wilsonInterval == nil)
  }

  @Test func `a step rate above one has no interval`() {
    #expect(Rate(3, of: 2).value == 1.5)
    #expect(Rate(3, of: 2).wilsonInterval == nil)
  }

  @Test func `bounds stay within zero and one`() throws {
    for denominator in 1...60 {
      for numerator in 0...denominator {
        let interval = try #require(Rate(numerator, of: denominator).wilsonInterval)
        let value = Double(numerator) / Double(denominator)
        #expect(0 <= interval.lower && interval.lower <= value)
        #expect(value <= interval.upper && interval.upper <= 1)
      }
    }
  }

  @Test func `few presentations hide every rate but no count`() {
    let rates = exampleReport(minimumCount: 413).rates
    #expect(rates.areHidden)
    #expect(rates.completion.value == nil)
    #expect(rates.completion.numerator == 160)
    #expect(rates.pages.allSatisfy { $0.reach.value == nil && $0.exit.wilsonInterval == nil })
    #expect(exampleReport(minimumCount: 412).rates.completion.value == 0.4)
  }

  @Test func `strict order changes reach and step alone`() {
    let reached = FunnelRates(exampleCounts())
    let strict = FunnelRates(exampleCounts(), order: .strict)
    #expect(reached.pages[1].reach == Rate(210, of: 400))
    #expect(strict.pages[1].reach == Rate(208, of: 400))
    #expect(strict.pages[1].step == Rate(208, of: 400))
    #expect(strict.pages[1].completion == reached.pages[1].completion)
    #expect(strict.pages[1].exit == reached.pages[1].exit)
    #expect(strict.reachedLast == reached.reachedLast)
  }
}
