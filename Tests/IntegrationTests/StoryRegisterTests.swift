import Foundation
import FunnelDocument
import TestSupport
import Testing

/// How reports come to the names of pages, and what they say where those changed.
@Suite struct StoryRegisterTests {
  /// The command on one database.
  private struct Commands {
    let connectionString: String

    func run(_ arguments: [String]) throws -> PagefallProcess.Result {
      try PagefallProcess.run(arguments + ["--database", connectionString])
    }
  }

  private static func message(_ titles: [String], storyID: String? = "sale") -> String {
    let pages = titles.map { #"{"image": "https://a.example/\#($0).png", "title": "\#($0)", "link": "app://\#($0)"}"# }
    let id = storyID.map { #""story_id": "\#($0)", "# } ?? ""
    return #"{"pw_stories": {\#(id)"pages": [\#(pages.joined(separator: ", "))]}}"#
  }

  private static func event(_ number: Int, title: String, received: String) -> String {
    let id = "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e\(String(format: "%02x", number))"
    return
      #"{"received_at": "\#(received)", "context": {"story_id": "sale"}, "events": [{"type": "page_shown", "session_id": "\#(id)", "seq": 0, "at": "2026-11-27T10:00:00Z", "page_index": 0, "page": {"title": "\#(title)"}}]}"#
  }

  private static func funnel(
    _ pagefall: Commands, _ arguments: String...
  ) throws -> JSONValue {
    let run = try pagefall.run(["report", "funnel", "--format", "json"] + arguments)
    try #require(run.exitCode == 0, "\(run.standardError)")
    return try JSONValue(text: run.standardOutput)
  }

  private static func pages(_ funnel: JSONValue, _ key: String) -> [String?] {
    (funnel["pages"]?.arrayValue ?? []).map { $0[key]?.stringValue }
  }

  @Test func `a registered message names the pages, their links too, until events bring newer names`() throws {
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let pagefall = Commands(connectionString: database.connectionString)
    let file = directory.path + "/message.json"
    try Self.message(["One", "Two"]).write(toFile: file, atomically: true, encoding: .utf8)
    let events = directory.path + "/events.ndjson"
    try Self.event(1, title: "Old", received: "2026-11-27T10:00:00Z").write(
      toFile: events, atomically: true, encoding: .utf8)
    #expect(try pagefall.run(["ingest", events]).exitCode == 0)
    #expect(Self.pages(try Self.funnel(pagefall), "title") == ["Old"])

    let run = try pagefall.run(["story", "register", file])
    #expect(run.standardOutput == "2 pages of 'sale' in 'demo': 2 new or changed\n" && run.exitCode == 0)
    #expect(try pagefall.run(["story", "register", file]).standardOutput.hasSuffix("0 new or changed\n"))
    let piped = try PagefallProcess.run(
      ["story", "register", "-", "--database", database.connectionString],
      input: Array(Self.message(["One", "Two"]).utf8))
    #expect(piped.standardOutput.hasSuffix("0 new or changed\n"), "\(piped.standardError)")
    let registered = try Self.funnel(pagefall)
    #expect(Self.pages(registered, "title") == ["One"] && Self.pages(registered, "link") == ["app://One"])

    try Self.event(2, title: "New", received: "2026-11-29T10:00:00Z").write(
      toFile: events, atomically: true, encoding: .utf8)
    #expect(try pagefall.run(["ingest", events]).exitCode == 0)
    #expect(Self.pages(try Self.funnel(pagefall), "title") == ["New"])
  }

  @Test func `where a page changed within the range, every format says so`() throws {
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let pagefall = Commands(connectionString: database.connectionString)
    let events = directory.path + "/events.ndjson"
    for (number, title) in ["A", "B", "B", "C"].enumerated() {
      try Self.event(number, title: title, received: "2026-11-\(20 + number)T10:00:00Z").write(
        toFile: events, atomically: true, encoding: .utf8)
      #expect(try pagefall.run(["ingest", events]).exitCode == 0)
    }
    let changes = try Self.funnel(pagefall)["page_changes"]?.arrayValue ?? []
    #expect(changes.map { $0["changed_at"]?.stringValue } == ["2026-11-21T10:00:00Z", "2026-11-23T10:00:00Z"])
    let titles = changes.compactMap { $0["fields"]?.arrayValue?.first }
    #expect(
      titles.map { $0["before"]?.stringValue } == ["A", "B"] && titles.map { $0["after"]?.stringValue } == ["B", "C"])
    let sentence = "Page 0 changed on 2026-11-23 10:00: title was 'B', then 'C'."
    for format in ["table", "markdown"] {
      let text = try pagefall.run(["report", "funnel", "--format", format]).standardOutput
      #expect(text.replacing("\n", with: " ").contains(sentence), "\(text)")
    }
    let later = try Self.funnel(pagefall, "--from", "2026-11-22", "--to", "2026-11-28")["page_changes"]?.arrayValue
    #expect(later?.count == 1)
  }

  @Test func `pages that take turns cost a row an hour, and five at most`() throws {
    let database = try TestDatabase.migrated()
    _ = try database.psql(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, updated_at) VALUES (1, 's', 0, 'A', now())
      """)
    for hour in 0..<8 {
      for minute in 0..<3 {
        _ = try database.psql(
          """
          UPDATE pagefall.story_pages SET title = '\(hour) \(minute)',
            updated_at = '2026-11-29T\(String(format: "%02d:%02d", hour, minute)):00Z'
          """)
      }
    }
    #expect(
      try database.psql("SELECT string_agg(title, ',' ORDER BY changed_at) FROM pagefall.story_page_changes")
        == "2 2,3 2,4 2,5 2,6 2")
  }

  @Test func `a value that comes where there was none is no change`() throws {
    let database = try TestDatabase.migrated()
    _ = try database.psql(
      """
      INSERT INTO pagefall.story_pages (app_id, story_id, page_index, title, updated_at) VALUES (1, 's', 0, 'A', now());
      UPDATE pagefall.story_pages SET link = 'app://x', duration = 5
      """)
    #expect(try database.psql("SELECT count(*) FROM pagefall.story_page_changes") == "0")
  }

  @Test func `pages of sessions without a story are named as the reports call those`() throws {
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let pagefall = Commands(connectionString: database.connectionString)
    let file = directory.path + "/message.json"
    try Self.message(["One"]).write(toFile: file, atomically: true, encoding: .utf8)
    let event =
      #"{"type": "page_shown", "session_id": "01a226bf-4900-7cc1-9d2e-5a1b2c3d4e5f", "seq": 0, "at": "2026-11-27T10:00:00Z", "page_index": 0}"#
    try event.write(toFile: directory.path + "/event.json", atomically: true, encoding: .utf8)
    #expect(try pagefall.run(["ingest", directory.path + "/event.json"]).exitCode == 0)
    #expect(try pagefall.run(["story", "register", file, "--story", "(none)"]).exitCode == 0)
    #expect(Self.pages(try Self.funnel(pagefall, "--story", "(none)"), "title") == ["One"])
  }

  @Test(arguments: [
    ("/dev/zero", Int32(1), "more than 16 MiB"), ("/", 3, "directory"), ("/nowhere", 3, "No such file"),
  ])
  func `a file without an end, and what is no file, are refused in one line`(
    path: String, exitCode: Int32, sentence: String
  ) throws {
    for arguments in [["story", "register", path], ["simulate", "--sessions", "1", "--out", "-", "--message", path]] {
      let run = try PagefallProcess.run(arguments)
      #expect(run.exitCode == exitCode && run.standardError.contains(sentence), "\(arguments) \(run.standardError)")
      #expect(run.standardError.split(separator: "\n").count == 1)
    }
  }

  @Test(arguments: [
    (#"{"pw_stories": {"pages": []}}"#, [], Int32(1), "falls back on a phone (no_usable_page)"),
    ("nonsense", [], 1, "the message is not JSON"),
    (message(["A"], storyID: nil), [], 2, "--story ID"),
    (message(["A"]), ["--story", String(repeating: "x", count: 201)], 2, "at most 200 bytes"),
    (message(["A"]), ["--app", ""], 2, "app"),
  ])
  func `what cannot be registered is refused in one line`(
    message: String, options: [String], exitCode: Int32, sentence: String
  ) throws {
    let directory = try TemporaryDirectory()
    let file = directory.path + "/message.json"
    try message.write(toFile: file, atomically: true, encoding: .utf8)
    let run = try Commands(connectionString: TestDatabase.unchanged().connectionString).run(
      ["story", "register", file] + options)
    #expect(run.exitCode == exitCode && run.standardError.contains(sentence), "\(run.standardError)")
    #expect(run.standardError.split(separator: "\n").count == 1)
  }
}
