import Foundation
import FunnelDocument
import Postgres
import TestSupport
import Testing

/// A database with a simulated world, of the app `demo`, and odd histories, of the app `odd`.
final class CountedWorld: Sendable {
  /// Twenty of them, made at first use and shared by the tests that count them in different ways.
  static let all = Result { try inParallel(20) { try CountedWorld(stream: UInt64($0)) } }

  static let apps = ["demo", "odd"]

  /// For the messages of failing tests.
  let name: String
  let database: TestDatabase

  init(stream: UInt64) throws {
    let world = try DrawnWorld(stream: 500 + stream)
    name = world.name
    database = try TestDatabase.migrated()
    // As docs/views.md says: compiling takes longer than counting.
    _ = try database.psql("ALTER DATABASE \(database.name) SET jit = off")
    let odd = OddHistories(stream: stream, sessions: 120)
    for (app, events) in zip(Self.apps, [try world.write().events, odd.bytes]) {
      let run = try PagefallProcess.run(
        ["ingest", "-", "--app", app, "--database", database.connectionString], input: events)
      try #require(run.exitCode == 0, "\(name): \(run.standardOutput)\(run.standardError)")
    }
  }

  /// A query's one value.
  func value(_ query: String) throws -> String {
    var connection = try PostgresConnection(ConnectionOptions(database.connectionString))
    return try connection.execute(query)[0, 0]
  }

  /// A query's rows as objects.
  func rows(_ query: String) throws -> [JSONValue] {
    let text = try value("SELECT coalesce(json_agg(r), '[]')::text FROM (\(query)) r")
    return try #require(try JSONValue(text: text).arrayValue)
  }

  /// A report's funnel of an app.
  func report(app: String, _ arguments: [String]) throws -> JSONValue {
    try FunnelComparison.report(database.connectionString, ["--app", app] + arguments)
  }
}
