import Foundation
import TestSupport
import Testing

/// What an export refuses: the exit code, one line that says what to do, and nothing half written.
@Suite struct ExportRefusalTests {
  /// A command line that cannot be done.
  struct Refused: Sendable, CustomTestStringConvertible {
    let words: [String]
    let exitCode: Int32
    let says: String

    init(_ words: String..., exitCode: Int32 = 2, says: String) {
      self.words = words
      self.exitCode = exitCode
      self.says = says
    }

    var testDescription: String { words.isEmpty ? "nothing" : words.joined(separator: " ") }
  }

  static let refused = [
    Refused("--day", "2026-11-20", "--tz", "Europe/Berlim", says: "Europe/Berlim"),
    Refused("--day", "2026-11-20", "--tz", "", says: "zone"),
    Refused("--day", "9999-12-31", says: "9999-12-31 has not begun in UTC, where it is "),
    Refused("--from", "2026-11-20", "--to", "9999-12-31", says: "9999-12-31 has not begun"),
    Refused("--day", "2026-11-20T00:00:00Z", says: "is an instant; write a day"),
    Refused("--day", "2026-02-30", says: "'2026-02-30' is not a day"),
    Refused("--day", "tomorrow", says: "'tomorrow' is not a day"),
    Refused("--day", "2026-11-20 ", says: "is not a day"),
    Refused("--from", "2026-11-20", "--to", "2026-11-19", says: "--to (2026-11-19) lies before --from (2026-11-20)"),
    Refused("--from", "1999-01-01", "--to", "2026-11-19", says: "a run writes at most 3700"),
    Refused("--to", "2026-11-20", says: "--to needs --from"),
    Refused("--to", "2026-11-20", "--since-last", says: "--to needs --from"),
    Refused("--day", "2026-11-20", "--since-last", says: "exclude each other"),
    Refused("--day", "2026-11-20", "--from", "2026-11-20", says: "exclude each other"),
    Refused("--from", "2026-11-20", "--since-last", says: "exclude each other"),
    Refused(says: "say which days: --day DAY, --from DAY --to DAY, or --since-last"),
    Refused("--day", "2026-11-20", "surplus", says: "takes no operands"),
    Refused(
      "--day", "2026-11-20", "--what", "events,seasons", says: "--what is 'events,seasons'; expected names out of"),
    Refused("--day", "2026-11-20", "--what", "events,", says: "--what is 'events,'"),
    Refused("--day", "2026-11-20", "--what", ",", says: "--what is ','"),
    Refused("--day", "2026-11-20", "--format", "parquet", says: "--format is 'parquet'; expected csv or ndjson"),
    Refused("--day", "2026-11-20", "--compress", "xz", says: "--compress is 'xz'; expected gzip, zstd or none"),
    Refused("--day", "2026-11-20", "--summary", "xml", says: "--summary is 'xml'; expected text or json"),
    Refused("--day", "2026-11-20", "--csv-safe", "--format", "ndjson", says: "--csv-safe is for --format csv alone"),
    Refused("--day", "2026-11-20", "--app", "shop", says: "there is no app 'shop'; there is 'demo', 'other'"),
    Refused("--day", "2026-11-20", "--compres", "none", says: "--compress"),
    Refused("--day", "2026-11-20", "--state", "/nowhere/state", exitCode: 3, says: "there is no directory /nowhere"),
    Refused("--day", "2026-11-20", "--state", "/tmp/same", "--metrics-file", "/tmp/./same", says: "name the same file"),
    Refused("--day", "2026-11-20", "--metrics-file", "/dev/null", exitCode: 3, says: "/dev/null is not a regular file"),
  ]

  @Test(arguments: refused) func `what cannot be asked for is told in one line, and nothing is made`(
    refused: Refused
  ) throws {
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    // An empty directory, so that a file made in it would be seen.
    try FileManager.default.createDirectory(atPath: fixture.sets, withIntermediateDirectories: false)
    let run = try fixture.export(refused.words)
    expectRefusal(run, refused.exitCode, says: refused.says)
    let made = try FileManager.default.contentsOfDirectory(atPath: fixture.sets)
    // The directory is held before its state is.
    #expect(made.filter { $0 != ".pagefall-export.lock" } == [])
  }

  @Test func `a directory has to be named`() throws {
    let run = try PagefallProcess.run(["export", "--day", "2026-11-20"])
    expectRefusal(run, 2, says: "say where the sets go: --out DIR")
  }

  @Test func `what is no directory, or has none above it, is named and left as it is`() throws {
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    let top = fixture.directory.path
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(top)/file"))
    try FileManager.default.createSymbolicLink(atPath: "\(top)/link", withDestinationPath: "\(top)/nowhere")
    let cases = [
      ("file", "\(top)/file is not a directory"), ("file/sets", "\(top)/file/sets "),
      ("missing/sets", "there is no directory above it"), ("link", "\(top)/link is a link that leads nowhere"),
      ("link/sets", "there is no directory above it"),
    ]
    for (name, says) in cases {
      for dry in [[], ["--dry-run"]] {
        // A dry run makes nothing, so that a directory is missing is no fault of it.
        if !dry.isEmpty, name.hasSuffix("/sets"), !name.hasPrefix("file") { continue }
        let run = try fixture.export(["--day", ExportWorld.days[0]] + dry, into: "\(top)/\(name)")
        expectRefusal(run, 3, says: says)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: top).sorted() == ["file", "link"])
    #expect(FileManager.default.contents(atPath: "\(top)/file") == Data("mine".utf8))
  }

  @Test func `a link to a directory leads to it`() throws {
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    try FileManager.default.createDirectory(atPath: fixture.sets, withIntermediateDirectories: false)
    let link = "\(fixture.directory.path)/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: fixture.sets)
    try fixture.write(["--day", ExportWorld.days[0]], into: link)
    try fixture.expectComplete(ExportWorld.days[0])
  }

  @Test func `sets of another zone or other apps do not come into one directory`() throws {
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    let day = ["--day", ExportWorld.days[0]]
    try fixture.write(day)
    let before = try fixture.traces()
    for days in [day, ["--day", ExportWorld.days[1]], ["--since-last"], day + ["--dry-run"]] {
      expectRefusal(
        try fixture.export(days + ["--tz", "Europe/Berlin"]), 2,
        says: "the sets in \(fixture.sets) are of UTC; export Europe/Berlin into another directory")
      expectRefusal(
        try fixture.export(days + ["--app", "demo"]), 2,
        says: "the sets in \(fixture.sets) are of all apps; export the app demo into another directory")
    }
    #expect(try fixture.traces() == before)
  }

  @Test func `what stands where a set belongs and is none is named, and other days are not begun`() throws {
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    try fixture.write(["--day", ExportWorld.days[0]])
    try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(fixture.sets)/day=\(ExportWorld.days[1])"))
    let run = try fixture.export(["--day", ExportWorld.days[1]])
    expectRefusal(run, 3, says: "\(fixture.sets)/day=\(ExportWorld.days[1]) is not a directory, as a set is")
    try fixture.expectComplete(ExportWorld.days[0])
    #expect(try fixture.days() == Array(ExportWorld.days[...1]))
  }

  @Test func `a state that is none is never taken for an empty one`() throws {
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    let state = "\(fixture.directory.path)/state"
    try Data("{}".utf8).write(to: URL(fileURLWithPath: state))
    let run = try fixture.export(["--since-last", "--state", state])
    expectRefusal(run, 3, says: "\(state) is not a state of exports that this version knows")
    #expect(FileManager.default.contents(atPath: state) == Data("{}".utf8))
    #expect(try fixture.days() == [])
  }
}
