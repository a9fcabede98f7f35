import Foundation
import FunnelDocument
import TestSupport
import Testing

/// A database with simulated sessions of three app versions and sessions whose every text is an attack, and the pages of it.
final class PageWorld: Sendable {
  /// Made at first use, for all tests of pages.
  static let shared = Result { try PageWorld() }

  static let byVersion = ["funnel", "--story", "spring", "--by", "app_version"]
  private static let compared = [
    "compare", "--story", "spring", "--a", "app_version=4.2.0", "--b", "app_version=4.10.0",
  ]
  /// The subcommands of `pagefall report` that are looked at, with their options.
  static let reports: [[String]] = [
    byVersion, ["funnel", "--where", "locale!=xx", "--by", "day", "--order", "strict", "--min-count", "40"], compared,
    ["funnel", "--story", "hostile", "--devices", "--by", "locale"], ["stories", "--devices"],
  ]
  /// Those that show texts of the attacker.
  static let hostileReports: [[String]] = [
    ["funnel", "--story", "hostile", "--by", "property:key"],
    ["compare", "--a", "story=hostile", "--b", "story=spring"],
  ]

  /// As a sender may write it, in JSON.
  private static let attack = "</script><img src=x onerror=alert(1)>\\\" onmouseover='x' \\u202eesrever"

  private let database: TestDatabase
  private let directory: TemporaryDirectory

  init() throws {
    database = try TestDatabase.migrated()
    directory = try TemporaryDirectory()
    for (version, sessions) in [("4.2.0", 220), ("4.9.0", 60), ("4.10.0", 140)] {
      let run = try PagefallProcess.run([
        "simulate", "--seed", "\(sessions)", "--sessions", "\(sessions)", "--over", "5d", "--ending",
        "2026-11-29T12:00:00Z", "--story", "spring", "--out", "-",
      ])
      try #require(run.exitCode == 0, "\(run.standardError)")
      // Simulated viewers all have the same version.
      try ingest(
        run.standardOutput.replacingOccurrences(
          of: "\"app_version\":\"[^\"]*\"", with: "\"app_version\":\"\(version)\"", options: .regularExpression))
    }
    let details = """
      ,"page":{"title":"\(Self.attack)","link":"javascript:\(Self.attack)"},\
      "context":{"story_id":"hostile","properties":{"key":"\(Self.attack)"}}
      """
    try ingest(EventText.pageShown(session: 1, page: details))
  }

  /// Has the page written, and says where it is.
  func page(_ report: [String]) throws -> String {
    let path = "\(directory.path)/\(UUID().uuidString).html"
    let run = try PagefallProcess.run(arguments(report) + ["--format", "html", "--output", path])
    try #require(run.exitCode == 0, "\(report): \(run.standardError)")
    return path
  }

  /// The same report's JSON form.
  func json(_ report: [String]) throws -> JSONValue {
    let run = try PagefallProcess.run(arguments(report) + ["--format", "json"])
    try #require(run.exitCode == 0, "\(report): \(run.standardError)")
    return try JSONValue(text: run.standardOutput.utf8)
  }

  /// A report without the time at which it was made.
  static func lasting(_ report: JSONValue) -> JSONValue {
    .object((report.objectValue ?? []).filter { $0.key != "generated_at" })
  }

  private func arguments(_ report: [String]) -> [String] {
    ["report"] + report + ["--database", database.connectionString]
  }

  private func ingest(_ events: String) throws {
    let run = try PagefallProcess.run(
      ["ingest", "-", "--database", database.connectionString], input: Array(events.utf8))
    try #require(run.exitCode == 0, "\(run.standardOutput)\(run.standardError)")
  }
}
