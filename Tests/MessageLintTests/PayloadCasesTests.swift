import FunnelDocument
import Testing

@testable import MessageLint

/// `Tests/Fixtures/payload-cases.json`: what phones do with payloads, read from the JSON that `lint` prints.
@Suite struct PayloadCasesTests {
  static func cases() throws -> [JSONValue] {
    let cases = try JSONValue(text: projectFile("Tests/Fixtures/payload-cases.json")).arrayValue ?? []
    try #require(cases.count >= 17)
    return cases
  }

  @Test(arguments: try cases().indices) func `lint plays a payload as the case says`(index: Int) throws {
    let payload = try Self.cases()[index]
    let text = try #require(payload["userInfo"]).text()
    try check(text, payload)
    // The same in a request, where the custom data come from `data`.
    if let custom = payload["userInfo"]?["u"] {
      try check(#"{"notifications":[{"data":\#(custom.text())}]}"#, payload)
    } else if let block = payload["userInfo"]?["pw_stories"] {
      try check(#"{"notifications":[{"ios_root_params":{"pw_stories":\#(block.text())}}]}"#, payload)
      try check(#"{"notifications":[{"data":{"pw_stories":\#(block.text())}}]}"#, payload)
    }
  }

  private func check(_ text: String, _ payload: JSONValue) throws {
    let report = try JSONValue(text: LintReport(files: [lint(text)]).json)
    let notification = try #require(report["files"]?.arrayValue?.first?["notifications"]?.arrayValue?.first)
    #expect(notification["fallback"] == payload["fallback"])
    let expected = payload["pages"]?.arrayValue
    let pages = notification["pages"]?.arrayValue
    #expect(pages?.count == expected?.count)
    for (page, wanted) in zip(pages ?? [], expected ?? []) {
      for member in wanted.objectValue ?? [] {
        if member.key == "duration" {
          #expect(page["duration"]?.doubleValue == member.value.doubleValue)
        } else {
          #expect(page[member.key] == member.value, "\(member.key)")
        }
      }
    }
  }
}
