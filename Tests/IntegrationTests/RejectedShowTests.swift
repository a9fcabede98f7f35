import Foundation
import TestSupport
import Testing

/// What `pagefall rejected show` prints, and who may see it.
@Suite struct RejectedShowTests {
  @Test func `all that is known stands there, and the body`() throws {
    let rows = try RejectedRows()
    try rows.reject(
      Array("{\"type\":\"\u{1B}[31m\\u001b\u{0}\n\u{202E}é\u{1F600}\"}".utf8) + [0xFF, 0xC3, 0x28, 0xED, 0xA0, 0x80],
      place: 3, sent: "'2026-11-29T09:59:58.5Z'", count: 4)
    let run = try rows.run("show", String(try rows.onlyHandle().prefix(5)).uppercased())
    #expect(run.exitCode == 0, "\(run.standardError)")
    let hash = try rows.database.psql("SELECT encode(sha256, 'hex') FROM pagefall.rejected")
    let lines = run.standardOutput.components(separatedBy: "\n")
    #expect(lines.count == 16)
    for line in [
      "handle          \(hash.prefix(12))", "sha256          \(hash)", "app             shop",
      "code            unknown_type", "field           type", "message         as it was then", "times           4",
      "first received  2026-11-29T10:00:05Z", "last received   2026-11-29T10:00:05Z",
      "sent_at         2026-11-29T09:59:58.500Z",
      "place           3 (index in its request from 0, or line of its file)",
      #"{"type":"\u{1B}[31m\u001b\u{0}\u{A}\u{202E}é😀"}\xFF\xC3(\xED\xA0\x80"#,
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  /// Bodies that a careless reader would cut, turn or choke on.
  static let bodies: [[UInt8]] = [
    [], [0], Array(0...255), Array("\u{1B}c\u{9B}2J".utf8), [0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
    [0xF8, 0x88, 0x80, 0x80, 0x80],
    Array("{\"x\":\"\(String(repeating: "\u{0}é", count: 10_920))\"}".utf8), Array(repeating: 0xC0, count: 32 * 1024),
    Array("a\r\nb\n".utf8),
  ]

  @Test(arguments: bodies.indices) func `the body comes out byte for byte, and escaped on one line`(index: Int) throws {
    let rows = try RejectedRows()
    let body = Self.bodies[index]
    try rows.reject(body)
    let handle = try rows.onlyHandle()
    let directory = try TemporaryDirectory()
    let file = "\(directory.path)/body"
    let raw = try PagefallProcess.run(
      [
        "-c", "exec \"$1\" rejected show \(handle) --raw --database \"$2\" > \"$3\"", "sh",
        try PagefallProcess.binaryPath, rows.database.connectionString, file,
      ], binary: "/bin/sh")
    #expect(raw.exitCode == 0, "\(raw.standardError)")
    #expect(FileManager.default.contents(atPath: file).map { [UInt8]($0) } == body)
    let shown = try rows.run("show", handle)
    #expect(shown.exitCode == 0)
    #expect(shown.standardOutput.components(separatedBy: "\n").count == 16)
    let controls = shown.standardOutput.unicodeScalars.filter {
      $0 != "\n" && $0.properties.generalCategory == .control
    }
    #expect(controls.isEmpty)
  }

  @Test func `a handle that means several, or none, is told with what there is`() throws {
    let rows = try RejectedRows(apps: ["shop", "news"])
    let none = try rows.run("show", "ab")
    #expect(none.exitCode == 2)
    #expect(none.standardError == "pagefall: no rejected event has the handle 'ab': nothing is kept as rejected\n")
    try rows.reject(Array("a".utf8))
    try rows.reject(Array("a".utf8), app: "news", code: "invalid_seq")
    let several = try rows.run("show", "ca978112ca1b")
    #expect(several.exitCode == 2)
    #expect(
      several.standardError
        == "pagefall: 'ca978112ca1b' may be ca978112ca1bbdca (shop, unknown_type), ca978112ca1bbdca (news, invalid_seq): "
        + "give more digits, or the app with --app\n")
    #expect(try rows.run("show", "ca978112ca1b", "--app", "news").standardOutput.contains("invalid_seq"))
    let unknown = try rows.run("show", "ffff")
    #expect(unknown.exitCode == 2)
    #expect(unknown.standardError.contains("the newest of 2 are ca978112ca1bbdca (shop, unknown_type), "))
    #expect(unknown.standardError.split(separator: "\n").count == 1)
  }

  @Test func `the report role reads and tries, the ingest role replays, and others are told who grants it`() throws {
    let rows = try RejectedRows()
    try rows.reject(Array(EventText.pageShown(session: 1).utf8))
    let name = rows.database.name
    let roles = ["\(name)_ingest", "\(name)_report", "\(name)_other"]
    for role in roles { _ = try rows.database.psql("CREATE ROLE \(role)") }
    defer {
      let list = roles.joined(separator: ", ")
      _ = try? rows.database.psql("DROP OWNED BY \(list); DROP ROLE \(list)")
    }
    _ = try rows.database.psql(
      """
      SELECT pagefall.grant_ingest('\(roles[0])'), pagefall.grant_report('\(roles[1])');
      GRANT USAGE ON SCHEMA pagefall TO \(roles[2]); GRANT SELECT ON pagefall.migrations TO \(roles[2])
      """)
    func run(_ role: String, _ words: String...) throws -> PagefallProcess.Result {
      try PagefallProcess.run(
        ["rejected"] + words + ["--database", rows.database.connectionString],
        environment: ["PGOPTIONS": "-c role=\(role)"])
    }
    let handle = try rows.onlyHandle()
    for words in [("list", "--limit=1"), ("show", handle), ("replay", "--all")] {
      let other = try run(roles[2], words.0, words.1)
      #expect(other.exitCode == 3)
      #expect(other.standardError.split(separator: "\n").count == 1)
      #expect(other.standardError.contains("pagefall.grant_"), "\(other.standardError)")
    }
    #expect(try run(roles[1], "list").exitCode == 0)
    #expect(try run(roles[1], "show", handle).exitCode == 0)
    #expect(
      try run(roles[1], "replay", "--all", "--dry-run").standardOutput.hasPrefix("would replay 1: pass the rules 1,"))
    let refused = try run(roles[1], "replay", "--all")
    #expect(refused.exitCode == 3)
    #expect(refused.standardError.contains("SELECT pagefall.grant_ingest('ROLE')"), "\(refused.standardError)")
    #expect(refused.standardError.contains("may not replay"), "\(refused.standardError)")
    // Refused in the middle of it, which the rights of tables do not tell.
    _ = try rows.database.psql(
      """
      ALTER TABLE pagefall.spools ENABLE ROW LEVEL SECURITY;
      CREATE POLICY closed ON pagefall.spools FOR INSERT TO \(roles[0]) WITH CHECK (false)
      """)
    let stopped = try run(roles[0], "replay", "--all")
    #expect(stopped.exitCode == 3)
    #expect(stopped.standardError.contains("may not replay"), "\(stopped.standardError)")
    _ = try rows.database.psql(
      "DROP POLICY closed ON pagefall.spools; ALTER TABLE pagefall.spools DISABLE ROW LEVEL SECURITY")
    #expect(try rows.events().isEmpty)
    let replayed = try run(roles[0], "replay", "--all")
    #expect(replayed.exitCode == 0, "\(replayed.standardError)")
    #expect(try rows.events() == "01|0")
    #expect(try rows.handles().isEmpty)
  }
}
