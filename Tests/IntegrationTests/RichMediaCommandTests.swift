import Foundation
import FunnelDocument
import TestSupport
import Testing

/// `pagefall report rich-media` as one asks for it, and the index that it stands on.
@Suite struct RichMediaCommandTests {
  /// Six presentations of two apps, one of an id without a time, and a story.
  private static func events(_ app: String) -> String {
    func session(_ number: Int, _ code: String, _ words: [(type: String, at: Int)], id: String? = nil) -> String {
      let id = id ?? "01a226bf-4900-7cc1-9d2e-00000000000\(number)"
      return words.enumerated().map { seq, word in
        """
        {"type": "rich_media_\(word.type)", "session_id": "\(id)", "seq": \(seq), "at": \(1_795_946_400_000 + word.at), \
        "content_code": "\(code)", "context": {"app_version": "4.\(number)", "device_id": "d-\(number)", \
        "properties": {"auto_close_seconds": 5, "position": "bottom"}}}
        """
      }.joined(separator: "\n")
    }
    if app == "news" { return session(9, "r-1", [("presented", 0), ("closed", 900)]) }
    return [
      session(1, "r-1", [("deferred", 0), ("presented", 3_000), ("closed", 8_000), ("closed", 8_500)]),
      session(2, "r-1", [("presented", 0), ("closed", 1_500)]), session(3, "r-1", [("failed", 0)]),
      session(4, "r-2", [("presented", 0)]),
      session(5, "r-2", [("deferred", 0)], id: "00000000-0000-4000-8000-000000000005"),
      """
      {"type": "start", "session_id": "01a226bf-4900-7cc1-9d2e-0000000000ff", "seq": 0, "at": 1795946400000, "page_count": 2}
      """,
    ].joined(separator: "\n")
  }

  private func world() throws -> TestDatabase {
    let database = try TestDatabase.migrated()
    for app in ["shop", "news"] {
      let run = try PagefallProcess.run(
        ["ingest", "-", "--app", app, "--database", database.connectionString], input: Array(Self.events(app).utf8))
      try #require(run.exitCode == 0, "\(run.standardError)")
    }
    return database
  }

  private func report(
    _ arguments: [String], _ database: TestDatabase, environment: [String: String] = [:]
  ) throws -> PagefallProcess.Result {
    try PagefallProcess.run(
      ["report", "rich-media", "--database", database.connectionString] + arguments, environment: environment)
  }

  private func json(_ arguments: [String], _ database: TestDatabase) throws -> RichMediaReport {
    let run = try report(arguments + ["--format", "json"], database)
    try #require(run.exitCode == 0, "\(arguments): \(run.standardError)")
    return try RichMediaReport(text: run.standardOutput.utf8)
  }

  @Test func `a line a content code, in every form, whole and in parts`() throws {
    let database = try world()
    let all = try json([], database)
    #expect(all.contents.map { "\($0.app ?? "?") \($0.contentCode)" } == ["shop r-1", "shop r-2", "news r-1"])
    let first = all.contents[0].counts
    #expect(first.presentations == 3 && first.failed == 1 && first.closed == 2 && first.deferred == 1)
    #expect(first.closedByTimer == 1 && first.closedBeforeTimer == 1)
    #expect(first.wait.medianMilliseconds == 3_000 && first.open.medianMilliseconds == 1_500)
    let second = all.contents[1].counts
    #expect(second.openOrLost == 1 && second.waitingOrLost == 1 && second.closedByTimer == nil)
    #expect(all.conservationFaults() == [] && all.total.presentations == 6)
    let apps = try ["shop", "news"].map { try json(["--app", $0], database).total.presentations }
    #expect(apps == [5, 1])
    let groups = try json(["--by", "app_version", "--top", "2"], database)
    #expect(groups.groups?.map(\.counts.presentations) == [1, 1, 4] && groups.groups?.last?.mergedGroups == 4)
    #expect(groups.conservationFaults() == [] && groups.total == all.total)
    let some = try json(
      ["--where", "property:position=bottom", "--sort", "-content_code", "--limit", "1", "--min-count", "9"], database)
    #expect(some.contents.map(\.contentCode) == ["r-2"] && some.hiddenContents == 2 && some.scope.minimumCount == 9)
    #expect(try json(["--from", "2026-11-30"], database).total.presentations == 0)
    #expect(
      try json(["--from", "2026-11-29", "--to", "2026-11-29", "--tz", "Asia/Tokyo"], database).contents.count > 0)
    for format in ["table", "csv", "markdown"] {
      let run = try report(["--by", "day", "--format", format], database)
      #expect(run.exitCode == 0 && run.standardOutput.contains("r-2"), "\(run.standardError)")
    }
    let narrow = try report([], database, environment: ["COLUMNS": "64"])
    #expect(narrow.standardOutput.contains("shop: r-1"))
    let directory = try TemporaryDirectory()
    let written = try report(["--format", "csv", "--csv-exact", "-o", "\(directory.path)/rich-media.csv"], database)
    #expect(written.exitCode == 0 && written.standardOutput == "")
    let csv = try StrictCSV(Array(try Data(contentsOf: URL(filePath: "\(directory.path)/rich-media.csv"))))
    #expect(csv.records.count == 1 + 1 + 3)
  }

  @Test(arguments: [
    (["--app", "nwes"], "there is no app 'nwes'"), (["--sort", "colour"], "there is no column 'colour' of rich media"),
    (["--limit", "0"], "--limit is '0'"), (["--by", "colour"], "there is no field 'colour'"),
    (["--top", "3"], "--top goes with --by FIELD"), (["--format", "html"], "expected table, json, csv or markdown"),
    (["--csv-exact"], "--csv-exact goes with --format csv"), (["--devices"], "devices"), (["--story", "x"], "story"),
    (["--where", "hour=24"], "'24' is no hour"), (["--tz", "Mars/Olympus"], "Mars/Olympus"),
  ])
  func `what is not there is answered with what is, in one line`(_ arguments: [String], _ words: String) throws {
    expectRefusal(try report(arguments, try TestDatabase.unchanged()), 2, says: words)
  }

  @Test func `nothing is an empty report that says why`() throws {
    let empty = try report([], try TestDatabase.unchanged())
    #expect(empty.exitCode == 0 && empty.standardOutput.contains("No app has sent anything yet."))
    let run = try report(["--where", "locale=fr"], try world())
    #expect(run.exitCode == 0 && run.standardOutput.contains("No rich media was presented here; widen --from"))
  }

  @Test func `sessions and tail name what was presented`() throws {
    let database = try world()
    let sessions = try PagefallProcess.run(
      ["report", "sessions", "--app", "shop", "--format", "csv", "--database", database.connectionString])
    #expect(sessions.standardOutput.contains("closed rich media"), "\(sessions.standardOutput)")
    let tail = try PagefallProcess.run(["tail", "--database", database.connectionString])
    #expect(tail.standardOutput.contains("rich_media_deferred r-2  at "), "\(tail.standardOutput)\(tail.standardError)")
    let lines = try PagefallProcess.run(
      [
        "tail", "--session", "01a226bf-4900-7cc1-9d2e-000000000003", "--format", "json", "--database",
        database.connectionString,
      ])
    #expect(try JSONValue(text: lines.standardOutput.utf8)["content_code"] == .string("r-1"))
  }

  // MARK: The index

  /// The partitions of events without the index, or with one that is not the parent's.
  private static let partitionsWithout = """
    SELECT count(*) FROM pg_inherits p
    WHERE p.inhparent = 'pagefall.stored_events'::regclass AND NOT EXISTS (
      SELECT FROM pg_index i JOIN pg_inherits x ON x.inhrelid = i.indexrelid
      WHERE i.indrelid = p.inhrelid AND i.indisvalid AND x.inhparent = 'pagefall.stored_events_surfaces'::regclass)
    """

  @Test func `months made later have the index, and what is moved or removed leaves the numbers right`() throws {
    let database = try world()
    #expect(try database.psql(Self.partitionsWithout) == "0")
    let before = try json([], database)
    // Out of the default into a month of its own, and months that are dropped.
    _ = try database.psql("INSERT INTO pagefall.months (month, dropped_at) SELECT '2021-05-01', now()")
    let old = Self.events("news").replacing(
      "01a226bf-4900-7cc1-9d2e-000000000009", with: "01796d52-9800-7cc1-9d2e-000000000009"
    )
    .replacing("17959464", with: "16210368")
    let run = try PagefallProcess.run(
      ["ingest", "-", "--app", "news", "--database", database.connectionString], input: Array(old.utf8))
    try #require(run.exitCode == 0, "\(run.standardError)")
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_events_default") == "2")
    let with = try json([], database)
    #expect(with.total.presentations == before.total.presentations + 1)
    #expect(try database.psql("SELECT pagefall.make_month('2021-05-01')") == "t")
    #expect(try database.psql("SELECT count(*) FROM pagefall.stored_events_default") == "0")
    #expect(try database.psql(Self.partitionsWithout) == "0")
    #expect(try json([], database).contents == with.contents)
    _ = try database.psql("SELECT pagefall.set_retention_line('2022-01-01 00:00Z'); SELECT pagefall.apply_retention()")
    #expect(try json([], database).contents == before.contents)
  }

  @Test func `a filled database of before gets the index, and the same numbers`() throws {
    let database = try world()
    let before = try json(["--by", "day"], database)
    _ = try database.psql(
      "DROP INDEX pagefall.stored_events_surfaces; DELETE FROM pagefall.migrations WHERE name = '0012_surfaces'")
    expectRefusal(try report([], database), 3, says: "database migrate")
    try TestDatabase.migrate(database.connectionString)
    #expect(try database.psql(Self.partitionsWithout) == "0")
    #expect(try json(["--by", "day"], database).contents == before.contents)
  }

  @Test func `among many stories the sessions are found by the index`() throws {
    let database = try world()
    _ = try database.psql(
      """
      INSERT INTO pagefall.sessions (session_id, app_id, started_at, arrived_at, clock_offset_us, flags)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, 1, '2026-11-29', now(), 0, 0 FROM generate_series(1, 30000) i;
      INSERT INTO pagefall.stored_events (session_id, seq, type, at)
        SELECT ('1' || lpad(i::text, 31, '0'))::uuid, seq, 1 + seq, now() FROM generate_series(1, 30000) i, generate_series(0, 3) seq;
      ANALYZE pagefall.sessions; ANALYZE pagefall.stored_events;
      """)
    let plan = try database.psql(
      """
      EXPLAIN SELECT s.session_id FROM pagefall.sessions s
      WHERE s.session_id IN (SELECT e.session_id FROM pagefall.stored_events e WHERE e.type IN (7, 8, 9, 10))
      """)
    #expect(plan.contains("session_id_type_idx") && !plan.contains("Seq Scan on stored_events_other"), "\(plan)")
    #expect(try json([], database).total.presentations == 6)
  }
}

/// The blocks of docs/rich-media.md, pasted one after the other.
@Suite struct RichMediaDocsTests {
  @Test func `who pastes the example gets the report that stands there`() throws {
    let blocks = try ReadmeBlock.all(of: "docs/rich-media.md")
    let scripts = blocks.filter { $0.language == "sh" }
    #expect(scripts.count == 3)
    let place = try ExportDocsPlace()
    let printed = try scripts.map {
      try place.succeed("/bin/bash", ["-euo", "pipefail", "-c", "exec 2> progress.txt\n\($0.text)"])
    }
    let shown = try #require(blocks.first { $0.text.contains("content code") }).text
    // How new the data is differs from run to run.
    for line in shown.split(separator: "\n") where !line.hasPrefix("Data through") {
      #expect(printed[1].contains(line), "\(line) in \(printed[1])")
    }
  }
}
