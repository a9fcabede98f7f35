import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall report sessions` and `pagefall report session`, as a person uses them.
@Suite struct SessionReportTests {
  private func run(_ database: TestDatabase, _ words: [String]) throws -> PagefallProcess.Result {
    try PagefallProcess.run(["report"] + words + ["--database", database.connectionString])
  }

  @Test func `a session that a collector took is found, and told as a timeline`() throws {
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let collector = try RunningCollector(directory.path, database: database.connectionString, ["--open"])
    let id = EventText.sessionID(1)
    let rejected = EventText.pageShown(session: 1, seq: -1)
    let body = "[\(EventText.pageShown(session: 1, seq: 1)),\(EventText.pageShown(session: 1, seq: 3)),\(rejected)]"
    let answer = try HTTPCall.postEvents(body, port: collector.port)
    #expect(answer.status == 202, "\(answer.body)")
    var watcher = try EventWatcher(database.connectionString)
    _ = try watcher.wait(forSession: id)

    let list = try run(database, ["sessions", "--where", "missing_events=yes", "--format", "json"])
    #expect(list.exitCode == 0, "\(list.standardError)")
    let sessions = try JSONValue(text: list.standardOutput)["sessions"]?.arrayValue ?? []
    #expect(sessions.map { $0["session_id"]?.stringValue } == [id])
    #expect(sessions.first?["missing_events"]?.integerValue == 2)
    #expect(
      try run(database, ["sessions", "--where", "finished=yes"]).standardOutput.hasPrefix("No session is like this"))

    for reference in [id, id.uppercased(), String(id.prefix(18))] {
      let session = try run(database, ["session", reference])
      #expect(session.exitCode == 0, "\(session.standardError)")
      for part in [
        "Session \(id)", "missing: never arrived", "seq 2 is missing before page 0", "no start arrived",
        "invalid_seq seq: ", "It counts among the sessions without a start.",
      ] { #expect(session.standardOutput.contains(part), "\(part) in \(session.standardOutput)") }
    }
    let json = try JSONValue(text: run(database, ["session", id, "--format", "json"]).standardOutput)
    #expect(json["rejected"]?["found"]?.integerValue == 1)
    #expect(json["counts"]?["session"]?["counts"] == .bool(true))
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test(arguments: [
    (["session"], "say which session"), (["session", "a", "b"], "say which session"),
    (["session", "01a226bf"], "at least the first 18"), (["session", "\u{1B}[2J"], "is no session id"),
    (["session", "01a226bf-4900-7cc1-9d2e-0000000000ff"], "it may not have arrived yet"),
    (["session", "01a226bf-4900-7cc1", "--format", "csv"], "expected table or json"),
    (["sessions", "--limit", "0"], "expected a number from 1 to 10000"),
    (["sessions", "--limit", "10001"], "expected a number from 1 to 10000"),
    (["sessions", "--where", "colour=red"], "there is no field 'colour'"),
    (["sessions", "--app", "nobody"], "there is no app 'nobody'"),
    (["sessions", "--story", "nothing"], "there is no story 'nothing'"),
  ])
  func `what cannot be answered is told in one line, and is exit code 2`(words: [String], part: String) throws {
    let run = try run(TestDatabase.unchanged(), words)
    #expect(run.exitCode == 2)
    #expect(run.standardOutput.isEmpty)
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(run.standardError.contains(part), "\(run.standardError)")
  }

  @Test(arguments: [
    ("table", "No app has sent anything yet.\n"),
    ("csv", "session_id,started_at,"), ("json", "{\n  \"report\": \"sessions\""),
  ])
  func `an empty database is no fault`(format: String, beginning: String) throws {
    let run = try run(TestDatabase.unchanged(), ["sessions", "--format", format])
    #expect(run.exitCode == 0)
    #expect(run.standardOutput.hasPrefix(beginning), "\(run.standardOutput)")
  }
}
