import Foundation
import FunnelDocument
import TestSupport
import Testing

/// The blocks of docs/simulator.md that need no collector, pasted one after the other.
@Suite struct SimulatorDocsTests {
  @Test func `who pastes the blocks gets reports that show the truth`() throws {
    let scripts = try ReadmeBlock.all(of: "docs/simulator.md").filter { $0.language == "sh" }.map(\.text)
    #expect(scripts.count == 3 && scripts[2].contains("--client"))
    let place = try ExportDocsPlace()
    try FileManager.default.createSymbolicLink(
      atPath: "\(place.path)/Examples", withDestinationPath: "\(IntegrationTests.projectFolder)/Examples")
    func run(_ script: String) throws -> String {
      try place.succeed("/bin/bash", ["-euo", "pipefail", "-c", "exec 2> progress.txt\n\(script)"])
    }
    func differences(_ printed: String, from truth: String) throws -> [String] {
      FunnelComparison.differences(
        try JSONValue(text: printed.utf8),
        try JSONValue(text: Data(contentsOf: URL(filePath: "\(place.path)/\(truth)"))))
    }
    // What stands in the file of truth and not in the report is another's: its name, and what is read from the database.
    let funnel = try run(scripts[0])
    let start = try #require(funnel.range(of: "{\n  \"report\""))
    #expect(try differences(String(funnel[start.lowerBound...]), from: "truth.json") == [])
    let tables = try run(scripts[1])
    #expect(tables.contains("Rich media\n") && tables.contains("Answers to notifications\n"))
    #expect(tables.contains("new      65:"))
    for (report, truth) in [("rich-media", "rich-media-truth.json"), ("buttons", "buttons-truth.json")] {
      let printed = try run("pagefall report \(report) --app demo --format json")
      #expect(try differences(printed, from: truth) == [], "\(report)")
    }
  }
}
