import Foundation
import FunnelDocument
import Testing

@testable import MessageLint

/// Both output formats against golden files in `Tests/Fixtures/lint`.
@Suite struct OutputTests {
  @Test(arguments: ["spring-sale", "hostile", "fallback"]) func `output reads as the golden files do`(
    name: String
  ) throws {
    let file = MessageLint().lint(try projectFile("Tests/Fixtures/lint/\(name).json"), name: "\(name).json")
    let report = LintReport(files: [file])
    try compare(report.text(columns: 80), "\(name).txt")
    try compare(report.json, "\(name).lint.json")
  }

  @Test(arguments: [20, 60, 80, 120]) func `no line of text is wider than asked, but for pointers`(columns: Int) throws
  {
    for name in ["spring-sale", "hostile", "fallback"] {
      let file = MessageLint().lint(try projectFile("Tests/Fixtures/lint/\(name).json"), name: "\(name).json")
      for line in LintReport(files: [file]).text(columns: columns).split(separator: "\n") where !line.contains(" at /")
      {
        #expect(Self.columns(of: line) <= max(60, columns), "\(line)")
      }
    }
  }

  @Test func `a text without blanks is broken where a line ends`() {
    let wide = String(repeating: "春", count: 100)
    let message =
      #"{"pages": [{"image": "\#(wide)", "link": "\#(wide)", "duration": "\#(wide)"}], "story_id": "\#(wide)"}"#
    let text = LintReport(files: [MessageLint().lint(Array(message.utf8), name: wide)]).text(columns: 80)
    for line in text.split(separator: "\n") where !line.contains(" at /") {
      #expect(Self.columns(of: line) <= 80, "\(line)")
    }
  }

  @Test func `what a terminal could obey is escaped in both formats`() throws {
    let file = MessageLint().lint(try projectFile("Tests/Fixtures/lint/hostile.json"), name: "a\u{1B}[2Jb")
    let report = LintReport(files: [file], infoPlist: LintedInfoPlist(name: "c\u{9B}", findings: []))
    for text in [report.text(columns: 80), report.json] {
      let obeyed = text.unicodeScalars.filter { scalar in
        scalar != "\n" && (scalar.properties.generalCategory == .control || scalar == "\u{202E}")
      }
      #expect(obeyed.isEmpty)
    }
    let read = try JSONValue(text: report.json)
    #expect(read["files"]?.arrayValue?.first?["file"] == .string("a\u{1B}[2Jb"))
    #expect(read["info_plist"]?["file"] == .string("c\u{9B}"))
  }

  @Test func `the extension's file has its own block, also where all is well`() {
    let good = LintReport(files: [], infoPlist: LintedInfoPlist(name: "Info.plist", findings: []))
    let end = "0 files: 0 errors, 0 warnings, 0 notes\n"
    #expect(good.text(columns: 80) == "Info.plist: the extension is set up for stories\n\n\(end)")
    let finding = LintFinding(code: .extensionRatioDiffers, severity: .warning, pointer: "/a", message: "m")
    let bad = LintReport(files: [], infoPlist: LintedInfoPlist(name: "Info.plist", findings: [finding]))
    #expect(bad.text(columns: 80).hasPrefix("Info.plist\nwarning extension_ratio_differs at /a\n        m\n"))
  }

  @Test func `keys of the JSON form stand in their documented order`() throws {
    let report = LintReport(files: [lint(GoodMessage.request(pages: GoodMessage.page))])
    let value = try JSONValue(text: report.json)
    #expect(value.objectValue?.map(\.key) == ["lint", "files"])
    #expect(value["lint"] == .string("lint/1"))
    let notification = value["files"]?.arrayValue?.first?["notifications"]?.arrayValue?.first
    #expect(
      notification?.objectValue?.map(\.key) == [
        "index", "pages", "story_id", "play_seconds", "payload_bytes", "findings",
      ])
    #expect(
      notification?["pages"]?.arrayValue?.first?.objectValue?.map(\.key) == [
        "image", "duration", "link", "button_title", "title", "subtitle", "payload_index", "shows_button",
      ])
  }

  @Test func `every code and its severity stand in the documents`() throws {
    let document = String(decoding: try projectFile("docs/lint.md"), as: UTF8.self)
    for code in LintCode.allCases {
      let line = document.split(separator: "\n").first { $0.hasPrefix("| `\(code.rawValue)` |") }
      #expect(line?.contains("| \(code.severity.rawValue)") == true, "\(code.rawValue)")
    }
    #expect(
      document.split(separator: "\n").count { $0.hasPrefix("| `") && $0.contains("_") } >= LintCode.allCases.count)
  }

  /// Two for the Japanese letters of `hostile.json`.
  private static func columns(of line: Substring) -> Int {
    line.reduce(0) { $0 + ($1.unicodeScalars.contains { (0x3040...0x9FFF).contains($0.value) } ? 2 : 1) }
  }

  private func compare(_ text: String, _ name: String) throws {
    let path = "Tests/Fixtures/lint/\(name)"
    if ProcessInfo.processInfo.environment["PAGEFALL_UPDATE_GOLDENS"] == "1" {
      try Data(text.utf8).write(to: URL(fileURLWithPath: "\(projectFolder)/\(path)"))
    }
    let golden = String(decoding: try projectFile(path), as: UTF8.self)
    #expect(text == golden, "\(name); if it is meant: scripts/update-goldens")
  }
}
