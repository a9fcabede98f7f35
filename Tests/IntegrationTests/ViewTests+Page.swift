import TestSupport
import Testing

extension ViewTests {
  @Test func `the SQL of docs/views.md runs as it stands, and finds something`() throws {
    let database = try TestDatabase.migrated()
    let blocks = try ReadmeBlock.all(of: "docs/views.md").filter { $0.language == "sql" }
    try #require(blocks.count >= 5)
    for block in blocks { _ = try database.psql(block.text) }

    // A story of the page's name, which began a minute ago, and in November 2026.
    let run = try PagefallProcess.run(
      ["simulate", "--story", "spring-sale", "--sessions", "50", "--over", "1h", "--out", "-"])
    let november = try PagefallProcess.run(
      ["simulate", "--story", "spring-sale", "--sessions", "50", "--over", "1h", "--out", "-", "--seed", "2"]
        + ["--ending", "2026-11-20T12:00:00Z"])
    for events in [run.standardOutput, november.standardOutput] {
      let stored = try PagefallProcess.run(
        ["ingest", "-", "--app", "shop", "--database", database.connectionString], input: Array(events.utf8))
      try #require(stored.exitCode == 0, "\(stored.standardError)")
    }
    for block in blocks where block.text.hasPrefix("SELECT") {
      #expect(try !database.psql(block.text).isEmpty, "\(block.text)")
    }
  }
}
