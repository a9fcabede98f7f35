import Foundation
import TestSupport
import Testing

/// Bodies that want to be more than one event, and batches of which only a part was kept.
@Suite struct RejectedReplayEdgeTests {
  private static let good = EventText.pageShown(session: 1)

  /// Kept as this code, the body, and what the replay says of it.
  static let hostile: [(code: String, body: [UInt8], told: String)] = [
    // Would end a batch that it is put into.
    ("invalid_json", Array("\(good),\(good)".utf8), "still rejected 1 (invalid_json 1)"),
    ("invalid_json", Array("\(good)]},\(good)".utf8), "still rejected 1 (invalid_json 1)"),
    ("unknown_type", Array("\(good)],\"context\":{},\"x\":[\(good)".utf8), "still rejected 1 (invalid_json 1)"),
    ("unknown_type", Array("],\"events\":[\(good)".utf8), "still rejected 1 (invalid_json 1)"),
    // Is a batch or a list, and stood where an event had to stand.
    ("missing_field", Array("{\"events\":[\(good)]}".utf8), "still rejected 1 (missing_field 1)"),
    ("not_an_object", Array("[\(good)]".utf8), "still rejected 1 (not_an_object 1)"),
    ("not_an_object", Array("7".utf8), "still rejected 1 (not_an_object 1)"),
    // Control characters, bytes, nothing.
    ("invalid_json", Array("{\"type\":\"a\nb\"}".utf8), "still rejected 1 (invalid_json 1)"),
    ("invalid_json", Array(good.utf8) + [0], "still rejected 1 (invalid_json 1)"),
    ("invalid_json", [0xFF, 0xFE, 0x00], "still rejected 1 (invalid_json 1)"),
    ("unknown_type", [], "still rejected 1 (invalid_json 1)"),
    ("unknown_type", Array(" \n".utf8), "still rejected 1 (invalid_json 1)"),
    (
      "invalid_text", Array(EventText.pageShown(session: 1, page: ",\"context\":{\"user_id\":\"\\u0000\"}").utf8),
      "still rejected 1 (invalid_text 1)"
    ),
    // Of every size.
    (
      "unknown_type",
      Array(EventText.pageShown(session: 1, page: ",\"x\":\"\(String(repeating: "x", count: 33_000))\"").utf8),
      "still rejected 1 (event_too_large 1)"
    ),
    ("unreadable", [0x1F, 0x8B, 8, 0, 0, 0], "still rejected 1 (unreadable 1)"),
    ("unreadable", [], "still rejected 1 (unreadable 1)"),
    ("unreadable", Array("7".utf8), "still rejected 1 (unreadable 1)"),
  ]

  @Test func `a body is one event or none`() throws {
    let rows = try RejectedRows()
    for (code, body, told) in Self.hostile {
      let name: Comment = "\(code): \(String(decoding: body.prefix(100), as: UTF8.self))"
      _ = try rows.database.psql("DELETE FROM pagefall.rejected")
      try rows.reject(body, code: code, field: nil)
      let before = try rows.handles()
      let run = try rows.run("replay", "--all")
      #expect(run.exitCode == 1, name)
      #expect(run.standardOutput == "replayed 1, stored 0, duplicates 0, \(told)\n", name)
      #expect(try rows.handles() == before, name)
    }
    #expect(try rows.events().isEmpty)
  }

  @Test(arguments: [
    ("event_too_large", "convert_to(repeat('a', 1048576), 'UTF8')", "event_too_large"),
    ("nested_too_deeply", "convert_to(repeat('[', 2000000), 'UTF8')", "invalid_json"),
    ("unreadable", "convert_to(repeat('[', 16000000), 'UTF8')", "unreadable"),
    ("unreadable", "convert_to('[' || repeat('7,', 10000) || '7]', 'UTF8')", "unreadable"),
  ])
  func `a body of any size is judged in bounded memory`(code: String, body: String, now: String) throws {
    let rows = try RejectedRows()
    try rows.reject(sql: body, code: code, field: nil)
    let run = try PagefallProcess.run(
      [
        "-c", "ulimit -v 1500000; exec \"$1\" rejected replay --all --database \"$2\"", "sh",
        try PagefallProcess.binaryPath, rows.database.connectionString,
      ], binary: "/bin/sh")
    #expect(run.exitCode == 1, "\(run.standardError)")
    #expect(run.standardOutput == "replayed 1, stored 0, duplicates 0, still rejected 1 (\(now) 1)\n")
  }

  @Test func `an event of 32 KiB, over several lines or with white space around it, is an event`() throws {
    let rows = try RejectedRows()
    let filler = 32 * 1024 - EventText.pageShown(session: 1, page: ",\"x\":\"\"").utf8.count
    try rows.reject(
      Array(EventText.pageShown(session: 1, page: ",\"x\":\"\(String(repeating: "x", count: filler))\"").utf8))
    try rows.reject(Array(EventText.pageShown(session: 2).replacingOccurrences(of: ",", with: ",\r\n\t").utf8))
    try rows.reject(Array(" \(EventText.pageShown(session: 3))\n".utf8), code: "invalid_json", field: nil)
    #expect(try rows.run("replay", "--all").standardOutput == "replayed 3, stored 3, duplicates 0, still rejected 0\n")
    #expect(try rows.events() == "01|0 02|0 03|0")
    #expect(try rows.handles().isEmpty)
  }

  @Test(arguments: ["unreadable", "invalid_json"])
  func `what was kept as a whole comes apart into its events, with their batch's context and times`(code: String) throws
  {
    let rows = try RejectedRows()
    let bad = EventText.pageShown(session: 3, seq: -1)
    let batch = """
      {"sent_at":"2026-11-29T09:00:05Z","context":{"story_id":"s"},"events":[\(Self.good),\(bad)],"dropped_events_total":4}
      """
    try rows.reject(Array(batch.utf8), code: code, field: nil, count: 6)
    let run = try rows.run("replay", "--all")
    #expect(run.exitCode == 1)
    #expect(run.standardOutput == "replayed 1, stored 1, duplicates 0, still rejected 1 (invalid_seq 1)\n")
    #expect(
      try rows.database.psql("SELECT story_id, clock_offset FROM story_sessions") == "s|01:00:00")
    #expect(
      try rows.database.psql(
        "SELECT code, count, convert_from(body, 'UTF8') = '\(bad)', first_received_at = '2026-11-29T10:00:05Z' FROM pagefall.rejected"
      )
        == "invalid_seq|1|t|t")
    // The same again, as after a crash before the whole was taken out: nothing is doubled.
    try rows.reject(Array(batch.utf8), code: code, field: nil)
    let again = try rows.run("replay", "--code", code)
    #expect(again.standardOutput == "replayed 1, stored 0, duplicates 1, still rejected 1 (invalid_seq 1)\n")
    #expect(try rows.database.psql("SELECT code, count FROM pagefall.rejected") == "invalid_seq|1")
  }

  @Test func `an unreadable body that is one event is replayed as such`() throws {
    let rows = try RejectedRows()
    try rows.reject(Array(Self.good.utf8), code: "unreadable", field: nil)
    #expect(try rows.run("replay", "--all").exitCode == 0)
    #expect(try rows.events() == "01|0")
    #expect(try rows.handles().isEmpty)
  }

  @Test func `a fault of the batch's context stands, for the context is not kept; without it only when asked`() throws {
    let rows = try RejectedRows()
    let batch = "{\"context\":{\"story_id\":7},\"events\":[\(Self.good)]}"
    let own = EventText.pageShown(session: 2, page: ",\"context\":{\"story_id\":\"good now\"}")
    let real = try PagefallProcess.run(
      ["ingest", "-", "--app", "shop", "--database", rows.database.connectionString], input: Array(batch.utf8))
    #expect(real.exitCode == 1)
    try rows.reject(Array(own.utf8), code: "text_too_long", field: "story_id")
    let run = try rows.run("replay", "--all")
    #expect(run.exitCode == 1)
    #expect(run.standardOutput == "replayed 2, stored 1, duplicates 0, still rejected 1 (invalid_field 1)\n")
    #expect(run.standardError.contains("--without-context takes them without one"))
    #expect(try rows.database.psql("SELECT code, count FROM pagefall.rejected") == "invalid_field|1")
    let forced = try rows.run("replay", "--all", "--without-context")
    #expect(forced.exitCode == 0)
    #expect(try rows.database.psql("SELECT count(*), max(story_id) FROM story_sessions") == "2|good now")
  }

  @Test func `a session that others made keeps its context`() throws {
    let rows = try RejectedRows()
    try rows.reject(Array(Self.good.utf8))
    let batch = "{\"context\":{\"story_id\":\"s\"},\"events\":[\(EventText.pageShown(session: 1, seq: 1))]}"
    #expect(try rows.run("replay", "--all").exitCode == 0)
    _ = try PagefallProcess.run(
      ["ingest", "-", "--app", "shop", "--database", rows.database.connectionString], input: Array(batch.utf8))
    #expect(try rows.database.psql("SELECT story_id FROM story_sessions") == "s")
  }
}
