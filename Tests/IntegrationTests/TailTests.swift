import Foundation
import FunnelDocument
import Postgres
import TestSupport
import Testing

/// `pagefall tail`: events as they are stored.
@Suite struct TailTests {
  private static func ingest(_ text: String, _ database: TestDatabase, app: String = "demo") throws {
    let run = try PagefallProcess.run(
      ["ingest", "-", "--app", app, "--database", database.connectionString], input: Array(text.utf8))
    try #require(run.exitCode < 2, "\(run.standardError)")
  }

  private static func tail(_ database: TestDatabase, _ arguments: [String] = []) throws -> PagefallProcess.Result {
    let run = try PagefallProcess.run(["tail", "--database", database.connectionString] + arguments)
    #expect(run.exitCode == 0, "\(run.standardError)")
    return run
  }

  /// - Parameter number: how many follow then, with this one.
  private static func follow(
    _ database: TestDatabase, _ arguments: [String] = [], number: Int = 1
  ) throws -> PagefallProcess.Running {
    let tail = try PagefallProcess.start(["tail", "--follow", "--database", database.connectionString] + arguments)
    // It is looking once it is connected and has nothing to do.
    let isLooking = try eventually {
      try database.psql(
        """
        SELECT count(*) = \(number) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'pagefall tail'
          AND state = 'idle' AND query LIKE '%pg_current_snapshot%'
        """) == "t"
    }
    try #require(isLooking, "\(tail.standardError)")
    return tail
  }

  /// A batch as a loader would have written it down, of an event that was a duplicate.
  private static func batch(_ number: Int) -> String {
    """
    INSERT INTO pagefall.stored_batches (event_apps, event_sessions, event_seqs, event_fates, rejected_apps,
      rejected_hashes, total_apps, total_fates, total_events)
    VALUES ('{1}', '{\(EventText.sessionID(number))}', '{0}', '{1}', '{}', '{}', '{1}', '{1}', '{1}')
    """
  }

  @Test func `shows the last events, the oldest first, with what became of each`() throws {
    let database = try TestDatabase.migrated()
    try Self.ingest(EventText.pageShown(session: 1, page: ",\"context\":{\"story_id\":\"spring\\u001b[2J\"}"), database)
    try Self.ingest(EventText.pageShown(session: 1), database)
    try Self.ingest(EventText.pageShown(session: 1, seq: -1), database, app: "shop")
    let lines = try Self.tail(database).standardOutput.split(separator: "\n").map(String.init)
    try #require(lines.count == 3)
    let event = "spring\\u{1B}[2J  \(EventText.sessionID(1))  0  page_shown 0  at 2026-11-29 10:00:00.000"
    #expect(lines[0].hasSuffix("  demo  \(event)"), "\(lines[0])")
    #expect(lines[1].hasSuffix("  demo  \(event)  not stored: duplicate"), "\(lines[1])")
    #expect(lines[2].contains("  shop  rejected invalid_seq seq is -1"), "\(lines[2])")
    let handle = try #require(lines[2].split(separator: " ").last)
    let shown = try PagefallProcess.run(
      ["rejected", "show", String(handle), "--database", database.connectionString])
    #expect(shown.exitCode == 0 && shown.standardOutput.contains("invalid_seq"))

    #expect(try Self.tail(database, ["-n", "1"]).standardOutput == lines[2] + "\n")
    #expect(try Self.tail(database, ["--app", "shop"]).standardOutput == lines[2] + "\n")
    let json = try Self.tail(database, ["--format", "json"]).standardOutput.split(separator: "\n").map {
      try JSONValue(text: String($0))
    }
    #expect(json.map { $0["fate"]?.stringValue } == ["stored", "duplicate", "rejected"])
    #expect(json[0]["story_id"]?.stringValue == "spring\u{1B}[2J")
    #expect(json[2]["code"]?.stringValue == "invalid_seq")
  }

  @Test func `of a session shows also what was rejected and names it, the stored events first`() throws {
    let database = try TestDatabase.migrated()
    try Self.ingest(EventText.pageShown(session: 1, seq: -1), database)
    let id = EventText.sessionID(1)
    let rejected = try Self.tail(database, ["--session", "\(id)"]).standardOutput
    #expect(
      rejected.contains("  demo  rejected invalid_seq seq is -1; ") && !rejected.contains(" seq seq "), "\(rejected)")
    try Self.ingest(EventText.pageShown(session: 1), database)
    try Self.ingest(EventText.pageShown(session: 2, seq: -2), database)
    let lines = try Self.tail(database, ["--session", "\(id)"]).standardOutput.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains("page_shown 0") && lines[1].contains("rejected"), "\(lines)")
    let otherApp = try Self.tail(database, ["--session", "\(id)", "--lines", "1"]).standardOutput
    #expect(otherApp.contains("page_shown 0"))
  }

  @Test func `says so where nothing came, and refuses what it cannot show`() throws {
    let empty = try Self.tail(TestDatabase.unchanged())
    #expect(empty.standardOutput.isEmpty)
    #expect(empty.standardError == "pagefall: no event is stored yet (--follow waits for what comes)\n")
    for (arguments, part) in [
      (["--app", "nobody"], "there is no app 'nobody'"), (["--session", "x"], "is no session id"),
      (["-n", "-1"], "expected a number from 0 to 10000"), (["--format", "csv"], "expected text or json"),
    ] {
      let run = try PagefallProcess.run(
        ["tail", "--database", TestDatabase.unchanged().connectionString] + arguments)
      #expect(run.exitCode == 2 && run.standardError.contains(part), "\(run.standardError)")
    }
  }

  @Test func `follows a collector from an empty database on, within a second`() throws {
    let database = try TestDatabase.migrated()
    let directory = try TemporaryDirectory()
    let collector = try RunningCollector(directory.path, database: database.connectionString, ["--open"])
    let tail = try Self.follow(database)
    let ofSession = try Self.follow(database, ["--session", EventText.sessionID(4).uppercased()], number: 2)
    for number in 1...3 {
      var watcher = try EventWatcher(database.connectionString)
      _ = try HTTPCall.postEvents(EventText.pageShown(session: number), port: collector.port)
      _ = try watcher.wait(forSession: EventText.sessionID(number))
      let took = try time { try tail.waitForLine(containing: EventText.sessionID(number)) }
      #expect(took < .seconds(2), "\(took)")
    }
    _ = try HTTPCall.postEvents(EventText.pageShown(session: 4, seq: -7), port: collector.port)
    try tail.waitForLine(containing: "rejected invalid_seq seq")
    _ = try HTTPCall.postEvents(EventText.pageShown(session: 4, seq: -7), port: collector.port)
    try tail.waitForLine(containing: "(came 2 times)")
    try ofSession.waitForLine(containing: "rejected invalid_seq seq")
    _ = try HTTPCall.postEvents(EventText.pageShown(session: 4), port: collector.port)
    try ofSession.waitForLine(containing: "page_shown 0")
    ofSession.signal(SIGTERM)
    #expect(try ofSession.waitForExit() == 0)
    #expect(ofSession.standardOutput.split(separator: "\n").count == 3)
    tail.signal(SIGINT)
    #expect(try tail.waitForExit() == 0)
    #expect(try collector.terminate().exitCode == 0)
  }

  @Test func `misses no batch, in whatever order they are committed`() throws {
    let database = try TestDatabase.migrated()
    try Self.ingest(EventText.pageShown(session: 99), database)
    let tail = try Self.follow(database, ["-n", "0"])
    var first = try PostgresConnection(ConnectionOptions(database.connectionString))
    var second = try PostgresConnection(ConnectionOptions(database.connectionString))
    var third = try PostgresConnection(ConnectionOptions(database.connectionString))
    try first.executeScript("BEGIN; \(Self.batch(1))")
    try second.executeScript("BEGIN; \(Self.batch(2))")
    try third.executeScript("BEGIN; \(Self.batch(3)); ROLLBACK")
    try third.executeScript(Self.batch(4))
    try tail.waitForLine(containing: EventText.sessionID(4))
    try second.executeScript("COMMIT")
    try tail.waitForLine(containing: EventText.sessionID(2))
    try third.executeScript(Self.batch(5))
    try tail.waitForLine(containing: EventText.sessionID(5))
    try first.executeScript("COMMIT")
    try tail.waitForLine(containing: EventText.sessionID(1))
    try third.executeScript(Self.batch(6))
    try tail.waitForLine(containing: EventText.sessionID(6))
    tail.signal(SIGTERM)
    #expect(try tail.waitForExit() == 0)
    let numbers = tail.standardOutput.split(separator: "\n").map { line in
      (1...9).first { line.contains(EventText.sessionID($0)) } ?? 0
    }
    #expect(numbers == [4, 2, 5, 1, 6])
  }

  @Test func `shows every event of two collectors at once exactly once`() throws {
    let database = try TestDatabase.migrated()
    let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
    let collectors = try directories.map {
      try RunningCollector($0.path, database: database.connectionString, ["--open"])
    }
    let tail = try Self.follow(database)
    let ports = collectors.map(\.port)
    _ = try inParallel(4) { sender in
      for number in 0..<60 {
        let event = EventText.pageShown(session: 1 + sender * 1_000 + number)
        _ = try HTTPCall.postEvents(event, port: ports[sender % 2])
      }
    }
    let isAllThere = eventually(within: .seconds(20)) { tail.standardOutput.split(separator: "\n").count >= 240 }
    #expect(isAllThere, "\(tail.standardOutput.split(separator: "\n").count)")
    tail.signal(SIGINT)
    #expect(try tail.waitForExit() == 0)
    let lines = tail.standardOutput.split(separator: "\n")
    #expect(lines.count == 240)
    #expect(Set(lines.compactMap { $0.split(separator: " ").first { $0.hasPrefix("01a226bf") } }).count == 240)
  }

  @Test func `counts what it does not show, by app, and shows a session whole`() throws {
    let database = try TestDatabase.migrated()
    let tail = try Self.follow(database)
    let ofSession = try Self.follow(database, ["--session", EventText.sessionID(7), "--format", "json"], number: 2)
    let flood = (0..<3_000).map { EventText.pageShown(session: 1 + $0 % 10, seq: $0 / 10) }
    try Self.ingest(flood.joined(separator: "\n"), database)
    try Self.ingest(EventText.pageShown(session: 900), database, app: "shop")
    try tail.waitForLine(containing: "shop")
    let lines = tail.standardOutput.split(separator: "\n")
    #expect(lines.count == 202)
    #expect(lines[200].hasSuffix("  and 2,800 more events"), "\(lines[200])")
    #expect(eventually(within: .seconds(20)) { ofSession.standardOutput.split(separator: "\n").count >= 300 })
    let seqs = try ofSession.standardOutput.split(separator: "\n").map {
      try JSONValue(text: String($0))["seq"]?.integerValue ?? -1
    }
    #expect(seqs == Array(0..<300))
    #expect(try Self.tail(database, ["--app", "shop"]).standardOutput.split(separator: "\n").count == 1)
    let last = try Self.tail(database, ["--session", EventText.sessionID(7), "-n", "2"]).standardOutput
    #expect(last.split(separator: "\n").map { $0.contains("  298  ") || $0.contains("  299  ") } == [true, true])
  }

  @Test func `connects again where the connection is lost, and misses nothing`() throws {
    let database = try TestDatabase.migrated()
    let tail = try Self.follow(database)
    let ended = try database.psql(
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'pagefall tail'
      """)
    #expect(ended != "0")
    try Self.ingest(EventText.pageShown(session: 5), database)
    try tail.waitForLine(containing: EventText.sessionID(5))
    #expect(tail.standardError.contains("the database is away"), "\(tail.standardError)")
    #expect(tail.standardError.contains("connected again; going on where it was"), "\(tail.standardError)")
    tail.signal(SIGINT)
    #expect(try tail.waitForExit() == 0)
  }

  @Test func `says so where more came than the journal keeps`() throws {
    let database = try TestDatabase.migrated()
    try Self.ingest(EventText.pageShown(session: 1), database)
    let tail = try Self.follow(database)
    try tail.waitForLine(containing: EventText.sessionID(1))
    // As many batches from one look to the next as a long while without a connection brings.
    _ = try database.psql(
      "SELECT setval(pg_get_serial_sequence('pagefall.stored_batches', 'batch_id'), max(batch_id) + 5000) "
        + "FROM pagefall.stored_batches")
    try Self.ingest(EventText.pageShown(session: 2), database)
    try tail.waitForLine(containing: EventText.sessionID(2))
    #expect(tail.standardError.contains("some events may be missing here"), "\(tail.standardError)")
    // Once, and not again.
    try Self.ingest(EventText.pageShown(session: 3), database)
    try tail.waitForLine(containing: EventText.sessionID(3))
    #expect(tail.standardError.components(separatedBy: "may be missing").count == 2, "\(tail.standardError)")
    tail.signal(SIGINT)
    #expect(try tail.waitForExit() == 0)
  }

  @Test func `shows nothing twice where the connection is lost in the middle of many batches`() throws {
    let database = try TestDatabase.migrated()
    try Self.ingest(EventText.pageShown(session: 99), database)
    let tail = try Self.follow(database, ["-n", "0"])
    _ = try database.psql(
      """
      INSERT INTO pagefall.stored_batches (event_apps, event_sessions, event_seqs, event_fates, rejected_apps,
        rejected_hashes, total_apps, total_fates, total_events)
      SELECT '{1}', '{\(EventText.sessionID(1))}', ARRAY[n], '{1}', '{}', '{}', '{1}', '{1}', '{1}'
      FROM generate_series(1, 3000) n
      """)
    try tail.waitForLine(containing: EventText.sessionID(1))
    tail.signal(SIGSTOP)
    _ = try database.psql(
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'pagefall tail'
      """)
    tail.signal(SIGCONT)
    _ = try database.psql(Self.batch(2))
    try tail.waitForLine(containing: EventText.sessionID(2))
    tail.signal(SIGINT)
    #expect(try tail.waitForExit() == 0)
    #expect(tail.standardError.contains("connected again; going on where it was"), "\(tail.standardError)")
    #expect(!tail.standardError.contains("may be missing"), "\(tail.standardError)")
    let lines = tail.standardOutput.split(separator: "\n")
    #expect(lines.count == 3_001 && Set(lines).count == 3_001, "\(lines.count) lines")
  }

  @Test func `ends where nobody reads it any more`() throws {
    let database = try TestDatabase.migrated()
    try Self.ingest(EventText.pageShown(session: 1), database)
    let run = try PagefallProcess.run(
      [
        "-c", "\"$0\" tail --follow --database \"$1\" | head -n 1", PagefallProcess.binaryPath,
        database.connectionString,
      ],
      timeout: .seconds(20), binary: "/bin/sh")
    #expect(run.exitCode == 0)
    #expect(run.standardOutput.contains(EventText.sessionID(1)))
    #expect(run.standardError.isEmpty, "\(run.standardError)")
  }

  @Test func `needs no more than the rights of reports`() throws {
    let database = try TestDatabase.migrated()
    try Self.ingest(EventText.pageShown(session: 1), database)
    let role = "\(database.name)_tail"
    _ = try database.psql("CREATE ROLE \(role); SELECT pagefall.grant_report('\(role)')")
    defer { _ = try? database.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
    let run = try PagefallProcess.run(
      ["tail", "--database", database.connectionString], environment: ["PGOPTIONS": "-c role=\(role)"])
    #expect(run.exitCode == 0 && run.standardOutput.contains(EventText.sessionID(1)), "\(run.standardError)")
  }
}
