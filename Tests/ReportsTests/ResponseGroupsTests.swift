import StoryEvents
import Testing

@testable import Reports

@Suite struct `Groups of answers` {
  @Test func `with more buttons than can be counted are refused, or the largest are told apart alone`() throws {
    let field = try SessionField(argument: "user_id")
    #expect(throws: ReportError.self) { try Self.fill(ResponseGroups(ReportScope(groupBy: field))) }
    let scope = ReportScope(groupBy: field, mostGroups: 3)
    let largest = LargestGroups(values: Set((0..<3).map { TextHash("u\($0)") }), otherCount: 27)
    let groups = try Self.fill(ResponseGroups(scope, largest: largest))
    #expect(groups?.map(\.group.name) == ["u0", "u1", "u2", "(other)"])
    #expect(groups?.map(\.tally.counts.responses) == [10_000, 10_000, 10_000, 270_000])
    #expect(groups?.last?.group.mergedGroups == 27)
  }

  @discardableResult
  private static func fill(_ empty: ResponseGroups) throws -> [(group: GroupPlaces.Shown, tally: ResponseTally)]? {
    var groups = empty
    for group in 0..<30 {
      let place = try #require(try groups.place(named: "u\(group)"))
      for button in 0..<10_000 {
        let response = CountedResponse(
          action: .button, category: button, button: button, expectedEvents: 1, missingEvents: 0)
        try groups.count(response, at: place)
      }
    }
    return groups.shown()
  }
}
