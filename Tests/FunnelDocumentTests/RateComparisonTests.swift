import Foundation
import FunnelDocument
import Testing

/// A comparison, from the numerators and denominators of A and B.
private func comparison(_ a: (Int, Int), _ b: (Int, Int)) -> RateComparison {
  RateComparison(a: Rate(a.0, of: a.1), b: Rate(b.0, of: b.1))
}

@Suite struct `The difference of two rates` {
  /// Newcombe 1998, table II, method 10; his difference is of the first group minus the second.
  @Test(arguments: [
    (56, 70, 48, 80, 0.0524, 0.3339), (9, 10, 3, 10, 0.1705, 0.8090), (6, 7, 2, 7, 0.0582, 0.8062),
    (5, 56, 0, 29, -0.0381, 0.1926), (0, 10, 0, 20, -0.1611, 0.2775), (0, 10, 0, 10, -0.2775, 0.2775),
    (10, 10, 0, 20, 0.6791, 1.0000), (10, 10, 0, 10, 0.6075, 1.0000),
  ])
  func `has the published interval`(
    first: Int, ofFirst: Int, second: Int, ofSecond: Int, lower: Double, upper: Double
  ) throws {
    let interval = try #require(comparison((second, ofSecond), (first, ofFirst)).differenceInterval)
    #expect(abs(interval.lower - lower) < 0.00005, "\(interval)")
    #expect(abs(interval.upper - upper) < 0.00005, "\(interval)")
  }

  @Test func `is B minus A`() throws {
    #expect(try #require(comparison((1, 4), (3, 4)).difference) == 0.5)
    #expect(try #require(comparison((3, 4), (1, 4)).difference) == -0.5)
  }

  @Test func `turns its sign where the sides are exchanged, and nothing else`() throws {
    for (first, second) in pairs {
      let forward = comparison(first, second)
      let backward = comparison(second, first)
      #expect(forward.difference == backward.difference.map { -$0 })
      #expect(forward.differenceInterval?.lower == backward.differenceInterval.map { -$0.upper })
      #expect(forward.differenceInterval?.upper == backward.differenceInterval.map { -$0.lower })
      #expect(forward.pValue == backward.pValue)
      #expect(forward.sessionsNeededPerSide == backward.sessionsNeededPerSide)
      #expect(forward.smallestExpectedCount == backward.smallestExpectedCount)
    }
  }

  @Test func `lies within its interval, and that within what is possible`() throws {
    for (first, second) in pairs {
      let compared = comparison(first, second)
      let difference = try #require(compared.difference)
      let interval = try #require(compared.differenceInterval)
      #expect(-1 <= interval.lower && interval.lower <= difference, "\(compared)")
      #expect(difference <= interval.upper && interval.upper <= 1, "\(compared)")
      if let value = compared.pValue { #expect(value >= 0 && value <= 1, "\(compared)") }
      if let needed = compared.sessionsNeededPerSide { #expect(needed >= 1) }
    }
  }

  @Test(arguments: [
    ((0, 0), (0, 0)), ((0, 0), (1, 2)), ((1, 2), (0, 0)),
  ])
  func `is none where a side has nothing`(a: (Int, Int), b: (Int, Int)) {
    expectNothing(comparison(a, b))
  }

  @Test func `is none where a side is hidden`() {
    let hidden = Rate(1, of: 2, isHidden: true)
    expectNothing(RateComparison(a: hidden, b: Rate(1, of: 2)))
    expectNothing(RateComparison(a: Rate(1, of: 2), b: hidden))
  }

  @Test func `has neither interval nor test where a rate is no proportion`() {
    let compared = comparison((3, 2), (1, 2))
    #expect(compared.difference == -1)
    #expect(compared.differenceInterval == nil && compared.pValue == nil && compared.sessionsNeededPerSide == nil)
    let negative = comparison((-1, 2), (1, 2))
    #expect(negative.differenceInterval == nil && negative.pValue == nil)
  }

  private func expectNothing(_ compared: RateComparison) {
    #expect(compared.difference == nil && compared.differenceInterval == nil && compared.pValue == nil)
    #expect(compared.smallestExpectedCount == nil && compared.sessionsNeededPerSide == nil)
  }
}

@Suite struct `The p-value of two rates` {
  /// Of the same test, by the other way to write it: the four-fold table's chi-square, and the normal density added up.
  @Test(arguments: [
    (48, 80, 56, 70), (3, 10, 9, 10), (160, 400, 180, 400), (1, 2, 2, 3), (0, 29, 5, 56), (1, 1000, 2, 1000),
    (500, 1000, 501, 1000), (999, 1000, 1000, 1000), (1, 1, 0, 1), (10, 10, 0, 10),
  ])
  func `is that of the four-fold table`(a: Int, ofA: Int, b: Int, ofB: Int) throws {
    let table = (Double(a), Double(ofA - a), Double(b), Double(ofB - b))
    let total = table.0 + table.1 + table.2 + table.3
    let cross = table.0 * table.3 - table.1 * table.2
    let chiSquare =
      total * cross * cross
      / ((table.0 + table.1) * (table.2 + table.3) * (table.0 + table.2) * (table.1 + table.3))
    let value = try #require(comparison((a, ofA), (b, ofB)).pValue)
    #expect(abs(value - 2 * upperTail(chiSquare.squareRoot())) < 1e-9)
  }

  @Test func `is the one that textbooks give`() throws {
    // z = 0.2 ÷ √(104/150 · 46/150 · (1/80 + 1/70)) = 2.6502.
    #expect(abs(try #require(comparison((48, 80), (56, 70)).pValue) - 0.00805) < 0.00001)
    #expect(try #require(comparison((40, 400), (40, 400)).pValue) == 1)
  }

  @Test(arguments: [((0, 10), (0, 20)), ((10, 10), (20, 20)), ((0, 1), (0, 1)), ((1, 1), (1, 1))])
  func `is none where nobody differs from anybody`(a: (Int, Int), b: (Int, Int)) {
    #expect(comparison(a, b).pValue == nil)
    #expect(comparison(a, b).difference == 0)
  }

  @Test func `is a number for the smallest and the largest groups`() throws {
    let one = try #require(comparison((0, 1), (1, 1)).pValue)
    #expect(abs(one - 2 * upperTail(2.0.squareRoot())) < 1e-9)
    let billion = 1_000_000_000
    #expect(try #require(comparison((0, billion), (billion, billion)).pValue) == 0)
    let close = try #require(comparison((500_000_000, billion), (500_000_001, billion)).pValue)
    #expect(close > 0.9999 && close < 1)
    #expect(try #require(comparison((1, 1), (1, billion)).pValue) < 1e-100)
    let huge = comparison((Int.max - 1, Int.max), (Int.max, Int.max))
    #expect(try #require(huge.pValue) <= 1)
    #expect(try #require(comparison((1, Int.max), (0, Int.max)).pValue) <= 1)
  }

  /// 1 − Φ(x), by Simpson's rule on the density.
  private func upperTail(_ x: Double) -> Double {
    let steps = 4_000
    let width = x / Double(steps)
    var sum = 0.0
    for step in 0...steps {
      let weight = step == 0 || step == steps ? 1.0 : step.isMultiple(of: 2) ? 2.0 : 4.0
      let place = Double(step) * width
      sum += weight * exp(-place * place / 2)
    }
    return 0.5 - sum * width / 3 / (2 * Double.pi).squareRoot()
  }
}

@Suite struct `Rates drawn by lot` {
  /// Of groups that are alike, and of groups that are not: what the p-value and the interval promise.
  @Test(arguments: [(0.3, 0.3), (0.1, 0.15), (0.6, 0.5)])
  func `keep the promises of 5% and 95%`(first: Double, second: Double) throws {
    var state: UInt64 = 20_261_130
    func draw(_ chance: Double, _ sessions: Int) -> Int {
      (0..<sessions).count { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53) < chance
      }
    }
    let tries = 2_000
    var found = 0
    var covered = 0
    for _ in 0..<tries {
      let compared = comparison((draw(first, 150), 150), (draw(second, 200), 200))
      if let value = compared.pValue, value < 0.05 { found += 1 }
      let interval = try #require(compared.differenceInterval)
      if (interval.lower...interval.upper).contains(second - first) { covered += 1 }
    }
    // Four standard deviations of 2,000 tries of one in twenty are 2 %.
    if first == second { #expect((0.03...0.07).contains(Double(found) / Double(tries)), "\(found)") }
    #expect((0.93...0.97).contains(Double(covered) / Double(tries)), "\(covered)")
  }

  @Test func `find a difference in four of five tries with as many sessions as are said to be needed`() throws {
    let needed = try #require(comparison((30, 100), (45, 100)).sessionsNeededPerSide)
    var state: UInt64 = 4
    func draw(_ chance: Double) -> Int {
      (0..<needed).count { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Double(state >> 11) / Double(1 << 53) < chance
      }
    }
    let found = (0..<2_000).count { _ in
      (comparison((draw(0.3), needed), (draw(0.45), needed)).pValue ?? 1) < 0.05
    }
    #expect((0.76...0.84).contains(Double(found) / 2_000), "\(needed) sessions, \(found) found")
  }
}

@Suite struct `The sessions that a difference needs` {
  /// Fleiss, Levin and Paik, "Statistical Methods for Rates and Proportions", the formula without continuity correction.
  @Test(arguments: [(50, 60, 388), (60, 70, 356), (10, 15, 686), (40, 45, 1_534)])
  func `are those of the tables`(a: Int, b: Int, sessions: Int) throws {
    #expect(comparison((a, 100), (b, 100)).sessionsNeededPerSide == sessions)
  }

  @Test func `are not told where nothing differs, or nobody could wait for them`() {
    #expect(comparison((50, 100), (50, 100)).sessionsNeededPerSide == nil)
    #expect(
      comparison((500_000_000_000, 1_000_000_000_000), (500_000_000_001, 1_000_000_000_000))
        .sessionsNeededPerSide == nil)
    #expect(comparison((0, 10), (10, 10)).sessionsNeededPerSide == 2)
  }

  @Test func `tell a rough test from a good one`() throws {
    #expect(try #require(comparison((1, 10), (3, 10)).smallestExpectedCount) == 2)
    #expect(try #require(comparison((9, 10), (17, 20)).smallestExpectedCount).rounded() == 1)
    #expect(try #require(comparison((50, 100), (60, 100)).smallestExpectedCount) == 45)
  }
}

/// Numerators and denominators of many sizes, extremes among them.
private let pairs: [((Int, Int), (Int, Int))] = {
  var rates: [(Int, Int)] = []
  for count in [1, 2, 3, 7, 10, 100, 12_345, 1_000_000_000] {
    for share in [0.0, 0.001, 0.1, 0.5, 0.77, 1] { rates.append((Int(Double(count) * share), count)) }
    rates.append((1, count))
    rates.append((count - 1, count))
  }
  return rates.flatMap { first in rates.map { (first, $0) } }
}()
