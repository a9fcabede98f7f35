import EventIntake
import EventRecords
import Foundation
import StoryEvents
import Testing

/// What came of a body, copied out of the intake.
struct Judged {
  var outcome: IntakeOutcome
  var records: [[UInt8]]

  var summary: IntakeSummary? {
    if case .judged(let summary) = outcome { return summary }
    return nil
  }

  /// The one fault; nil where there is none or more than one.
  var fault: EventFault? { summary?.errors.count == 1 ? summary?.errors.first : nil }

  /// The message of a 400.
  var unreadable: String? {
    if case .unreadable(let problem) = outcome { return problem.message }
    return nil
  }

  var isOverLimit: Bool {
    if case .overLimit = outcome { return true }
    return false
  }
}

/// 2026-11-29T10:00:06Z.
let receivedAt: Int64 = 1_795_946_406_000_000

/// Judges a body in an intake of its own.
func judge(
  _ body: [UInt8], _ format: IntakeFormat = .json, origin: EventOrigin = .http, receivedAt: Int64? = receivedAt
) -> Judged {
  var intake = Intake()
  return judge(body, format, origin: origin, receivedAt: receivedAt, with: &intake)
}

func judge(
  _ body: [UInt8], _ format: IntakeFormat = .json, origin: EventOrigin = .http, receivedAt: Int64? = receivedAt,
  with intake: inout Intake
) -> Judged {
  let request = IntakeRequest(app: "demo", format: format, origin: origin, receivedAtMicroseconds: receivedAt)
  // Memory of exactly this size, so that a checker of memory would see a byte read too many.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: body.count, alignment: 1)
  memory.copyBytes(from: body)
  defer { memory.deallocate() }
  let outcome = intake.judge(UnsafeRawBufferPointer(memory), request)
  var records: [[UInt8]] = []
  for index in 0..<intake.records.recordCount { intake.records.withRecord(index) { records.append(Array($0)) } }
  return Judged(outcome: outcome, records: records)
}

func judge(_ body: String, _ format: IntakeFormat = .json, origin: EventOrigin = .http) -> Judged {
  judge(Array(body.utf8), format, origin: origin)
}

/// A file of Tests/Fixtures.
func fixture(_ name: String) throws -> Data {
  let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
  return try Data(contentsOf: tests.appendingPathComponent("Fixtures").appendingPathComponent(name))
}

@Suite struct `The shared event cases` {
  struct Case: CustomTestStringConvertible {
    var name: String
    var event: Data
    var code: String?
    var field: String?
    var testDescription: String { name }
  }

  static func cases() throws -> [Case] {
    let list = try JSONSerialization.jsonObject(with: fixture("event-cases.json")) as? [[String: Any]]
    return try #require(list).map {
      Case(
        name: $0["name"] as? String ?? "",
        event: try JSONSerialization.data(withJSONObject: $0["event"] as Any, options: .fragmentsAllowed),
        code: $0["code"] as? String, field: $0["field"] as? String)
    }
  }

  @Test func `are judged as they say`() throws {
    let cases = try Self.cases()
    #expect(cases.count == 18)
    for test in cases {
      let judged = judge([UInt8](Data("[".utf8) + test.event + Data("]".utf8)))
      let summary = try #require(judged.summary)
      #expect(summary.errors.first?.code.name == test.code, "\(test.name)")
      #expect(summary.errors.first?.field == test.field, "\(test.name)")
      #expect(summary.accepted == (test.code == nil ? 1 : 0), "\(test.name)")
    }
  }
}
