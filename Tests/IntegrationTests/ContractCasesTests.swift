import Foundation
import FunnelDocument
import TestSupport
import Testing

/// The inputs with right answers in `Tests/Fixtures`, the whole way.
@Suite struct ContractCasesTests {
  @Test func `each event case is answered over HTTP as it says`() throws {
    let directory = try TemporaryDirectory()
    let database = try TestDatabase.migrated()
    let collector = try RunningCollector("\(directory.path)/data", database: database.connectionString, ["--open"])
    // Not JSONValue, which keeps no integers beyond 64 signed bits.
    let file = try Data(contentsOf: URL(fileURLWithPath: Self.path("event-cases")))
    let cases = try #require(JSONSerialization.jsonObject(with: file) as? [[String: Any]])
    for eventCase in cases {
      let name: Comment = "\(eventCase["name"] ?? "?")"
      let code = eventCase["code"] as? String
      let body = try JSONSerialization.data(withJSONObject: [try #require(eventCase["event"])])
      let answer = try HTTPCall.postEvents(String(decoding: body, as: UTF8.self), port: collector.port)
      #expect(answer.status == (code == nil ? 202 : 422), name)
      let error = try JSONValue(text: answer.body)["errors"]?.arrayValue?.first
      #expect(error?["code"]?.stringValue == code, name)
      if let field = eventCase["field"] as? String { #expect(error?["field"]?.stringValue == field, name) }
    }
    #expect(cases.count > 10)
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `each funnel case gives its funnel`() throws {
    let cases = try #require(Self.cases("funnel-cases").arrayValue)
    for (number, funnelCase) in cases.enumerated() {
      let events = try #require(funnelCase["events"]?.arrayValue).map { $0.text() }.joined(separator: ",")
      // Cases have the same sessions.
      let database = try TestDatabase.migrated()
      // A batch is a line.
      let line = "{\"context\":{\"story_id\":\"case-\(number)\"},\"events\":[\(events)]}"
        .replacingOccurrences(of: "\n", with: " ")
      let stored = try PagefallProcess.run(
        ["ingest", "-", "--database", database.connectionString], input: Array(line.utf8))
      try #require(stored.exitCode == 0, "\(stored.standardOutput)")
      let report = try FunnelComparison.report(database.connectionString, ["--story", "case-\(number)"])
      let expected = try #require(funnelCase["expect"])
      #expect(
        FunnelComparison.differences(report, expected) == [], "\(funnelCase["name"]?.stringValue ?? "?")")
    }
    #expect(!cases.isEmpty)
  }

  private static func cases(_ name: String) throws -> JSONValue {
    try JSONValue(text: Array(try #require(FileManager.default.contents(atPath: path(name)))))
  }

  private static func path(_ name: String) -> String {
    "\(IntegrationTests.projectFolder)/Tests/Fixtures/\(name).json"
  }
}
