import Foundation
import PrivatePostgres
import TestSupport
import Testing

@Suite struct `The test support` {
  @Test func `a fresh database is empty and dropped when it is let go`() throws {
    var database: TestDatabase? = try TestDatabase()
    let name = try #require(database?.name)
    #expect(try database?.psql("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace") == "0")
    let count = "SELECT count(*) FROM pg_database WHERE datname = '\(name)'"
    let other = try TestDatabase()
    #expect(try other.psql(count) == "1")
    database = nil
    #expect(try other.psql(count) == "0")
  }

  @Test func `a template is prepared once and its copies are apart`() throws {
    var preparations = 0
    func make() throws -> TestDatabase {
      try TestDatabase(template: "numbers") { connectionString in
        preparations += 1
        let psql = try PostgresPrograms.findClient("psql", version: PostgresPrograms.find().majorVersion)
        let output = try ChildProcess.run(
          [psql, "-X", "-d", connectionString, "-c", "CREATE TABLE numbers AS SELECT 1 AS n"],
          environment: ChildProcess.environment(), timeout: .seconds(20))
        #expect(output.status == 0)
      }
    }
    let (first, second) = (try make(), try make())
    #expect(preparations == 1)
    _ = try first.psql("INSERT INTO numbers VALUES (2)")
    #expect(try first.psql("SELECT n FROM numbers ORDER BY n") == "1\n2")
    #expect(try second.psql("SELECT n FROM numbers") == "1")
  }

  @Test func `what the server says of wrong SQL is thrown`() throws {
    let database = try TestDatabase()
    #expect(throws: TestSupportError.self) { try database.psql("SELECT 1/0") }
  }

  @Test func `a dedicated server stops, starts, is killed and frozen`() throws {
    let server = try DedicatedServer(settings: ["work_mem": "5MB"])
    #expect(try server.psql("SHOW work_mem") == "5MB")
    _ = try server.psql("CREATE TABLE kept AS SELECT 1 AS n")
    try server.stop()
    #expect(!server.isRunning)
    #expect(throws: TestSupportError.self) { try server.psql("SELECT 1") }
    try server.start()
    try server.kill()
    #expect(!server.isRunning)
    try server.start()
    #expect(try server.psql("SELECT count(*) FROM pg_stat_activity WHERE datname = 'pagefall'") == "1")
    server.pause()
    server.resume()
    #expect(try server.psql("SELECT 1") == "1")
  }

  @Test func `a temporary directory is empty, writable and goes with its value`() throws {
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let path = try #require(directory?.path)
    #expect(FileManager.default.createFile(atPath: "\(path)/file", contents: Data([1])))
    directory = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a process is run with its input and without variables that name a database`() throws {
    let directory = try TemporaryDirectory()
    let program = "\(directory.path)/pagefall"
    try "#!/bin/sh\necho \"$1 ${PGHOST-none} $EXTRA\"; cat; echo trouble >&2; exit 3\n"
      .write(toFile: program, atomically: true, encoding: .utf8)
    #expect(chmod(program, 0o755) == 0)
    let result = try PagefallProcess.run(
      ["first"], environment: ["EXTRA": "extra"], input: Array("input".utf8), binary: program)
    #expect(result.exitCode == 3)
    #expect(result.standardOutput == "first none extra\ninput")
    #expect(result.standardError == "trouble\n")
  }

  @Test func `a started process is waited for by its lines and ended by a signal`() throws {
    let running = try PagefallProcess.start(
      ["-c", "echo starting; echo ready at 1; exec sleep 60"], binary: "/bin/sh")
    #expect(try running.waitForLine(containing: "ready") == "ready at 1")
    #expect(throws: TestSupportError.self) {
      try running.waitForLine(containing: "never", timeout: .milliseconds(30))
    }
    running.signal(SIGTERM)
    #expect(try running.waitForExit() == 128 + SIGTERM)
    #expect(throws: TestSupportError.self) { try running.waitForLine(containing: "never") }
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe")))
  func `no server and no directory outlives a test process that crashes`() throws {
    let running = try PagefallProcess.start(
      ["--testing-library", "swift-testing", "--filter", "startSharedServerForAnotherTest"],
      environment: ["PAGEFALL_TEST_SHARED_SERVER": "1"],
      binary: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let cluster = String(try running.waitForLine(containing: "SERVER ").dropFirst("SERVER ".count))
    let server = try #require(PostmasterFile.read(cluster: cluster))
    #expect(server.processExists)
    running.signal(SIGKILL)
    let root = URL(fileURLWithPath: cluster).deletingLastPathComponent().deletingLastPathComponent()
    #expect(root.lastPathComponent.hasPrefix("pagefall-tests-"))
    // Servers may lie in memory, all else never does.
    let roots = [root.path, "/tmp/\(root.lastPathComponent)"]
    let deadline = ContinuousClock.now + .seconds(15)
    func remain() -> [String] { roots.filter { FileManager.default.fileExists(atPath: $0) } }
    while !remain().isEmpty, ContinuousClock.now < deadline { usleep(10_000) }
    #expect(remain() == [])
    #expect(!server.processExists)
  }
}
