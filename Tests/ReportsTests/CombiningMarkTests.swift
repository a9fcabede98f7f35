import Foundation
import FunnelDocument
import PrintedText
import TestSupport
import Testing

@testable import Reports

/// What spreadsheets would run.
@Suite struct `Cells of CSV` {
  @Test(arguments: ["=1", "+1", "-1", "@A1", "＝1", "＋1", "－1", "＠A1", "=\u{338}1"])
  func `are run by no spreadsheet where they are safe`(_ text: String) {
    #expect(Array(CSVText.cell(text, isSafe: true).utf8) == Array(("'" + text).utf8))
    #expect(CSVText.cell(text, isSafe: false) == text)
  }

  @Test(arguments: ["a=1", "＜", "1-2", "ｆ", "\u{FF1C}="])
  func `are left as they are otherwise`(_ text: String) { #expect(CSVText.cell(text, isSafe: true) == text) }
}

/// A mark that combines makes one character of itself and what stands before it. Spreadsheets, shells and Markdown know no
/// such characters: for them the quote or the slash before it is what it always is.
@Suite struct `Marks that combine with quotes` {
  static let texts = [
    "x\"\u{301},=1+1,\"", "\"\u{301}", "a,\"\u{20DD}\"\u{338}\r\n=1", "'\u{301};echo run;'\u{301}", "'\u{301}",
    "$(echo run)'\u{20E3}`echo run`",
  ]

  @Test(arguments: texts)
  func `do not end a cell of CSV`(_ text: String) throws {
    let cell = CSVText.cell(text, isSafe: false)
    let records = try StrictCSV(Array("\(cell),next\r\n".utf8)).records
    #expect(records.count == 1 && records[0].count == 2)
    #expect(records[0][0].map { Array($0.utf8) } == Array(text.utf8))
  }

  @Test(arguments: texts)
  func `do not end a word of a command that is there to be pasted`(_ version: String) throws {
    var faults = SessionFaults()
    faults.sessions = 100
    faults.expectedEvents = 1_000
    faults.missingEvents = 200
    let report = QualityReport(
      generatedAt: "2026-12-01T03:00:00Z", scope: FunnelScope(apps: ["shop"]), coversAllApps: true, verdict: [],
      presentations: 100, total: faults,
      versions: [VersionQuality(name: VersionName(app: "shop", version: version), faults: faults)], days: [], cells: [],
      clocks: ClockOffsets(), delay: ArrivalDelay(), fates: ReceivedFates(), rejected: [], removedRejections: 0,
      fallbacks: [], dropped: [])
    let name = try #require(report.versions[0].name)
    let condition = try #require(QualityText(report).condition(without: name).first)
    let shell = Process()
    let output = Pipe()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "printf '%s\\n' \(condition)"]
    shell.standardOutput = output
    try shell.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    let asked = try SessionCondition(.context(.appVersion), isNegated: true, values: [version]).description
    #expect(printed == "--where\n\(DisplayText.escaped(asked))\n")
  }

  @Test(arguments: ["http://\u{338}e.vil", "https:/\u{338}/e.vil", "://\u{301}"])
  func `do not make a link of a text in Markdown`(_ text: String) {
    let markdown = Array(MarkdownText.escaped(text).utf8)
    #expect(!markdown.indices.contains { markdown[$0...].starts(with: "://".utf8) })
    #expect(!markdown.indices.contains { markdown[$0...].starts(with: ":/".utf8) })
  }
}
