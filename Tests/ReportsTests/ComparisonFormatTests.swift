import Foundation
import FunnelDocument
import PrintedText
import Testing

@testable import Reports

@Suite struct `The formats of a comparison` {
  static let goldens: [(file: String, render: @Sendable () -> String)] = [
    ("comparison-80.txt", { ComparisonFormat.table.render(ComparisonExample.usual()) }),
    (
      "comparison-color.txt",
      { ComparisonFormat.table.render(ComparisonExample.usual(), style: TextStyle(columns: 100, usesColor: true)) }
    ),
    ("comparison.json", { ComparisonFormat.json.render(ComparisonExample.usual()) }),
    ("comparison.csv", { ComparisonFormat.csv.render(ComparisonExample.usual()) }),
    ("comparison.md", { ComparisonFormat.markdown.render(ComparisonExample.usual()) }),
    ("comparison-empty-80.txt", { ComparisonFormat.table.render(ComparisonExample.empty()) }),
    ("comparison-empty.json", { ComparisonFormat.json.render(ComparisonExample.empty()) }),
    ("comparison-empty.md", { ComparisonFormat.markdown.render(ComparisonExample.empty()) }),
    ("comparison-empty.csv", { ComparisonFormat.csv.render(ComparisonExample.empty()) }),
    ("comparison-hostile-80.txt", { ComparisonFormat.table.render(ComparisonExample.hostile()) }),
    ("comparison-hostile.csv", { ComparisonFormat.csv.render(ComparisonExample.hostile()) }),
    ("comparison-hostile.md", { ComparisonFormat.markdown.render(ComparisonExample.hostile()) }),
  ]

  /// `scripts/update-goldens` writes the files anew, to be read before they are committed.
  @Test(arguments: goldens)
  func `are those of their golden files`(_ golden: (file: String, render: @Sendable () -> String)) throws {
    let url = Fixtures.url("reports/\(golden.file)")
    let text = golden.render()
    if ProcessInfo.processInfo.environment["PAGEFALL_UPDATE_GOLDENS"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    #expect(text == String(decoding: try Data(contentsOf: url), as: UTF8.self), "\(golden.file)")
  }

  @Test(arguments: [20, 64, 71, 72, 80, 100, 120, 500])
  func `fit the terminal`(_ columns: Int) {
    for comparison in [ComparisonExample.usual(), ComparisonExample.hostile(), ComparisonExample.empty()] {
      let text = ComparisonFormat.table.render(comparison, style: TextStyle(columns: columns))
      for line in text.split(separator: "\n") {
        #expect(DisplayWidth.columns(of: String(line)) <= min(120, max(64, columns)), "\(line)")
      }
    }
  }

  @Test func `show what senders sent, and obey none of it`() {
    for format in [ComparisonFormat.table, .markdown] {
      let text = format.render(ComparisonExample.hostile())
      let commands = text.unicodeScalars.filter { $0 != "\n" && DisplayText.escaped(String($0)) != String($0) }
      #expect(commands.isEmpty, "\(format)")
    }
    let csv = ComparisonFormat.csv.render(ComparisonExample.hostile())
    #expect(csv.contains("\"'=cmd|'/c calc'!A1") && csv.contains("\"'-=cmd"))
    #expect(csv.unicodeScalars.allSatisfy { "\r\n".unicodeScalars.contains($0) || !DisplayText.mustBeEscaped($0) })
    let exact = ComparisonFormat.csv.render(ComparisonExample.hostile(), isCSVSafe: false)
    #expect(exact.contains("\"=cmd") && exact.contains("\"-=cmd") && !exact.contains("'=cmd"))
  }

  @Test func `have as many fields in each line of CSV, and a line a rate`() {
    let lines = ComparisonFormat.csv.render(ComparisonExample.usual()).replacing(#/"[^"]*"/#, with: "").split(
      separator: "\r\n"
    ).map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
    #expect(lines.count == 1 + 4 + 4 * 4)
    #expect(Set(lines).count == 1)
  }

  @Test func `are JSON that holds a funnel on each side, and no number that is none`() throws {
    for comparison in [ComparisonExample.usual(), ComparisonExample.empty(), ComparisonExample.hostile()] {
      let json = try JSONValue(text: ComparisonFormat.json.render(comparison).utf8)
      #expect(json == comparison.json)
      #expect(json["report"] == .string("comparison"))
      #expect(json["a"]?["label"] == .string(comparison.a.label))
      #expect(json["a"]?["sessions"]?.integerValue == comparison.a.counts.sessions)
      #expect(json["b"]?["pages"]?.arrayValue?.count == comparison.b.counts.pages.count)
      #expect(json["conclusions"]?.arrayValue?.isEmpty == false)
    }
    let rate = try #require(ComparisonExample.usual().json["rates"]?.arrayValue?.first)
    #expect(rate["name"] == .string("completion_rate"))
    #expect(rate["a"]?["numerator"]?.integerValue == 160 && rate["b"]?["denominator"]?.integerValue == 402)
    let difference = try #require(rate["difference"]?.doubleValue)
    #expect(abs(difference - (181.0 / 402 - 0.4)) < 1e-15)
  }

  @Test func `colour nothing unless they are told to`() {
    let plain = ComparisonFormat.table.render(ComparisonExample.usual(), style: TextStyle(columns: 90))
    let colored = ComparisonFormat.table.render(
      ComparisonExample.usual(), style: TextStyle(columns: 90, usesColor: true))
    #expect(!plain.contains("\u{1B}"))
    #expect(colored.replacing(#/\u{1B}\[\d*m/#, with: "") == plain)
  }

  @Test func `name pages that nobody came to together`() {
    func side(_ label: String) -> ComparedSide {
      ComparisonExample.side(label, sessions: [4, 2] + [Int](repeating: 0, count: 900), finished: 0)
    }
    let comparison = Comparison(a: side("a=1"), b: side("a=2"))
    for format in [ComparisonFormat.table, .markdown] {
      let text = format.render(comparison)
      #expect(text.contains("pages 2 to 901: nobody came here"))
      #expect(text.split(separator: "\n").count < 40)
    }
  }

  @Test(
    arguments: [
      (0.05, "+5.0"), (-0.0184, "−1.8"), (0, "0.0"), (0.0001, "+<0.1"), (-0.0001, "−<0.1"), (1, "+100.0"), (nil, "–"),
    ] as [(Double?, String)])
  func `say differences in points with their sign`(_ difference: Double?, _ text: String) {
    #expect(DifferenceText.points(difference) == text)
  }

  @Test(
    arguments: [
      (1, "1.000"), (0.9999, "1.000"), (0.0421, "0.042"), (0.0499, "<0.050"), (0.05, "0.050"), (0.001, "0.001"),
      (0.00099, "<0.001"), (0, "<0.001"), (nil, "–"),
    ] as [(Double?, String)])
  func `say p-values on the right side of 5%`(_ value: Double?, _ text: String) {
    #expect(DifferenceText.pValue(value) == text)
  }
}
