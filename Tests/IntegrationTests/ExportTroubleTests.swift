import Foundation
import Postgres
import TestSupport
import Testing

/// Disks and databases that fail: one line, exit code 3, nothing half written, the last good set still there.
@Suite struct ExportTroubleTests {
  let day = ExportWorld.days[1]

  @Test(.enabled(if: SmallDisk.canBeMounted, "this user may not mount a small file system"))
  func `a full disk costs no set`() throws {
    let disk = try SmallDisk("size=96k")
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    let sets = "\(disk.path)/sets"
    try fixture.write(["--day", day, "--what", "stories"], into: sets)
    let good = try ExportedSet("\(sets)/day=\(day)").manifest
    for request in [["--day", day], ["--from", ExportWorld.days[0], "--to", day]] {
      let run = try fixture.export(request + ["--compress", "none"], into: sets)
      expectRefusal(run, 3, says: "the disk is full; make room")
      let set = try ExportedSet("\(sets)/day=\(day)")
      let faults = try set.faults()
      #expect(faults == [])
      #expect(set.manifest == good)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: sets).sorted() == [".pagefall-export.lock", "day=\(day)"])
    }
    // With room again it goes on.
    try disk.resize("8m")
    try fixture.write(["--day", day, "--compress", "none"], into: sets)
    #expect(try ExportedSet("\(sets)/day=\(day)").revision == 2)
    #expect(try ExportedSet("\(sets)/day=\(day)").faults() == [])
  }

  @Test(.enabled(if: SmallDisk.canBeMounted, "this user may not mount a small file system"))
  func `a disk that fills up between two days keeps the first`() throws {
    let fixture = try ExportFixture()
    let disk = try SmallDisk("size=128k")
    // Random ids do not compress.
    try fixture.ingest(ExportEvent.lines(1...2, at: "2026-11-20"))
    let large = (3...2_000).map { number in
      ExportEvent.line(number, at: "2026-11-21", context: "\"user_id\":\"\(UUID())\(UUID())\"")
    }
    try fixture.ingest(large)
    let run = try fixture.export(["--from", "2026-11-20", "--to", "2026-11-21"], into: disk.path)
    expectRefusal(run, 3, says: "the disk is full")
    let names = try FileManager.default.contentsOfDirectory(atPath: disk.path).sorted()
    #expect(names == [".pagefall-export.lock", "day=2026-11-20"])
    #expect(try ExportedSet("\(disk.path)/day=2026-11-20").faults() == [])
  }

  @Test(.enabled(if: SmallDisk.canBeMounted, "this user may not mount a small file system"))
  func `a file system that is read-only is named as that`() throws {
    let disk = try SmallDisk("size=512k")
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    try fixture.write(["--day", day, "--what", "stories"], into: disk.path)
    try disk.makeReadOnly()
    let run = try fixture.export(["--day", day], into: disk.path)
    expectRefusal(run, 3, says: "read-only")
    #expect(try ExportedSet("\(disk.path)/day=\(day)").faults() == [])
  }

  @Test(
    .enabled(if: Unprivileged.canRun, "only root can run as another user, and only where that one may start pagefall"))
  func `a directory that this user may not write is named, whether it has sets or not`() throws {
    let fixture = try ExportFixture(try ExportWorld.shared.get().database)
    let relay = try UnprivilegedRelay(fixture.database.connectionString)
    func run(_ directory: String) throws -> PagefallProcess.Result {
      try Unprivileged.run(["export", "--day", day, "--out", directory, "--database", relay.connectionString])
    }
    try FileManager.default.createDirectory(atPath: fixture.sets, withIntermediateDirectories: false)
    // The second time there is a set, of another user.
    for reason in ["Permission denied", "belongs to another user"] {
      let before = try fixture.traces()
      for directory in [fixture.sets, "\(fixture.sets)/below"] {
        let run = try run(directory)
        expectRefusal(run, 3, says: fixture.sets)
        let isReason = run.standardError.contains(directory == fixture.sets ? reason : "Permission denied")
        #expect(isReason, "\(run.standardError)")
      }
      #expect(try fixture.traces() == before)
      try fixture.write(["--day", day, "--what", "stories"])
    }
    // To write elsewhere it may.
    let own = "\(fixture.directory.path)/own"
    try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: false)
    chmod(own, 0o777)
    #expect(try run("\(own)/sets").exitCode == 0)
  }

  @Test func `a database that cannot be reached is told, and no directory is made`() throws {
    let directory = try TemporaryDirectory()
    for target in ["host=\(directory.path) dbname=none", "host=127.0.0.1 port=1 dbname=none"] {
      let run = try PagefallProcess.run([
        "export", "--day", day, "--out", "\(directory.path)/sets", "--database", target,
      ])
      expectRefusal(run, 3, says: "check --database")
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }
  }

  @Test func `a database of an older schema, or of none, is told to be migrated`() throws {
    let sql = try PagefallProcess.run(["database", "migrate", "--print-sql"]).standardOutput
    let older = try #require(sql.range(of: "\n-- 0006_changes\n"))
    let databases = [try TestDatabase(), try TestDatabase()]
    _ = try databases[1].psql(String(sql[..<older.lowerBound]))
    for database in databases {
      let fixture = try ExportFixture(database)
      for command in [
        fixture.command(["--day", day]), ["report", "changes", "--database", database.connectionString],
      ] {
        expectRefusal(try PagefallProcess.run(command), 3, says: "pagefall database migrate")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path) == [])
    }
  }

  @Test func `a database that goes away in the middle costs no set`() throws {
    let fixture = try ExportFixture()
    try fixture.ingest(ExportEvent.lines(1...3, at: day))
    try fixture.write(["--day", day])
    try fixture.ingest([ExportEvent.line(4, at: day)])
    let before = try fixture.traces()
    // What an export reads last.
    var lock = try PostgresConnection(ConnectionOptions(fixture.database.connectionString))
    try lock.execute("BEGIN")
    try lock.execute("LOCK TABLE pagefall.story_pages")
    for killsExport in [false, true] {
      let export = try PagefallProcess.start(fixture.command(["--day", day]))
      let waiting = """
        FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%story_pages%'
        """
      try #require(eventually { try fixture.database.psql("SELECT count(*) \(waiting)") == "1" })
      #expect(FileManager.default.fileExists(atPath: "\(fixture.sets)/.building-\(day)/events.csv.gz"))
      if killsExport {
        export.signal(SIGKILL)
        #expect(try export.waitForExit() == 128 + SIGKILL)
        #expect(try fixture.set(day).faults() == [])
        #expect(try fixture.set(day).revision == 1)
        continue
      }
      _ = try fixture.database.psql("SELECT pg_terminate_backend(pid) \(waiting)")
      #expect(try export.waitForExit() == 3)
      #expect(export.standardOutput == "")
      #expect(export.standardError.split(separator: "\n").count == 1, "\(export.standardError)")
      #expect(try fixture.traces().filter { $0.key != "." } == before.filter { $0.key != "." })
    }
    try lock.execute("COMMIT")
    try fixture.write(["--day", day])
    #expect(try fixture.set(day).reasons == ["late_events 1 1"])
    try fixture.expectComplete(day)
    #expect(!FileManager.default.fileExists(atPath: "\(fixture.sets)/.building-\(day)"))
  }

  @Test func `a role that may only read is enough`() throws {
    let fixture = try ExportFixture()
    let role = "\(fixture.database.name)_analyst"
    try fixture.ingest(ExportEvent.lines(1...3, at: day))
    _ = try fixture.database.psql("CREATE ROLE \(role) LOGIN; SELECT pagefall.grant_report('\(role)')")
    defer { _ = try? fixture.database.psql("DROP OWNED BY \(role); DROP ROLE \(role)") }
    let target = "\(fixture.database.connectionString) options='-c role=\(role) -c default_transaction_read_only=on'"
    let run = try PagefallProcess.run(["export", "--day", day, "--out", fixture.sets, "--database", target])
    #expect(run.exitCode == 0, "\(run.standardError)")
    try fixture.expectComplete(day)
  }
}
