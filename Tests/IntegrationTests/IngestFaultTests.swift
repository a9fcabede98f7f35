import Compression
import Foundation
import TestSupport
import Testing

/// What `pagefall ingest` makes of files with faults.
@Suite struct IngestFaultTests {
  let directory: TemporaryDirectory
  let database: TestDatabase

  init() throws {
    directory = try TemporaryDirectory()
    database = try TestDatabase.migrated()
  }

  @Test func `a file that is not there, or is a directory, is exit code 3 and nothing is stored`() throws {
    let good = try file("good.ndjson", EventText.pageShown(session: 1))
    for bad in ["\(directory.path)/missing.ndjson", directory.path] {
      let run = try ingest([good, bad])
      #expect(run.exitCode == 3)
      #expect(run.standardError.contains(bad))
      #expect(run.standardError.split(separator: "\n").count == 1)
    }
    #expect(try database.psql("SELECT count(*) FROM events") == "0")
  }

  @Test func `each fault is told with its line, and the other lines are stored`() throws {
    let lines = [
      EventText.pageShown(session: 1), "", "{\"type\":\"page_shown\"", "[1,2]",
      EventText.pageShown(session: 2, seq: -1), EventText.pageShown(session: 3),
    ]
    let path = try file("mixed.ndjson", lines.joined(separator: "\r\n"))
    let run = try ingest([path])
    #expect(run.exitCode == 1)
    #expect(run.standardOutput.hasPrefix("stored 2, duplicates 0, rejected 3\n"))
    for (line, code) in [(3, "invalid_json"), (4, "not_an_object"), (5, "invalid_seq")] {
      #expect(run.standardOutput.contains("\(path), line \(line): \(code)"), "\(run.standardOutput)")
    }
    let again = try ingest([path])
    #expect(again.standardOutput.hasPrefix("stored 0, duplicates 2, rejected 3\n"), "\(again.standardOutput)")
    #expect(try database.psql("SELECT count(*) FROM events") == "2")
    #expect(try database.psql("SELECT count(*) FROM pagefall.rejected") == "3")
  }

  @Test func `a file with every reason gets every reason once`() throws {
    let path = try file("all.ndjson", Self.faults.map(\.event).joined(separator: "\n"))
    let run = try ingest([path])
    #expect(run.exitCode == 1)
    let told = Self.faults.map { "  \($0.code) 1" }
    for line in told { #expect(run.standardOutput.components(separatedBy: "\n").contains(line), "\(line)") }
    #expect(run.standardOutput.hasPrefix("stored 0, duplicates 0, rejected \(Self.faults.count)\n"))
    let report = try FunnelComparison.report(database.connectionString)
    let counted = report["completeness"]?["rejected_events"]?.objectValue ?? []
    #expect(Set(counted.map(\.key)) == Set(Self.faults.map(\.code)))
  }

  @Test(arguments: [CompressionFormat.gzip, .zstd])
  func `a compressed file that breaks off is told, what came before stays, and the whole may follow`(
    format: CompressionFormat
  ) throws {
    let text = (1...2_000).map { EventText.pageShown(session: $0) }.joined(separator: "\n")
    let whole = try Array(text.utf8).withUnsafeBytes { try compress($0, format) }
    let path = "\(directory.path)/cut"
    try Data(whole.dropLast(whole.count / 3)).write(to: URL(fileURLWithPath: path))
    let cut = try ingest([path])
    #expect(cut.exitCode == 1)
    #expect(cut.standardError.contains(path))
    #expect(cut.standardError.split(separator: "\n").count == 1)
    #expect(cut.standardError.contains("what came before it is stored"))
    // Two thirds of the bytes are there, and so are the events in them, but for what the decompressor had not put out.
    let stored = try #require(Int(database.psql("SELECT count(*) FROM events")))
    #expect((1..<2_000).contains(stored))
    #expect(cut.standardOutput.hasPrefix("stored \(stored), duplicates 0"))
    try Data(whole).write(to: URL(fileURLWithPath: path))
    #expect(try ingest([path]).exitCode == 0)
    #expect(try database.psql("SELECT count(*) FROM events") == "2000")
  }

  @Test func `a session of another app and a repeat with other content are counted, and exit code 1`() throws {
    #expect(try ingest([file("first", EventText.pageShown(session: 1)), "--app", "shop"]).exitCode == 0)
    let foreign = try ingest([file("second", EventText.pageShown(session: 1, seq: 1)), "--app", "other"])
    #expect(foreign.exitCode == 1)
    #expect(foreign.standardOutput.contains("foreign_session 1"))
    let changed = EventText.pageShown(session: 1).replacingOccurrences(of: "10:00:00", with: "10:00:01")
    let conflict = try ingest([file("third", changed), "--app", "shop"])
    #expect(conflict.exitCode == 1)
    #expect(conflict.standardOutput.contains("conflicting_duplicate 1"))
    #expect(try database.psql("SELECT count(*) FROM events") == "1")
  }

  @Test func `an empty file has no events, and that is no fault`() throws {
    let run = try ingest([file("empty", ""), file("blank", "\n\r\n\n")])
    #expect(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardOutput.hasPrefix("stored 0, duplicates 0, rejected 0\n"))
  }

  /// One event for each reason of contract §2 that a file can have, each the first that applies.
  private static let faults: [(event: String, code: String)] = [
    ("{", "invalid_json"), ("7", "not_an_object"),
    (
      EventText.pageShown(session: 1, page: ",\"x\":\"\(String(repeating: "x", count: 33_000))\""), "event_too_large"
    ),
    (
      EventText.pageShown(
        session: 1, page: ",\"x\":\(String(repeating: "[", count: 16))\(String(repeating: "]", count: 16))"),
      "nested_too_deeply"
    ),
    (EventText.pageShown(session: 1, page: ",\"seq\":0"), "duplicate_field"), ("{}", "missing_field"),
    (EventText.pageShown(session: 1).replacingOccurrences(of: "page_shown", with: "page_seen"), "unknown_type"),
    (EventText.pageShown(session: 1).replacingOccurrences(of: "01a226bf", with: "z"), "invalid_session_id"),
    (EventText.pageShown(session: 1, seq: -1), "invalid_seq"),
    (EventText.pageShown(session: 1).replacingOccurrences(of: "2026", with: "10000"), "invalid_timestamp"),
    (EventText.pageShown(session: 1).replacingOccurrences(of: "index\":0", with: "index\":1000"), "invalid_page_index"),
    (
      EventText.pageShown(session: 1, page: ",\"page_count\":0").replacingOccurrences(of: "page_shown", with: "start"),
      "invalid_page_count"
    ),
    (EventText.pageShown(session: 1, page: ",\"context\":{\"user_id\":\"\\u0000\"}"), "invalid_text"),
    (
      EventText.pageShown(
        session: 1, page: ",\"context\":{\"user_id\":\"\(String(repeating: "x", count: 1_025))\"}"), "text_too_long"
    ),
    (
      EventText.pageShown(
        session: 1,
        page: ",\"context\":{\"properties\":{\((1...33).map { "\"p\($0)\":1" }.joined(separator: ","))}}"),
      "too_many_properties"
    ),
    (EventText.pageShown(session: 1, page: ",\"context\":[]"), "invalid_field"),
  ]

  private func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory.path)/\(name)"))
    return "\(directory.path)/\(name)"
  }

  private func ingest(_ arguments: [String]) throws -> PagefallProcess.Result {
    try PagefallProcess.run(["ingest", "--database", database.connectionString] + arguments)
  }
}
