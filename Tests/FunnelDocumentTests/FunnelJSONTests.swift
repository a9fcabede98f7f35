import FunnelDocument
import Testing

@Suite struct FunnelJSONTests {
  @Test func `the form is kept byte by byte`() {
    #expect(exampleReport().json.text() == goldenFunnel)
  }

  @Test func `what is written reads back as the same report`() throws {
    var report = exampleReport(minimumCount: 5)
    report.groups = [FunnelGroup(name: "(none)", counts: exampleCounts())]
    report.additionalMembers = [JSONMember("environments", .object([JSONMember("production", .integer(400))]))]
    #expect(try FunnelReport(text: report.json.text(layout: .readable).utf8) == report)
    #expect(try FunnelReport(text: report.json.text(layout: .compact).utf8) == report)
  }

  @Test func `hidden rates are null`() {
    let json = exampleReport(minimumCount: 1000).json
    #expect(json["completion_rate"] == .null)
    #expect(json["completion_ci"] == .null)
    #expect(json["scope"]?["min_count"] == .integer(1000))
  }

  @Test func `a missing key is named with its place`() {
    let text = goldenFunnel.replacing("        \"exited\": 95,\n", with: "")
    #expect(throws: FunnelDocumentError.unexpectedValue(path: "pages[0].departures.exited", expected: "an integer")) {
      try FunnelReport(text: text.utf8)
    }
  }

  @Test(arguments: [
    "", "{", "[1,]", "{\"a\":1,}", "01", "1.", "-", "1e999", "tru", "\"\\x\"", "\"\\ud800\"", "\"\\udc00\"",
    "\"\u{1}\"",
    "1 2", "{1:2}", "\"\\u+123\"", "'a'", "[1 2]", "NaN",
  ])
  func `text that is not JSON is refused`(text: String) {
    #expect(throws: FunnelDocumentError.self) { try JSONValue(text: text) }
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    #expect(throws: FunnelDocumentError.self) { try JSONValue(text: [0x22, 0xC3, 0x28, 0x22] as [UInt8]) }
  }

  @Test func `nesting without end is refused, not obeyed`() {
    #expect(throws: FunnelDocumentError.self) { try JSONValue(text: String(repeating: "[", count: 1_000_000)) }
  }

  @Test func `every text survives writing and reading`() throws {
    let value = JSONValue.array([
      .string("\u{0}\u{1F}\"\\/\n\r\t é 👩‍👩‍👧 \u{2028}"), .number(0.1), .number(.leastNonzeroMagnitude),
      .number(-.greatestFiniteMagnitude),
      .integer(.max), .integer(.min), .bool(true), .null, .object([]), .array([]),
    ])
    #expect(try JSONValue(text: value.text(layout: .compact)) == value)
    #expect(try JSONValue(text: value.text(layout: .readable)) == value)
    #expect(try JSONValue(text: "\"\\ud83d\\ude00\\u00E9\\/\"") == .string("😀é/"))
  }
}
