import Foundation
import FunnelDocument
import TestSupport
import Testing

/// Texts come from senders, and are shown to people.
@Suite struct HostileTextTests {
  /// A title that would colour, ring, go back, turn around and clear, were it obeyed.
  private static let title = "\\u001b[31mred\\u0007\\r\\nnext\\u202etxt\\u009b2J\\u0008"

  @Test(arguments: ["table", "markdown"])
  func `control characters in a title are shown and never obeyed`(format: String) throws {
    let database = try TestDatabase.migrated()
    let event = EventText.pageShown(
      session: 1,
      page: ",\"page\":{\"title\":\"\(Self.title)\"},\"context\":{\"story_id\":\"\(Self.title)\"}")
    let stored = try PagefallProcess.run(
      ["ingest", "-", "--database", database.connectionString], input: Array(event.utf8))
    try #require(stored.exitCode == 0, "\(stored.standardOutput)")
    for arguments in [[], ["--by", "story_id"]] {
      let run = try PagefallProcess.run(
        ["report", "funnel", "--format", format, "--database", database.connectionString] + arguments)
      try #require(run.exitCode == 0, "\(run.standardError)")
      let obeyed = run.standardOutput.unicodeScalars.filter { scalar in
        scalar != "\n" && (scalar.properties.generalCategory == .control || scalar == "\u{202E}")
      }
      #expect(obeyed.isEmpty, "\(Array(obeyed)) in \(run.standardOutput.debugDescription)")
      #expect(run.standardOutput.contains("red"))
    }
  }

  @Test(arguments: [
    ["funnel"], ["stories"], ["sessions"], ["quality"], ["compare", "--a", "app=demo", "--b", "tapped=yes"],
  ])
  func `control characters in JSON are written so that programs read them and terminals do not`(
    report: [String]
  ) throws {
    let database = try TestDatabase.migrated()
    let event = EventText.pageShown(
      session: 1,
      page:
        ",\"page\":{\"title\":\"\(Self.title)\"},\"context\":{\"story_id\":\"\(Self.title)\",\"app_version\":\"\(Self.title)\"}"
    )
    try #require(
      try PagefallProcess.run(["ingest", "-", "--database", database.connectionString], input: Array(event.utf8))
        .exitCode == 0)
    let run = try PagefallProcess.run(
      ["report"] + report + ["--format", "json", "--database", database.connectionString])
    try #require(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardOutput.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 0x20 && $0.value < 0x7F) })
    #expect(run.standardOutput.contains("\\u009b2J"))
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(run.standardOutput.utf8)) }
  }
}
