import Foundation
import TestSupport
import Testing

/// Where the blocks of docs/exports.md are run: an empty directory, and a database with three sessions of yesterday.
final class ExportDocsPlace: Sendable {
  /// The day that the document's literal day is exchanged for, in UTC and, at noon, in Berlin.
  let yesterday: String
  let database: TestDatabase
  private let directory: TemporaryDirectory

  /// The day that stands in the document.
  private static let literalDay = "2026-11-29"

  init() throws {
    database = try TestDatabase.migrated()
    directory = try TemporaryDirectory()
    let noon = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 / 86_400).rounded(.down) * 86_400 - 43_200)
    yesterday = String(noon.formatted(.iso8601).prefix(10))
    let run = try PagefallProcess.run(
      ["ingest", "-", "--app", "shop", "--database", database.connectionString],
      input: Array((1...3).map { Self.session($0, at: noon) }.joined(separator: "\n").utf8))
    try #require(run.exitCode == 0, "\(run.standardError)")
    try FileManager.default.createDirectory(atPath: "\(path)/bin", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(path)/bin/pagefall", withDestinationPath: PagefallProcess.binaryPath)
  }

  var path: String { directory.path }

  /// Four events of a session that sees both pages and finishes.
  private static func session(_ number: Int, at noon: Date) -> String {
    let milliseconds = Int(noon.timeIntervalSince1970) * 1_000
    let events = [
      "\"type\": \"start\", \"page_count\": 2", "\"type\": \"page_shown\", \"page_index\": 0",
      "\"type\": \"page_shown\", \"page_index\": 1", "\"type\": \"finish\"",
    ]
    let lines = events.enumerated().map { seq, detail in
      "{\"session_id\": \"00000000-0000-4000-8000-00000000000\(number)\", \"seq\": \(seq), "
        + "\"at\": \(milliseconds + 1_000 * seq), \(detail)}"
    }
    return "{\"context\": {\"story_id\": \"spring-sale\"}, \"events\": [\(lines.joined(separator: ", "))]}"
  }

  /// A text of the document with what is different here: the program, the database, the directories.
  func substituted(_ text: String) throws -> String {
    [
      ("/usr/local/bin/pagefall", try PagefallProcess.binaryPath), ("/var/lib/pagefall-export", path),
      ("host=/run/postgresql dbname=stories", database.connectionString), (Self.literalDay, yesterday),
    ].reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
  }

  /// Runs a program as a reader would who has `pagefall` in the path and a database named.
  /// - Returns: what it printed.
  func succeed(_ binary: String, _ arguments: [String]) throws -> String {
    let run = try PagefallProcess.run(
      try arguments.map(substituted), environment: try environment(), directory: path, timeout: .seconds(120),
      binary: binary)
    try #require(run.exitCode == 0, "\(arguments.last ?? "")\n\(run.standardOutput)\(run.standardError)")
    #expect(run.standardError == "", "\(arguments.last ?? "")")
    return run.standardOutput
  }

  /// Rows of another database of the server, a line each, columns parted by `|`.
  func query(_ sql: String, database: String) throws -> String {
    try succeed("/usr/bin/env", ["psql", "-X", "-A", "-t", "-d", database, "-c", sql])
      .trimmingCharacters(in: .newlines)
  }

  /// `psql NAME` finds the server by libpq's variables.
  private func environment() throws -> [String: String] {
    var variables = [
      "PAGEFALL_DATABASE": database.connectionString, "HOME": path,
      "PATH": "\(path)/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
    ]
    for pair in database.connectionString.split(separator: " ") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      if ["host", "port", "user"].contains(parts[0]), parts.count == 2 {
        variables["PG\(parts[0].uppercased())"] = String(parts[1])
      }
    }
    return variables
  }
}
