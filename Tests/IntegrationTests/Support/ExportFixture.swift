import Foundation
import FunnelDocument
import Postgres
import TestSupport
import Testing

/// A database and a directory for sets of it, both of one test, and the commands that fill and read them.
final class ExportFixture: Sendable {
  let database: TestDatabase
  let directory: TemporaryDirectory
  /// Where the sets lie; not made yet.
  let sets: String

  init(_ database: TestDatabase? = nil) throws {
    self.database = try database ?? .migrated()
    directory = try TemporaryDirectory()
    sets = "\(directory.path)/sets"
  }

  /// Stores events, or batches, one a line.
  func ingest(_ lines: [String], app: String = "demo") throws {
    let run = try PagefallProcess.run(
      ["ingest", "-", "--app", app, "--database", database.connectionString],
      input: Array(lines.joined(separator: "\n").utf8))
    try #require(run.exitCode == 0, "\(run.standardOutput)\(run.standardError)")
  }

  /// Runs `pagefall export` into the fixture's directory, or another.
  func export(
    _ arguments: [String], into path: String? = nil, environment: [String: String] = [:]
  ) throws -> PagefallProcess.Result {
    try PagefallProcess.run(command(arguments, into: path), environment: environment)
  }

  /// The words of such a run.
  func command(_ arguments: [String], into path: String? = nil) -> [String] {
    ["export", "--out", path ?? sets, "--database", database.connectionString] + arguments
  }

  /// Runs an export that must end well and say nothing on standard error.
  /// - Returns: standard output.
  @discardableResult
  func write(_ arguments: [String], into path: String? = nil) throws -> String {
    let run = try export(arguments, into: path)
    try #require(run.exitCode == 0, "\(run.standardError)")
    #expect(run.standardError == "")
    return run.standardOutput
  }

  /// The days that have a set, in their order.
  func days() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sets).filter { $0.hasPrefix("day=") }.sorted()
      .map { String($0.dropFirst(4)) }
  }

  /// A day's set.
  func set(_ day: String) throws -> ExportedSet { try ExportedSet("\(sets)/day=\(day)") }

  /// Expects that a set is whole, and holds each event that is stored of its day once, and no other.
  func expectComplete(_ day: String, _ comment: String = "") throws {
    let set = try set(day)
    let faults = try set.faults()
    #expect(faults == [], "\(day) \(comment)")
    let from = try #require(set.manifest["from"]?.stringValue)
    let to = try #require(set.manifest["to"]?.stringValue)
    var connection = try PostgresConnection(ConnectionOptions(database.connectionString))
    let stored = try connection.execute(
      "SELECT session_id || '|' || seq FROM pagefall_events_v1 WHERE started_at >= '\(from)' AND started_at < '\(to)'")
    let wanted = Set(try (0..<stored.rowCount).map { try stored[$0, 0] as String })
    let exported = try set.rows("events").map { "\($0["session_id"] ?? "")|\($0["seq"] ?? "")" }
    #expect(exported.count == wanted.count, "\(day) \(comment)")
    #expect(wanted.symmetricDifference(exported).sorted() == [], "\(day) \(comment)")
  }

  /// Every file below the directory of the sets with its inode and its time of change: equal where nothing was written.
  func traces() throws -> [String: String] {
    guard FileManager.default.fileExists(atPath: sets) else { return [:] }
    var traces: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: sets) + ["."] {
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(sets)/\(name)")
      let date = try #require(attributes[.modificationDate] as? Date)
      traces[name] = "\(attributes[.systemFileNumber] ?? "none") \(date.timeIntervalSince1970)"
    }
    return traces
  }
}

/// Days that end before now, in UTC.
enum PastDay {
  /// The day so many days ago, after waiting for a midnight that is near.
  static func text(_ daysAgo: Int) -> String {
    // A test that begins on one day and ends on the next would see another yesterday.
    let secondsLeft = 86_400 - Int(Date().timeIntervalSince1970) % 86_400
    if secondsLeft < 60 { sleep(UInt32(secondsLeft + 1)) }
    return Date(timeIntervalSinceNow: -86_400 * Double(daysAgo)).formatted(.iso8601.year().month().day())
  }
}

/// Lines of a file of events, whose sessions start when their first event says.
enum ExportEvent {
  /// A session's id; not one that begins with a time.
  static func session(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
  }

  /// A page shown, or another event.
  /// - Parameters:
  ///   - at: RFC 3339, or a day, of which it is noon.
  ///   - context: members of the event's context.
  static func line(
    _ number: Int, seq: Int = 0, at: String, type: String = "page_shown", _ fields: String = "\"page_index\":0",
    context: String = "\"story_id\":\"spring\""
  ) -> String {
    let time = at.contains("T") ? at : "\(at)T12:00:00Z"
    return """
      {"type":"\(type)","session_id":"\(session(number))","seq":\(seq),"at":"\(time)","context":{\(context)}\
      \(fields.isEmpty ? "" : ",")\(fields)}
      """
  }

  /// So many sessions of one event on a day.
  static func lines(_ numbers: ClosedRange<Int>, at: String) -> [String] { numbers.map { line($0, at: at) } }
}
