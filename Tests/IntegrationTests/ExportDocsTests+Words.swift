import Foundation
import TestSupport
import Testing

extension ExportDocsTests {
  @Test func `every option that is named is one of the program's`() throws {
    let help = try ["export", "report funnel", "report changes"].map { command in
      try PagefallProcess.run(command.split(separator: " ").map(String.init) + ["--help"]).standardOutput
    }.joined()
    // Of other programs: node_exporter and bq.
    let others = ["--collector.textfile.directory"]
    for match in try Self.document().replacingOccurrences(of: "systemctl enable --now", with: "")
      .components(separatedBy: "\n").filter({ !$0.hasPrefix("bq load") }).joined(separator: "\n")
      .matches(of: /--[a-z][a-z.-]+/)
    {
      let option = String(match.output)
      let isKnown = others.contains(option) || ["\(option) ", "\(option)\n"].contains { help.contains($0) }
      #expect(isKnown, "\(option)")
    }
  }

  @Test func `messages and reasons are the program's own`() throws {
    let sources = try Self.sources()
    let rows = try Self.document().components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
    let cells = rows.compactMap { $0.split(separator: "`").dropFirst().first }
    let reasons = cells.filter { sources.contains("\"\($0)\"") || sources.contains("case \($0)\n") }
    #expect(Array(reasons.suffix(8)) == Array(cells.filter { !$0.contains(" ") }.suffix(8)))
    let messages = cells.filter { $0.contains(" ") }
    #expect(messages.count == 8)
    for part in messages.flatMap({ $0.components(separatedBy: "…") }) where !part.isEmpty {
      let isOurs = sources.contains(part.trimmingCharacters(in: [" ", ":"]))
      #expect(isOurs, "'\(part)'")
    }
  }

  private static func document() throws -> String {
    try String(contentsOfFile: "\(IntegrationTests.projectFolder)/docs/exports.md", encoding: .utf8)
  }

  private static func sources() throws -> String {
    let folder = "\(IntegrationTests.projectFolder)/Sources/Exports"
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") }
      .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }.joined()
  }
}
