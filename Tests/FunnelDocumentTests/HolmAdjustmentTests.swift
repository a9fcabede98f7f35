import FunnelDocument
import Testing

@Suite struct `Holm's adjustment` {
  @Test(
    arguments: [
      // The last, of R's `p.adjust(c(0.01, 0.02, 0.03, 0.04, 0.05), "holm")`, are held up by those before.
      ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
      ([0.01, 0.02, 0.03, 0.04, 0.05], [0.05, 0.08, 0.09, 0.09, 0.09]),
      ([0.5, 0.9, 0.2], [1, 1, 0.6]),
      ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
      ([0.04], [0.04]), ([], []), ([nil, nil], [nil, nil]), ([nil, 0.01, nil, 0.5], [nil, 0.02, nil, 0.5]),
      ([0, 1], [0, 1]),
    ] as [([Double?], [Double?])])
  func `multiplies the smallest by their number, the next by one less`(_ plain: [Double?], _ expected: [Double?]) {
    let adjusted = HolmAdjustment.adjusted(plain)
    #expect(adjusted.count == expected.count)
    for (found, wanted) in zip(adjusted, expected) {
      #expect((found == nil) == (wanted == nil))
      if let found, let wanted { #expect(abs(found - wanted) < 1e-12) }
    }
  }

  @Test func `is at most 1, at least the plain value, keeps the order, and agrees with the definition`() throws {
    var state: UInt64 = 4
    for _ in 0..<200 {
      var plain: [Double?] = []
      for _ in 0..<12 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let value = Double(state >> 40) / Double(1 << 24)
        plain.append(state >> 60 == 0 ? nil : value * value * value)
      }
      let adjusted = HolmAdjustment.adjusted(plain)
      let family = plain.compactMap { $0 }
      for (place, value) in plain.enumerated() {
        guard let value else {
          #expect(adjusted[place] == nil)
          continue
        }
        let found = try #require(adjusted[place])
        #expect(found >= value && found <= 1)
        // The largest, over all tests that are at least as small, of the value times how many are at least as large.
        let wanted = family.filter { $0 <= value }
          .map { test in min(1, test * Double(family.count - family.count { $0 < test })) }.max()
        #expect(abs(found - (try #require(wanted))) < 1e-12)
        for (other, otherValue) in plain.enumerated() {
          guard let otherValue, otherValue <= value else { continue }
          #expect(try #require(adjusted[other]) <= found)
        }
      }
    }
  }
}
