import Compression
import Foundation
import FunnelDocument
import TestSupport
import Testing

/// What a simulation says a report must show, against what a report shows, when the events come as files.
@Suite struct TruthTests {
  /// A way by which a file's bytes reach the database.
  enum Way: UInt64, CaseIterable, CustomTestStringConvertible {
    case plain, gzip, zstd, standardInput, twice, shuffled, inPieces

    var testDescription: String {
      switch self {
      case .plain: "a file"
      case .gzip: "a .gz file"
      case .zstd: "a .zst file"
      case .standardInput: "standard input"
      case .twice: "a file, twice"
      case .shuffled: "a file whose lines are shuffled and partly repeated"
      case .inPieces: "two files at once, one after the other"
      }
    }
  }

  @Test(arguments: Way.allCases) func `a report shows the truth, however the file came`(way: Way) throws {
    for stream in [way.rawValue, way.rawValue + 100] {
      let world = try DrawnWorld(stream: stream)
      let written = try world.write()
      let database = try TestDatabase.migrated()
      try Self.ingest(written.events, way, stream: stream, into: database.connectionString)
      try checkTruth(written.truth, in: database.connectionString, "\(world.name), \(way.testDescription)")
    }
  }

  @Test(arguments: [
    ["--by", "app_version"], ["--by", "locale", "--order", "strict"], ["--by", "environment"],
    ["--by", "day", "--tz", "America/New_York"], ["--by", "week", "--tz", "Pacific/Apia"], ["--by", "weekday"],
  ])
  func `groups add up to the total`(arguments: [String]) throws {
    let world = try DrawnWorld(stream: 7)
    let database = try TestDatabase.migrated()
    try Self.ingest(try world.write().events, .plain, stream: 0, into: database.connectionString)
    let run = try PagefallProcess.run(
      ["report", "funnel", "--database", database.connectionString, "--format", "json"] + arguments)
    try #require(run.exitCode == 0, "\(run.standardError)")
    #expect(try FunnelComparison.sumFaults(JSONValue(text: run.standardOutput)) == [], "\(world.name)")
  }

  @Test func `each day reported alone is that day's group`() throws {
    let world = try DrawnWorld(stream: 8)
    let database = try TestDatabase.migrated()
    try Self.ingest(try world.write().events, .plain, stream: 0, into: database.connectionString)
    let zone = ["--tz", "America/New_York"]
    let all = try FunnelComparison.report(database.connectionString, zone + ["--by", "day"])
    let days = try #require(all["groups"]?.arrayValue)
    try #require(!days.isEmpty)
    for day in days.prefix(3) + days.suffix(3) {
      let date = try #require(day["group"]?.stringValue)
      let alone = try FunnelComparison.report(database.connectionString, zone + ["--from", date, "--to", date])
      #expect(FunnelComparison.countDifferences(alone, day) == [], "\(world.name), \(date)")
    }
  }

  private static func ingest(_ events: [UInt8], _ way: Way, stream: UInt64, into database: String) throws {
    let directory = try TemporaryDirectory()
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
      try Data(bytes).write(to: URL(fileURLWithPath: "\(directory.path)/\(name)"))
      return "\(directory.path)/\(name)"
    }
    func run(_ operands: [String], input: [UInt8] = []) throws {
      let run = try PagefallProcess.run(["ingest", "--database", database] + operands, input: input)
      try #require(run.exitCode == 0, "\(run.standardOutput)\(run.standardError)")
    }
    switch way {
    case .plain: try run([file("events.ndjson", events)])
    case .gzip: try run([file("events.ndjson.gz", events.withUnsafeBytes { try compress($0, .gzip) })])
    case .zstd: try run([file("events.ndjson.zst", events.withUnsafeBytes { try compress($0, .zstd) })])
    case .standardInput: try run(["-"], input: events)
    case .twice: for _ in 1...2 { try run([file("events.ndjson", events)]) }
    case .shuffled:
      var generator = SeededGenerator(seed: SeededGenerator.worldsSeed, stream: stream + 1_000)
      var lines = events.split(separator: UInt8(ascii: "\n"))
      lines = (lines + lines.filter { _ in Bool.random(using: &generator) }).shuffled(using: &generator)
      try run([file("events.ndjson", Array(lines.joined(separator: [UInt8(ascii: "\n")])))])
    case .inPieces:
      let lines = events.split(separator: UInt8(ascii: "\n"))
      let halves = [lines[..<(lines.count / 2)], lines[(lines.count / 2)...]]
      try run(halves.enumerated().map { try file("\($0).ndjson", Array($1.joined(separator: [UInt8(ascii: "\n")]))) })
    }
  }
}

/// Expects that the report of a database shows the truth: the total, each story as a group, and each story alone.
func checkTruth(_ truth: [UInt8], in connectionString: String, _ name: String) throws {
  let truth = try JSONValue(text: truth)
  let report = try FunnelComparison.report(connectionString, ["--by", "story_id"])
  // Of several stories only one may have been shown: then the report's pages have titles, and the truth's have none.
  let differences =
    truth["groups"] == nil ? FunnelComparison.differences : FunnelComparison.countDifferences
  #expect(differences(report, truth) == [], "\(name)")
  #expect(try FunnelComparison.sumFaults(report) == [], "\(name)")
  let groups = report["groups"]?.arrayValue ?? []
  for expected in truth["groups"]?.arrayValue ?? [] where expected["presentations"] != .integer(0) {
    let story = try #require(expected["group"]?.stringValue)
    let group = try #require(groups.first { $0["group"] == expected["group"] })
    #expect(FunnelComparison.countDifferences(group, expected) == [], "\(name), \(story)")
    let alone = try FunnelComparison.report(connectionString, ["--story", story])
    #expect(FunnelComparison.differences(alone, expected) == [], "\(name), \(story)")
  }
}
