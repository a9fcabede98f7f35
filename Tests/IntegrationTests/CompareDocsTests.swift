import Foundation
import FunnelDocument
import TestSupport
import Testing

/// docs/comparing.md and docs/metrics.md §6, held against the command.
@Suite struct CompareDocsTests {
  @Test func `who follows the page sees what it says`() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory.path)/pagefall", withDestinationPath: PagefallProcess.binaryPath)
    let blocks = try Self.blocks(of: "sh", in: "docs/comparing.md")
    #expect(blocks.count == 2)
    let script = "set -euo pipefail\nexport PATH=\"$PWD:$PATH\"\n" + blocks.joined(separator: "\necho ---\n")
    let database = try TestDatabase.migrated()
    let run = try withExtendedLifetime(database) {
      try PagefallProcess.run(
        ["-c", script], environment: ["PAGEFALL_DATABASE": database.connectionString], directory: directory.path,
        timeout: .seconds(120), binary: "/bin/bash")
    }
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardOutput.contains("A  story=spring-sale\n"))
    #expect(run.standardOutput.contains("Fallback rate: B is higher"))
    #expect(run.standardOutput.contains("Completion: too few sessions"))
    #expect(run.standardOutput.contains("B  the time asked for"))
    #expect(run.standardOutput.contains("B  story=spring-sale-2,from=7d"), "\(run.standardOutput)")
  }

  @Test func `the form in metrics.md is that of the command`() throws {
    let text = try #require(try Self.blocks(of: "json", in: "docs/metrics.md").last)
    let documented = try JSONValue(text: text)
    #expect(documented["report"] == .string("comparison"))
    let run = try PagefallProcess.run([
      "report", "compare", "--a", "locale=de", "--b", "locale=en", "--format", "json", "--database",
      try TestDatabase.unchanged().connectionString,
    ])
    let printed = try JSONValue(text: run.standardOutput)
    #expect(documented.objectValue?.map(\.key) == printed.objectValue?.map(\.key))
    let rates = [documented, printed].map { $0["rates"]?.arrayValue?.first?.objectValue?.map(\.key) }
    #expect(rates[0] != nil && rates[0] == rates[1])
    let sides = [documented, printed].map { $0["rates"]?.arrayValue?.first?["a"]?.objectValue?.map(\.key) }
    #expect(sides[0] != nil && sides[0] == sides[1])
    #expect(printed["a"]?.objectValue?.prefix(3).map(\.key) == ["label", "scope", "presentations"])
  }

  /// The blocks of code of one language in a page.
  private static func blocks(of language: String, in page: String) throws -> [String] {
    let text = try String(contentsOfFile: "\(IntegrationTests.projectFolder)/\(page)", encoding: .utf8)
    return text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }
}
