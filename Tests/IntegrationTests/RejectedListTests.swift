import Foundation
import FunnelDocument
import TestSupport
import Testing

/// What `pagefall rejected list` prints.
@Suite struct RejectedListTests {
  private func rows() throws -> RejectedRows {
    let rows = try RejectedRows(apps: ["shop", "news"])
    try rows.reject(Array("a".utf8), code: "invalid_seq", field: "seq", received: "'2026-11-27T10:00:00Z'", count: 7)
    try rows.reject(Array("b".utf8), app: "news", received: "'2026-11-29T10:00:00Z'")
    try rows.reject(Array("c".utf8), code: "invalid_json", field: nil, received: "'2026-11-28T10:00:00.25Z'", count: 2)
    try rows.reject(Array("d".utf8), app: "news", code: "invalid_seq", field: "seq", received: "'2026-11-26T10:00:00Z'")
    return rows
  }

  /// One database for all that only read.
  private static let shared = Result { try RejectedListTests().rows() }

  @Test func `the newest stands first, and the last line counts all of them by code`() throws {
    let run = try Self.shared.get().run("list", "--limit", "3")
    #expect(run.exitCode == 0 && run.standardError.isEmpty, "\(run.standardError)")
    #expect(
      run.standardOutput == """
        times  code          field  app   first received        last received         handle        message
            1  unknown_type  type   news  2026-11-29T10:00:00Z  2026-11-29T10:00:00Z  3e23e8160039  as it was then
            2  invalid_json         shop  2026-11-28T10:00:00Z  2026-11-28T10:00:00Z  2e7d2c03a950  as it was then
            7  invalid_seq   seq    shop  2026-11-27T10:00:00Z  2026-11-27T10:00:00Z  ca978112ca1b  as it was then
        3 of 4 rejected events, which came 11 times: invalid_seq 2, invalid_json 1, unknown_type 1

        """)
  }

  @Test(arguments: [
    (["--app", "news"], "b d"), (["--app", "news", "--app", "shop"], "b c a d"), (["--code", "invalid_seq"], "a d"),
    (["--code", "invalid_seq", "--code", "invalid_json"], "c a d"), (["--from", "2026-11-28"], "b c"),
    (["--to", "2026-11-27"], "a d"), (["--to", "2026-11-27T10:00:00Z"], "d"),
    (["--from", "2026-11-27", "--to", "2026-11-28", "--app", "shop"], "c a"), (["--from", "2026-11-30"], ""),
  ])
  func `a filter holds for the rows and for the totals`(arguments: [String], expected: String) throws {
    let names = ["ca978112ca1b": "a", "3e23e8160039": "b", "2e7d2c03a950": "c", "18ac3e7343f0": "d"]
    let run = try Self.shared.get().runList(arguments + ["--format", "json"])
    #expect(run.exitCode == 0, "\(run.standardError)")
    let document = try JSONValue(text: run.standardOutput)
    let found = (document["rejected"]?.arrayValue ?? []).map { names[$0["handle"]?.stringValue ?? ""] ?? "?" }
    #expect(found.joined(separator: " ") == expected)
    #expect(document["events"]?.integerValue == found.count)
    let byCode = (document["by_code"]?.objectValue ?? []).reduce(0) { $0 + ($1.value.integerValue ?? 0) }
    #expect(byCode == found.count)
  }

  @Test func `CSV has a line an event, and its totals on the other stream`() throws {
    let run = try Self.shared.get().run("list", "--format", "csv", "--code", "invalid_json")
    let lines = run.standardOutput.components(separatedBy: "\r\n")
    #expect(
      lines == [
        "handle,app,code,field,message,count,first_received_at,last_received_at,sent_at,place,bytes,sha256",
        "2e7d2c03a950,shop,invalid_json,,as it was then,2,2026-11-28T10:00:00.250Z,2026-11-28T10:00:00.250Z,,0,1,"
          + "2e7d2c03a9507ae265ecf5b5356885a53393a2029d241394997265a1a25aefc6", "",
      ])
    #expect(run.standardError == "pagefall: 1 of 1 rejected events, which came 2 times: invalid_json 1\n")
  }

  @Test(arguments: [
    ("table", "no rejected events\n"),
    ("json", "{ \"rejected\": [], \"events\": 0, \"times\": 0, \"by_code\": {} }\n"),
  ])
  func `nothing rejected is no fault`(format: String, expected: String) throws {
    let run = try PagefallProcess.run(
      ["rejected", "list", "--format", format, "--database", TestDatabase.unchanged().connectionString])
    #expect(run.exitCode == 0)
    #expect(run.standardOutput == expected)
  }

  @Test(arguments: [
    (["list", "--app", "nobody"], "there is no app 'nobody'; there is 'news', 'shop'"),
    (["list", "--code", "invalid_sec"], "there is no code 'invalid_sec'; did you mean invalid_seq?"),
    (["list", "--from", "soon"], "'soon' is not a time"),
    (["list", "--from", "2026-11-02", "--to", "2026-11-01"], "lies before --from"),
    (["list", "--limit", "0"], "--limit is '0'; expected a number from 1 to 10000"),
    (["list", "--format", "xml"], "expected table, json or csv"), (["list", "here"], "takes no operands"),
    (["show"], "say which event"), (["show", "a", "b"], "say which event"), (["show", "\u{1B}"], "is no handle"),
    (["show", ""], "is no handle"), (["show", String(repeating: "a", count: 65)], "is no handle"),
    (["replay"], "say which events"), (["replay", "--dry-run"], "say which events"),
    (["replay", "--all", "ca"], "not both"), (["replay", "xyz"], "is no handle"),
    (["replay", "ffff"], "the newest of 4 are 3e23e81600395"), (["replay", "--app", "nobody"], "there is no app"),
    (["replay", "ca97", "--app", "news"], "no rejected event of this filter has the handle 'ca97'"),
    (["list", "--codes", "x"], "did you mean --code?"), (["lost"], "there is: list, show, replay"),
  ])
  func `a wrong command line is told in one line, and is exit code 2`(words: [String], part: String) throws {
    let rows = try Self.shared.get()
    let run = try PagefallProcess.run(["rejected"] + words + ["--database", rows.database.connectionString])
    #expect(run.exitCode == 2)
    #expect(run.standardOutput.isEmpty)
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(run.standardError.contains(part), "\(run.standardError)")
  }

  @Test(arguments: ["table", "json", "csv"])
  func `texts of senders are shown and never obeyed`(format: String) throws {
    let rows = try RejectedRows(apps: ["\u{1B}[2J\u{202E}app"])
    let message = "=\"\u{1B}]0;x\u{07}\u{9B}2J\u{202E}\u{2028}\r\nnext\u{E000}\u{1F600}"
    try rows.reject(Array("x".utf8), app: "\u{1B}[2J\u{202E}app", code: "later\u{7}", message: message)
    let run = try rows.run("list", "--format", format)
    #expect(run.exitCode == 0)
    let obeyed = (run.standardOutput + run.standardError).unicodeScalars.filter { scalar in
      !["\n", "\r"].contains(scalar)
        && [.control, .format, .lineSeparator, .privateUse].contains(scalar.properties.generalCategory)
    }
    #expect(obeyed.isEmpty, "\(obeyed.map(\.value))")
    #expect(run.standardOutput.contains("\u{1F600}"))
    switch format {
    case "json":
      let row = try JSONValue(text: run.standardOutput)["rejected"]?.arrayValue?.first
      #expect(row?["message"]?.stringValue == message)
      #expect(row?["app"]?.stringValue == "\u{1B}[2J\u{202E}app")
    case "csv":
      #expect(run.standardOutput.contains(",\"'=\"\"\\u{1B}"))
      #expect(run.standardOutput.components(separatedBy: "\r\n").count == 3)
    case _: #expect(run.standardOutput.components(separatedBy: "\n").count == 4)
    }
  }

  @Test func `without a database it says where it looked, and makes none`() throws {
    let directory = try TemporaryDirectory()
    for words in [["list"], ["show", "ab"], ["replay", "--all"]] {
      let run = try PagefallProcess.run(["rejected"] + words + ["--data-dir", directory.path])
      #expect(run.exitCode == 3)
      #expect(run.standardError.contains("no database: looked for a private one in \(directory.path)"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
  }
}

extension RejectedRows {
  fileprivate func runList(_ arguments: [String]) throws -> PagefallProcess.Result {
    try PagefallProcess.run(["rejected", "list", "--database", database.connectionString] + arguments)
  }
}
