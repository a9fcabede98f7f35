import Foundation
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
}
