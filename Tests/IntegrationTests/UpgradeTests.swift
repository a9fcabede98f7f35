import Foundation
import Postgres
import TestSupport
import Testing

/// A database that was filled before sessions had histories, brought to the present schema.
@Suite struct UpgradeTests {
  @Test func `has the numbers of a database of today, before and after its histories are packed, and goes on`() throws {
    let today = try TestDatabase.migrated()
    try ingest(DrawnWorld(stream: 950).write().events, app: "shop", into: today)
    try ingest(OddHistories(stream: 3, sessions: 150).bytes, app: "odd", into: today)
    let upgraded = try copy(of: today, before: "0009_histories")
    try TestDatabase.migrate(upgraded.connectionString)
    #expect(try upgraded.psql("SELECT count(*) > 100, count(history) FROM pagefall.sessions") == "t|0")
    try expectSameReports(today, upgraded)
    _ = try upgraded.psql(
      "DO $$ BEGIN WHILE pagefall.pack_histories(1000, interval '-100 years') > 0 LOOP END LOOP; END $$")
    #expect(try upgraded.psql("SELECT count(*) > 100, count(*) - count(history) FROM pagefall.sessions") == "t|0")
    try expectSameReports(today, upgraded)
    // What comes again, and what is new, some of it of sessions that are there.
    for database in [today, upgraded] {
      try ingest(DrawnWorld(stream: 950).write().events, app: "shop", into: database)
      try ingest(OddHistories(stream: 4, sessions: 100).bytes, app: "odd", into: database)
    }
    try expectSameReports(today, upgraded)
  }

  @Test func `takes categories where there were none, and names the buttons that were pressed before`() throws {
    let today = try TestDatabase.migrated()
    try ingest(Array(ButtonsCommandTests.events(sessions: 40).utf8), app: "shop", into: today)
    let upgraded = try copy(of: today, before: "0013_categories")
    try TestDatabase.migrate(upgraded.connectionString)
    let reports = try [today, upgraded].map { database in
      let example = "\(IntegrationTests.projectFolder)/Examples/register-device-response.json"
      let imported = try PagefallProcess.run(
        ["category", "import", example, "--app", "shop", "--database", database.connectionString])
      #expect(imported.exitCode == 0, "\(imported.standardError)")
      return try PagefallProcess.run(
        ["report", "buttons", "--format", "csv", "--database", database.connectionString]
      ).standardOutput
    }
    #expect(reports[0] == reports[1] && reports[0].contains("Rate"))
  }

  private func ingest(_ events: [UInt8], app: String, into database: TestDatabase) throws {
    let run = try PagefallProcess.run(
      ["ingest", "-", "--app", app, "--database", database.connectionString], input: events)
    try #require(run.exitCode == 0, "\(run.standardError)")
  }

  private static let questions: [[String]] = [
    ["funnel", "--by", "app_version", "--devices"], ["funnel", "--by", "day", "--tz", "Europe/Berlin"],
    ["funnel", "--by", "fallback_reason", "--order", "strict"], ["funnel", "--story", "odd", "--where", "tapped=yes"],
    ["stories", "--devices"], ["sessions", "--limit", "1000"],
  ]

  private func expectSameReports(_ one: TestDatabase, _ other: TestDatabase) throws {
    for question in Self.questions {
      let answers = try [one, other].map { database in
        try PagefallProcess.run(
          ["report"] + question + ["--format", "csv", "--database", database.connectionString])
      }
      try #require(answers[0].exitCode == 0, "\(question): \(answers[0].standardError)")
      #expect(answers[0].standardOutput == answers[1].standardOutput, "\(question): \(answers[1].standardError)")
    }
  }

  /// The tables of a database as they were before a migration, with its rows in them.
  private func copy(of source: TestDatabase, before migration: String) throws -> TestDatabase {
    let script = try PagefallProcess.run(["database", "migrate", "--print-sql"]).standardOutput
    let parts = script.split(separator: "\n-- \(migration)\n", maxSplits: 1)
    try #require(parts.count == 2)
    let database = try TestDatabase()
    var from = try PostgresConnection(ConnectionOptions(source.connectionString))
    var into = try PostgresConnection(ConnectionOptions(database.connectionString))
    try into.executeScript(String(parts[0]))
    for table in ["apps", "sessions", "stored_events", "story_pages", "device_drops", "changes", "event_fates"] {
      let columns: String = try into.execute(
        "SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE table_schema = 'pagefall' AND table_name = $1",
        [.text(table)])[0, 0]
      let rows: String = try from.execute(
        "SELECT coalesce(json_agg(t), '[]')::text FROM (SELECT \(columns) FROM pagefall.\(table)) t")[0, 0]
      try into.execute(
        """
        INSERT INTO pagefall.\(table) (\(columns)) OVERRIDING SYSTEM VALUE
        SELECT \(columns) FROM json_populate_recordset(NULL::pagefall.\(table), $1::text::json)
        """, [.text(rows)])
    }
    return database
  }
}
