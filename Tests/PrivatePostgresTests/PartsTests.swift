import Foundation
import TestSupport
import Testing

@testable import PrivatePostgres

@Suite struct `The parts of it` {
  @Test(arguments: [
    ("1234\n/data\n1796032805\n5432\n/run/x\n\n  1 2\nready   \n", true),
    ("1234\n/data\n1796032805\n5432\n/run/x\n\n  1 2\nstarting\n", false),
    ("1234\n/data\n1796032805\n5432\n/run/x", false),
  ])
  func `a postmaster file tells where its server is`(text: String, isReady: Bool) throws {
    let file = try #require(PostmasterFile(text: text))
    #expect(file.processIdentifier == 1_234 && file.socketDirectory == "/run/x" && file.port == 5_432)
    #expect(file.isReady == isReady)
  }

  @Test(arguments: [
    "", "\n\n\n\n\n", "-5\n/d\n1\n5432\n/x\n", "0\n/d\n1\n5432\n/x\n", "12", "x\n/d\n1\n2\n/x\n",
    "5\n/d\n1\nport\n/x\n",
  ])
  func `half a postmaster file is none`(text: String) {
    #expect(PostmasterFile(text: text) == nil)
  }

  @Test(
    arguments: [
      ("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n", "15"), ("postgres (PostgreSQL) 19devel", "19"),
      ("postgres (PostgreSQL) 13.2", "13"), ("postgres", nil), ("", nil),
    ] as [(String, String?)])
  func `the major version is read from what postgres says`(text: String, version: String?) {
    #expect(PostgresPrograms.parseMajorVersion(text) == version)
  }

  @Test func `a connection string quotes what libpq would take apart`() throws {
    let file = try #require(PostmasterFile(text: "9\n/d\n1\n5432\n/a b's\\c\n\n\nready\n"))
    #expect(
      PostgresServer.connectionString(file)
        == #"host='/a b\'s\\c' port=5432 user=pagefall dbname=pagefall"#)
  }

  @Test func `a path's hash is short, stable and its own`() {
    #expect(PathHash.hexadecimal("") == "cbf29ce484222325")
    #expect(PathHash.hexadecimal("/a") != PathHash.hexadecimal("/b"))
    #expect(PathHash.hexadecimal("/srv/pagefall").utf8.count == 16)
  }

  @Test func `a lock is shared, exclusive, and gone with its holder`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/lock"
    let first = try FileLock(path: path, owner: geteuid())
    #expect(first.tryShared() == true)
    do {
      let second = try FileLock(path: path, owner: geteuid())
      #expect(second.tryShared() == true)
      #expect(first.tryExclusive() == false)
    }
    // A refused change of a lock may have dropped it; it is taken anew.
    #expect(first.tryExclusive() == true)
    let third = try FileLock(path: path, owner: geteuid())
    #expect(third.tryShared() == false)
    #expect(throws: PrivatePostgresError.busy(lock: path)) { try third.lockExclusive(timeout: .milliseconds(30)) }
  }

  @Test func `a lock file that is a link is refused`() throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory.path)/lock", withDestinationPath: "\(directory.path)/elsewhere")
    #expect(throws: PrivatePostgresError.self) {
      _ = try FileLock(path: "\(directory.path)/lock", owner: geteuid())
    }
    #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/elsewhere"))
  }

  @Test(arguments: [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143)] as [(String, Int32)])
  func `a child's end is told`(script: String, status: Int32) throws {
    let output = try ChildProcess.run(
      ["/bin/sh", "-c", script], environment: [], timeout: .seconds(20))
    #expect(output.status == status && !output.timedOut)
  }

  @Test func `a child is killed with its own children at its deadline`() throws {
    let begin = ContinuousClock.now
    let output = try ChildProcess.run(
      ["/bin/sh", "-c", "echo begun; sleep 60 & sleep 60"], environment: ["PATH=/usr/bin:/bin"],
      timeout: .milliseconds(200))
    #expect(output.timedOut && output.text == "begun\n")
    #expect(ContinuousClock.now - begin < .seconds(10))
  }

  @Test func `of a child's words the last 64 KiB are kept`() throws {
    let output = try ChildProcess.run(
      ["/bin/sh", "-c", "head -c 300000 /dev/zero | tr '\\0' x; echo; echo 'the end'"],
      environment: ["PATH=/usr/bin:/bin"], timeout: .seconds(20))
    #expect(output.text.utf8.count == 65_536)
    #expect(output.lastLine == "the end")
  }

  @Test func `a child that is not there is an error`() {
    #expect(throws: PrivatePostgresError.systemCall(name: "posix_spawn", path: "/no/such", code: ENOENT)) {
      try ChildProcess.run(["/no/such"], environment: [], timeout: .seconds(5))
    }
  }

  @Test func `PostgreSQL's programs do not see the caller's PG variables`() {
    setenv("PGOPTIONS", "-c work_mem=1MB", 1)
    defer { unsetenv("PGOPTIONS") }
    #expect(!ChildProcess.environment().contains { $0.hasPrefix("PG") })
    #expect(ChildProcess.environment().contains("LC_ALL=C"))
  }

  @Test(arguments: [
    PrivatePostgresError.noCluster(lookedIn: "/d"), .programsNotFound(lookedIn: ["PATH", "/x"]),
    .otherVersion(directory: "/d", clusterVersion: "14", installedVersions: ["15"]),
    .notPermitted(path: "/d", reason: "r"), .noServerUser(reason: "r"),
    .copiedDirectory(path: "/a", original: "/b", home: "/c"), .busy(lock: "/l"),
    .programFailed(program: "initdb", detail: "d"), .serverDidNotStart(log: "/l", detail: "d"),
    .serverDidNotStop(directory: "/d"), .systemCall(name: "open", path: "/p", code: ENOSPC),
  ])
  func `every error is one line`(error: PrivatePostgresError) {
    #expect(!error.description.contains("\n"))
    #expect(!error.description.contains("PrivatePostgresError"))
  }
}
