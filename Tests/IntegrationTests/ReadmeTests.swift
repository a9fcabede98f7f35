import Foundation
import FunnelDocument
import TestSupport
import Testing

/// The README's blocks of code, run one after the other as they stand, in one shell as a reader would.
@Suite(.serialized) struct ReadmeTests {
  @Test func `who follows the README sees the sessions that it sends`() throws {
    try #require(
      Self.isFree(port: 8787), "the README's collector listens on port 8787, which another program has taken")
    let directory = try TemporaryDirectory()
    try prepare(directory.path)
    let blocks = try ReadmeBlock.all().filter { !$0.text.contains("scripts/demo") }
    #expect(blocks.map(\.language) == ["sh", "sh", "sh", "python", "sh"])
    let run = try PagefallProcess.run(
      ["-c", Self.script(blocks)], directory: directory.path, timeout: .seconds(150), binary: "/bin/bash")
    #expect(run.exitCode == 0, "\(run.standardOutput)\n\(run.standardError)")

    // Curl, the file and the program have each been answered.
    #expect(run.standardOutput.contains("{\"accepted\":2,"))
    #expect(run.standardOutput.contains("stored 3, duplicates 0, rejected 0"))
    #expect(run.standardOutput.contains("{\"accepted\":4,"))
    let funnel = try JSONValue(text: try contents("\(directory.path)/funnel.json"))
    #expect(funnel["sessions"] == .integer(3))
    #expect(funnel["pages"]?.arrayValue?.map { $0["sessions"] } == [.integer(3), .integer(2)])
    #expect(funnel["pages"]?.arrayValue?.first?["title"] == .string("Welcome"))
    #expect(funnel["tapped_sessions"] == .integer(1))
    #expect(funnel["completeness"]?["missing_events"] == .integer(0))
  }

  /// A checkout as far as the README needs one.
  private func prepare(_ path: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: "\(path)/.build/release", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: "\(path)/.build/release/pagefall", withDestinationPath: PagefallProcess.binaryPath)
    for name in ["Examples", "docs", "scripts"] {
      try files.createSymbolicLink(
        atPath: "\(path)/\(name)", withDestinationPath: "\(IntegrationTests.projectFolder)/\(name)")
    }
  }

  /// All blocks as one script. What `pagefall serve &` prints goes to files, and is waited for as a reader would.
  private static func script(_ blocks: [ReadmeBlock]) -> String {
    let parts = blocks.map { block in
      if block.language == "python" { return "python3 - <<'END OF BLOCK'\n\(block.text)\nEND OF BLOCK" }
      return block.text.components(separatedBy: "\n").map { line in
        line == "pagefall serve &" ? inBackground(String(line.dropLast(2))) : line
      }.joined(separator: "\n")
    }
    return """
      set -euo pipefail
      collector=
      trap '[ -z "$collector" ] || kill "$collector" 2> /dev/null || true' EXIT
      \(parts.joined(separator: "\n"))
      for attempt in {1..200}; do
        pagefall report funnel --story spring-sale --format json > funnel.json
        if python3 -c 'import json; exit(json.load(open("funnel.json"))["sessions"] != 3)'; then break; fi
        sleep 0.1
      done
      kill "$collector"
      wait "$collector"
      """
  }

  private static func inBackground(_ line: String) -> String {
    """
    \(line) > collector.out 2> collector.err &
    collector=$!
    for attempt in {1..600}; do
      if grep -q ready collector.out; then break; fi
      if ! kill -0 "$collector"; then cat collector.err >&2; exit 1; fi
      sleep 0.1
    done
    """
  }

  private static func isFree(port: UInt16) -> Bool {
    // Whoever answers there has it.
    (try? HTTPCall.get("/", port: Int(port))) == nil
  }

  private func contents(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
}

/// A block of code of the README or another page.
struct ReadmeBlock {
  /// What stands behind its opening fence.
  let language: String
  let text: String

  /// All blocks that are code; `text` shows what is printed.
  static func all(of page: String = "README.md") throws -> [ReadmeBlock] {
    let readme = try String(contentsOfFile: "\(IntegrationTests.projectFolder)/\(page)", encoding: .utf8)
    var blocks: [ReadmeBlock] = []
    var open: (language: String, lines: [String])?
    for line in readme.components(separatedBy: "\n") {
      if let block = open {
        if line == "```" {
          blocks.append(ReadmeBlock(language: block.language, text: block.lines.joined(separator: "\n")))
          open = nil
        } else {
          open?.lines.append(line)
        }
      } else if line.hasPrefix("```") {
        open = (String(line.dropFirst(3)), [])
      }
    }
    return blocks.filter { $0.language != "text" }
  }
}
