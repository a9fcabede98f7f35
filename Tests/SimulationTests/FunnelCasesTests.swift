import Foundation
import FunnelDocument
import Simulation
import StoryEvents
import Testing

/// `Tests/Fixtures/funnel-cases.json`: events with the funnel that they must give.
@Suite struct FunnelCasesTests {
  @Test(arguments: try FunnelCase.all()) func `the truth counts the case as it says`(funnel: FunnelCase) throws {
    var truth = TruthCounter(storyCount: 1)
    truth.count(funnel.events, storyIndex: 0)
    let report = FunnelReport(generatedAt: "", scope: FunnelScope(), total: truth.total())
    #expect(report.conservationFaults() == [])
    Self.check(report.json, against: funnel.expected, at: "")
  }

  /// Every value that a case names must be there.
  private static func check(_ found: JSONValue?, against expected: JSONValue, at path: String) {
    switch expected {
    case .object(let members):
      for member in members { check(found?[member.key], against: member.value, at: "\(path).\(member.key)") }
    case .array(let elements):
      #expect(found?.arrayValue?.count == elements.count, "\(path)")
      for (place, element) in elements.enumerated() where place < found?.arrayValue?.count ?? 0 {
        check(found?.arrayValue?[place], against: element, at: "\(path)[\(place)]")
      }
    case .integer, .number: #expect(found?.doubleValue == expected.doubleValue, "\(path)")
    case .null, .bool, .string: #expect(found == expected, "\(path)")
    }
  }
}

/// One case of the file.
struct FunnelCase: Sendable, CustomTestStringConvertible {
  let name: String
  let events: [SimulatedEvent]
  let expected: JSONValue

  var testDescription: String { name }

  static func all() throws -> [FunnelCase] {
    let file = projectFolder.appendingPathComponent("Tests/Fixtures/funnel-cases.json")
    let objects = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]] ?? []
    return try objects.map { object in
      FunnelCase(
        name: try #require(object["name"] as? String),
        events: try #require(object["events"] as? [[String: Any]]).map(event(from:)),
        expected: try JSONValue(text: JSONSerialization.data(withJSONObject: try #require(object["expect"]))))
    }
  }
}

/// An event of the contract, as far as the truth needs it.
func event(from json: [String: Any]) throws -> SimulatedEvent {
  let page = json["page"] as? [String: Any]
  let pages = json["pages"] as? [[String: Any]]
  return SimulatedEvent(
    type: try #require((json["type"] as? String).flatMap(EventType.init(name:))),
    seq: try #require(json["seq"] as? Int), atMicroseconds: try microseconds(try #require(json["at"] as? String)),
    pageIndex: json["page_index"] as? Int, pageCount: json["page_count"] as? Int, reason: json["reason"] as? String,
    durationMicroseconds: duration(page?["duration"]),
    pageDurationsMicroseconds: pages?.map { duration($0["duration"]) })
}

private func duration(_ seconds: Any?) -> Int64? {
  (seconds as? NSNumber).map { Int64(($0.doubleValue * 1_000_000).rounded()) }
}

/// A moment in UTC with up to six fraction digits, in microseconds since 1970. Foundation's formatters know milliseconds.
func microseconds(_ text: String) throws -> Int64 {
  let digits = Array(text.utf8)
  try #require(digits.count >= 20 && digits.last == UInt8(ascii: "Z"))
  func number(_ places: Range<Int>) -> Int64 { digits[places].reduce(0) { $0 * 10 + Int64($1) - 0x30 } }
  var time = tm()
  time.tm_year = Int32(number(0..<4) - 1900)
  time.tm_mon = Int32(number(5..<7) - 1)
  time.tm_mday = Int32(number(8..<10))
  time.tm_hour = Int32(number(11..<13))
  time.tm_min = Int32(number(14..<16))
  time.tm_sec = Int32(number(17..<19))
  var fraction: Int64 = 0
  for place in 20..<26 { fraction = fraction * 10 + (place < digits.count - 1 ? Int64(digits[place]) - 0x30 : 0) }
  return Int64(timegm(&time)) * 1_000_000 + fraction
}
