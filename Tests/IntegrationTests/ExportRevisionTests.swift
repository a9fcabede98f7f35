import Foundation
import FunnelDocument
import Postgres
import TestSupport
import Testing

/// What changes of a day after its set was made, and what the next set says of it.
@Suite struct ExportRevisionTests {
  let fixture: ExportFixture
  let day: String

  /// A set of three days ago, with two sessions of one event each, and yesterday's.
  init() throws {
    fixture = try ExportFixture()
    day = PastDay.text(3)
    try fixture.ingest(ExportEvent.lines(1...2, at: day))
    try fixture.write(["--since-last"])
    #expect(try fixture.days() == [day, PastDay.text(1)])
  }

  @Test func `late events make a revision that says how many, of new sessions and of old ones`() throws {
    try fixture.ingest([
      ExportEvent.line(1, seq: 1, at: day), ExportEvent.line(1, seq: 2, at: day), ExportEvent.line(3, at: day),
      // A repeat is none.
      ExportEvent.line(2, at: day),
    ])
    try expectRevision(["late_events 1 3"])
    #expect(try fixture.set(day).manifest["changes"]?["since_revision"] == .integer(1))
    #expect(try fixture.set(PastDay.text(1)).revision == 1)
  }

  @Test func `a context field that was missing and came later makes a revision`() throws {
    try fixture.ingest([ExportEvent.line(1, seq: 1, at: day, context: "\"app_version\":\"4.2.0\"")])
    try expectRevision(["late_events 0 1", "context_filled_in 1 0"])
    let versions = try fixture.set(day).rows("sessions").map { $0["app_version"] }
    #expect(Set(versions) == ["4.2.0", nil])
  }

  @Test func `rejected events that were replayed make a revision`() throws {
    for (session, seq) in [(1, 1), (4, 0), (4, 1)] {
      let body = ExportEvent.line(session, seq: seq, at: day).replacing("'", with: "''")
      _ = try fixture.database.psql(
        """
        INSERT INTO pagefall.rejected (app_id, sha256, code, field, message, place, body, first_received_at,
          last_received_at, count)
        SELECT app_id, sha256(b), 'unknown_type', 'type', 'as it was then', 0, b, '\(day) 13:00Z', '\(day) 13:00Z', 1
        FROM pagefall.apps, (SELECT convert_to('\(body)', 'UTF8')) AS v(b)
        """)
    }
    // That they were rejected is no event yet.
    #expect(try fixture.write(["--since-last"]).hasPrefix("nothing to write"))
    let run = try PagefallProcess.run(
      ["rejected", "replay", "--all", "--database", fixture.database.connectionString])
    try #require(run.exitCode == 0, "\(run.standardError)")
    try expectRevision(["replayed_rejections 1 3"])
  }

  @Test func `erased sessions make a revision that no longer holds them`() throws {
    _ = try fixture.database.psql("SELECT pagefall.erase_sessions(ARRAY['\(ExportEvent.session(2))']::uuid[])")
    try expectRevision(["erased 1 1"])
    #expect(try fixture.set(day).rows("sessions").map { $0["session_id"] } == [ExportEvent.session(1)])
    _ = try fixture.database.psql("SELECT pagefall.erase_sessions(ARRAY['\(ExportEvent.session(1))']::uuid[])")
    try expectRevision(["erased 1 1"], 3)
    #expect(try fixture.set(day).manifest["events"] == .integer(0))
  }

  @Test func `what retention removed makes a revision, which says so`() throws {
    try applyRetention()
    try expectRevision(["retained 2 2"])
    #expect(try fixture.set(day).rows("events").isEmpty)
  }

  @Test func `with --keep-retained a day stays as it was exported before retention`() throws {
    let before = try fixture.traces()
    try applyRetention()
    let output = try fixture.write(["--since-last", "--keep-retained"])
    #expect(output.contains("1 day kept as exported before retention"))
    #expect(try fixture.traces() == before)
    // Asked for by its name it stays as well.
    #expect(try fixture.write(["--day", day, "--keep-retained"]).contains("1 day kept"))
    #expect(try fixture.traces() == before)
    // Without the option the export follows the database.
    try expectRevision(["retained 2 2"])
  }

  @Test func `with --keep-retained a day stays also where retention comes after the run has begun`() throws {
    let other = PastDay.text(2)
    try fixture.ingest([ExportEvent.line(7, at: other)])
    try fixture.write(["--since-last"])
    try fixture.ingest([ExportEvent.line(3, at: day), ExportEvent.line(8, at: other)])
    let before = try fixture.set(other).manifest
    // The first day is stopped at what an export reads last; by then the second is known to be due.
    var lock = try PostgresConnection(ConnectionOptions(fixture.database.connectionString))
    try lock.execute("BEGIN")
    try lock.execute("LOCK TABLE pagefall.story_pages")
    let export = try PagefallProcess.start(fixture.command(["--since-last", "--keep-retained"]))
    try #require(
      eventually { FileManager.default.fileExists(atPath: "\(fixture.sets)/.building-\(day)/events.csv.gz") })
    _ = try fixture.database.psql(
      """
      INSERT INTO pagefall.changes
      SELECT app_id, '\(other) 12:00Z', pagefall.change_hour(), 'retained', 1, 1 FROM pagefall.apps
      """)
    try lock.execute("COMMIT")
    try #require(export.waitForExit() == 0, "\(export.standardError)")
    #expect(try fixture.set(day).reasons == ["late_events 1 1"])
    #expect(try fixture.set(other).manifest == before)
  }

  @Test func `with --keep-retained a day without a set gets one of what is left`() throws {
    try applyRetention()
    let other = "\(fixture.directory.path)/other"
    try fixture.write(["--since-last", "--keep-retained"], into: other)
    #expect(try ExportedSet("\(other)/day=\(day)").manifest["events"] == .integer(0))
  }

  @Test func `several changes are told apart in one revision`() throws {
    try fixture.ingest([
      ExportEvent.line(5, at: day), ExportEvent.line(1, seq: 1, at: day, context: "\"user_id\":\"u\""),
    ])
    _ = try fixture.database.psql("SELECT pagefall.erase_sessions(ARRAY['\(ExportEvent.session(2))']::uuid[])")
    try expectRevision(
      ["late_events 1 2", "context_filled_in 1 0", "erased 1 1", "options 0 0"], with: ["--compress", "none"])
  }

  @Test func `what came and was erased again before the next set is in the reasons, not in the set`() throws {
    try fixture.ingest([ExportEvent.line(6, at: day)])
    _ = try fixture.database.psql("SELECT pagefall.erase_sessions(ARRAY['\(ExportEvent.session(6))']::uuid[])")
    try expectRevision(["late_events 1 1", "erased 1 1"])
    #expect(try fixture.set(day).manifest["events"] == .integer(2))
  }

  @Test func `another database makes every day anew, and says no counts`() throws {
    let other = try ExportFixture()
    // The tests' databases are copies of one.
    _ = try other.database.psql("UPDATE pagefall.settings SET database_id = gen_random_uuid()")
    try other.ingest(ExportEvent.lines(1...2, at: day))
    let run = try other.export(["--since-last"], into: fixture.sets)
    try #require(run.exitCode == 0, "\(run.standardError)")
    for day in [day, PastDay.text(1)] {
      #expect(try fixture.set(day).revision == 2)
      #expect(try fixture.set(day).reasons == ["other_database 0 0"])
    }
    #expect(try other.export(["--since-last"], into: fixture.sets).standardOutput.hasPrefix("nothing to write"))
  }

  @Test func `a database that was restored to an earlier time is another one`() throws {
    try fixture.ingest([ExportEvent.line(7, at: day)])
    try expectRevision(["late_events 1 1"])
    // As the backup of before has it.
    _ = try fixture.database.psql(
      """
      ALTER TABLE pagefall.stored_events DISABLE TRIGGER USER; ALTER TABLE pagefall.sessions DISABLE TRIGGER USER;
      DELETE FROM pagefall.stored_events WHERE session_id = pagefall.stored_session_id('\(ExportEvent.session(7))');
      DELETE FROM pagefall.sessions WHERE session_id = pagefall.stored_session_id('\(ExportEvent.session(7))');
      UPDATE pagefall.changes SET sessions = sessions - 1, events = events - 1
      """)
    try expectRevision(["other_database 0 0"], 3)
  }

  @Test func `numbers that mean something else now make every day anew`() throws {
    for day in [day, PastDay.text(1)] {
      let path = "\(fixture.sets)/day=\(day)/manifest.json"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try text.replacing("funnel/1", with: "funnel/0").write(toFile: path, atomically: true, encoding: .utf8)
    }
    try expectRevision(["definitions 0 0"])
    #expect(try fixture.set(PastDay.text(1)).revision == 2)
  }

  @Test func `other files, another format or another compression make every day anew, and no old file stays`() throws {
    try expectRevision(["options 0 0"], with: ["--what", "events,sessions"])
    try expectRevision(["options 0 0"], 3, with: ["--what", "events", "--compress", "zstd"])
    try expectRevision(["options 0 0"], 4, with: ["--what", "events", "--compress", "zstd", "--csv-safe"])
    #expect(try fixture.set(PastDay.text(1)).revision == 4)
    let names = try FileManager.default.contentsOfDirectory(atPath: "\(fixture.sets)/day=\(day)")
    #expect(names.sorted() == ["events.csv.zst", "manifest.json"])
  }

  @Test func `a repeat without changes writes nothing, not even an inode`() throws {
    let before = try fixture.traces()
    for days in [["--since-last"], ["--day", day], ["--from", day, "--to", PastDay.text(3)]] {
      let output = try fixture.write(days)
      #expect(output.hasPrefix("nothing to write to \(fixture.sets), "), "\(output)")
      #expect(output.split(separator: "\n").count == 1)
      #expect(try fixture.traces() == before)
    }
    #expect(try fixture.write(["--since-last", "--summary", "json"]) == "")
  }

  @Test func `what happens today waits for tomorrow, and nights that were missed are made up for`() throws {
    let directory = "\(fixture.directory.path)/nights"
    try fixture.write(["--day", PastDay.text(6)], into: directory)
    try fixture.ingest([ExportEvent.line(8, at: PastDay.text(0) + "T00:00:00Z")])
    try fixture.write(["--since-last"], into: directory)
    let days = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("day=") }.sorted()
    #expect(days == (1...6).reversed().map { "day=\(PastDay.text($0))" })
    #expect(try ExportedSet("\(directory)/day=\(PastDay.text(2))").manifest["events"] == .integer(0))
  }

  @Test func `sessions of the ends of time keep no other from its set`() throws {
    try fixture.ingest([
      ExportEvent.line(8, at: "0001-01-01T00:00:00Z"), ExportEvent.line(9, at: "9999-12-31T23:59:59.999999Z"),
      ExportEvent.line(10, at: "1970-01-01T00:00:00Z"),
      // An id that begins with the last time that it can hold.
      ExportEvent.line(0, at: day).replacing(ExportEvent.session(0), with: "ffffffff-ffff-7000-8000-000000000000"),
    ])
    for (zone, oldest) in [
      ("UTC", ["0001-01-01", "1970-01-01"]), ("Asia/Tokyo", ["0001-01-01", "1970-01-01"]),
      ("America/New_York", ["1969-12-31"]),
    ] {
      let directory = "\(fixture.directory.path)/\(zone.replacing("/", with: "-"))"
      try fixture.write(["--since-last", "--tz", zone], into: directory)
      try fixture.write(["--since-last", "--tz", zone], into: directory)
      let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("day=") }
        .sorted()
      #expect(names.dropLast(2) == oldest.map { "day=\($0)" }[...], "\(zone)")
      for name in names {
        let set = try ExportedSet("\(directory)/\(name)")
        let faults = try set.faults()
        #expect(faults == [], "\(zone)")
        if names.dropLast(2).contains(name) { #expect(set.manifest["events"] == .integer(1), "\(zone), \(name)") }
      }
    }
  }

  @Test func `a set that somebody removed is made anew, from the first revision on`() throws {
    try FileManager.default.removeItem(atPath: "\(fixture.sets)/day=\(day)")
    try fixture.write(["--since-last"])
    #expect(try fixture.set(day).revision == 1)
    try fixture.expectComplete(day)
  }

  @Test func `with --state what was written is remembered where sets are moved away`() throws {
    let state = ["--state", "\(fixture.directory.path)/state.json"]
    let directory = "\(fixture.directory.path)/outbox"
    try fixture.write(["--since-last"] + state, into: directory)
    try FileManager.default.removeItem(atPath: directory)
    #expect(try fixture.write(["--since-last"] + state, into: directory).hasPrefix("nothing to write"))
    try fixture.ingest([ExportEvent.line(9, at: day)])
    try fixture.write(["--since-last"] + state, into: directory)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory).filter { $0.hasPrefix("day=") }
    #expect(names == ["day=\(day)"])
    let set = try ExportedSet("\(directory)/day=\(day)")
    #expect(set.revision == 2)
    #expect(set.reasons == ["late_events 1 1"])
    let faults = try set.faults()
    #expect(faults == [])
  }

  @Test func `a manifest that nobody can read is told, and its day is made anew`() throws {
    let path = "\(fixture.sets)/day=\(day)/manifest.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: path))
    let run = try fixture.export(["--since-last"])
    #expect(run.exitCode == 0)
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(run.standardError.contains(path))
    #expect(try fixture.set(day).revision == 1)
    try fixture.expectComplete(day)
  }

  private func applyRetention() throws {
    _ = try fixture.database.psql(
      "SELECT pagefall.set_retention_line('\(PastDay.text(2)) 00:00Z'); SELECT pagefall.apply_retention()")
  }

  /// Runs `--since-last`, and expects that the day's set is whole, of this revision, and for these reasons.
  private func expectRevision(
    _ reasons: [String], _ revision: Int = 2, with options: [String] = []
  ) throws {
    try fixture.write(["--since-last"] + options)
    let set = try fixture.set(day)
    #expect(set.revision == revision)
    #expect(set.reasons == reasons)
    #expect(set.manifest["changes"]?["since_revision"] == .integer(Int64(revision - 1)))
    try fixture.expectComplete(day, "revision \(revision)")
  }
}
