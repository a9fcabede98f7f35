import Foundation
import FunnelDocument
import TestSupport
import Testing

/// The blocks of docs/exports.md, run as they stand; only its literal day is exchanged for yesterday, of which there are
/// events here.
@Suite(.serialized) struct ExportDocsTests {
  let blocks: [ReadmeBlock]
  let place: ExportDocsPlace

  init() throws {
    blocks = try ReadmeBlock.all(of: "docs/exports.md")
    place = try ExportDocsPlace()
  }

  @Test func `every block is of a kind that is tried here`() {
    #expect(
      blocks.map(\.language) == [
        "sh", "crontab", "ini", "ini", "promql", "sh", "sh", "sh", "sql", "sql", "python", "sh", "sh", "sql", "sql",
      ])
    // The clouds' own are not tried: there are three.
    #expect(blocks.filter(Self.isOfCloud).map(\.language) == ["sh", "sql", "sql"])
  }

  @Test(.enabled(if: PythonPackages.areThere, PythonPackages.reason))
  func `who follows the document exports yesterday and loads it`() throws {
    _ = try place.database.psql("CREATE DATABASE warehouse")
    defer { _ = try? place.database.psql("DROP DATABASE warehouse WITH (FORCE)") }
    var outputs: [String] = []
    for block in blocks where !Self.isOfCloud(block) {
      switch block.language {
      case "sh": outputs.append(try place.succeed("/bin/bash", ["-euo", "pipefail", "-c", block.text]))
      case "sql":
        let program = "import duckdb, sys; print(*duckdb.sql(sys.argv[1]).fetchall(), sep='\\n')"
        outputs.append(try place.succeed(PythonPackages.python(), ["-c", program, block.text]))
      case "python": outputs.append(try place.succeed(PythonPackages.python(), ["-c", block.text]))
      default: continue
      }
    }
    try #require(outputs.count == 8)
    #expect(outputs[0].hasPrefix("wrote \(place.yesterday) (revision 1) to exports: 12 events of 3 sessions"))
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/exports/day=\(place.yesterday)")
    #expect(
      files.sorted() == ["events.csv.gz", "funnel.csv.gz", "manifest.json", "sessions.csv.gz", "stories.csv.gz"])
    #expect(outputs[1].contains("stored") && outputs[1].contains("3 sessions, 12 events"))
    #expect(outputs[2] == "")  // Nothing has changed.
    #expect(outputs[3] == "UPDATE 1\n")
    let day = place.yesterday.split(separator: "-").compactMap { Int($0) }.map(String.init).joined(separator: ", ")
    let reach = (0...1).map { "(datetime.date(\(day)), 'spring-sale', \($0), 1.0)\n" }
    #expect(outputs[4] == reach.joined())
    let types = ["finish", "page_shown", "start"]
    #expect(outputs[5].split(separator: "\n").map { line in types.first { line.contains($0) } } == types)
    #expect(outputs[6].contains("page_shown    3"), "\(outputs[6])")
    #expect(try place.query("SELECT count(*), sum(presentations) FROM story_days", database: "warehouse") == "1|3")

    // Loaded again, it is still there once.
    let load = try #require(blocks.first { $0.text.hasPrefix("psql warehouse") })
    _ = try place.succeed("/bin/bash", ["-euo", "pipefail", "-c", load.text])
    #expect(try place.query("SELECT count(*), sum(presentations) FROM story_days", database: "warehouse") == "1|3")
    // The new identity makes every day due.
    let again = try #require(blocks.first { $0.text.hasSuffix("--summary json") })
    let line = try JSONValue(text: place.succeed("/bin/bash", ["-c", again.text]))
    #expect(line["day"] == .string(place.yesterday) && line["revision"] == .integer(2))
    #expect(line["reasons"]?.arrayValue?.map { $0["reason"] } == [.string("other_database")])
  }

  private static func isOfCloud(_ block: ReadmeBlock) -> Bool {
    ["bq load", "s3://", "@stage"].contains { block.text.contains($0) }
  }
}
