import Foundation
import FunnelDocument
import Reports
import Testing

@testable import ReportPages

@Suite struct `Pages of reports` {
  static let goldens: [(file: String, render: @Sendable () -> String)] = [
    ("funnel.html", { ReportPage.text(ExampleFunnel.small()) }),
    ("empty.html", { ReportPage.text(ExampleFunnel.empty()) }),
    ("hostile.html", { ReportPage.text(ExampleFunnel.hostile()) }),
    ("comparison.html", { ReportPage.text(ExampleFunnel.comparison()) }),
    ("stories.html", { ReportPage.text(ExampleFunnel.stories()) }),
  ]

  /// `scripts/update-goldens` writes the files anew, to be read before they are committed.
  @Test(arguments: goldens)
  func `are those of their golden files`(_ golden: (file: String, render: @Sendable () -> String)) throws {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/reports/\(golden.file)")
    let text = golden.render()
    if ProcessInfo.processInfo.environment["PAGEFALL_UPDATE_GOLDENS"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    // Not #expect(text == …), which would print all of both.
    let isGolden = text == String(decoding: try Data(contentsOf: url), as: UTF8.self)
    #expect(isGolden, "\(golden.file); if it is meant: scripts/update-goldens")
  }
}
