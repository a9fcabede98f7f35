import Foundation
import PrivatePostgres
import TestSupport
import Testing

@Suite struct `A cluster in trouble` {
  @Test(arguments: [
    String(repeating: "long", count: 30), "space, comma; quote's \"and\" $(false) `back` größe",
  ])
  func `works below any path`(name: String) throws {
    let scene = try Scene(name)
    let lease = try scene.cluster.acquire(.createIfMissing)
    #expect(try psql(lease.connectionString, "SELECT 1") == "1")
    try lease.release()
    #expect(try scene.running() == nil)
  }

  @Test func `what a broken-off creation left is replaced`() throws {
    let scene = try Scene()
    let rubbish = "\(scene.dataDirectory)/postgres/new-broken/base"
    try FileManager.default.createDirectory(atPath: rubbish, withIntermediateDirectories: true)
    if let nobody = try? ServerUser.choose(owner: 0), geteuid() == 0 {
      for path in ["postgres", "postgres/new-broken", "postgres/new-broken/base"] {
        #expect(chown("\(scene.dataDirectory)/\(path)", nobody.userID, nobody.groupID) == 0)
      }
    }
    let lease = try scene.cluster.acquire(.createIfMissing)
    #expect(lease.wasCreated == true)
    #expect(!FileManager.default.fileExists(atPath: "\(scene.dataDirectory)/postgres/new-broken"))
    try lease.release()
  }

  @Test func `a crashed server starts again, whoever has its process id now`() throws {
    let scene = try Scene.withCluster()
    let lease = try scene.cluster.acquire(.existingOnly)
    let server = try #require(try scene.running())
    #expect(kill(server.processIdentifier, SIGKILL) == 0)
    waitForEnd(of: server.processIdentifier)
    let again = try scene.cluster.acquire(.existingOnly)
    #expect(try psql(again.connectionString, "SELECT 1") == "1")
    let second = try #require(try scene.running())
    #expect(second.processIdentifier != server.processIdentifier)

    // As after a reboot: the file is there, and its process id is another program's of the same user.
    #expect(kill(second.processIdentifier, SIGQUIT) == 0)
    waitForEnd(of: second.processIdentifier)
    try scene.asServerUser(
      """
      sleep 30 > /dev/null 2>&1 & echo $! > stranger
      printf '%s\\n%s\\n1\\n5432\\n/nowhere\\n\\n  1 1\\nready   \\n' "$(cat stranger)" "$PWD/data" > data/postmaster.pid
      """)
    let third = try scene.cluster.acquire(.existingOnly)
    #expect(try psql(third.connectionString, "SELECT 1") == "1")
    try scene.asServerUser("kill $(cat stranger)")
    try third.release()
    try again.release()
    try lease.release()
    #expect(try scene.running() == nil)
  }

  @Test func `a server that cannot start is told by why: its version, or the line of its log`() throws {
    let scene = try Scene.withCluster()
    try scene.asServerUser("echo 9 > data/PG_VERSION")
    let otherVersion = #expect(throws: PrivatePostgresError.self) { _ = try scene.cluster.acquire(.existingOnly) }
    let installed = try PostgresPrograms.find().majorVersion
    #expect(otherVersion?.description.contains("PostgreSQL 9") == true)
    #expect(otherVersion?.description.contains(installed) == true)

    try scene.asServerUser("echo \(installed) > data/PG_VERSION; echo 'max_connections = many' >> data/postgresql.conf")
    let error = #expect(throws: PrivatePostgresError.self) { _ = try scene.cluster.acquire(.existingOnly) }
    let text = try #require(error?.description)
    #expect(text.contains("FATAL") && text.contains("server.log"))
    #expect(!text.contains("\n"))
    #expect(try scene.running() == nil)
  }

  @Test func `a file in the way of a directory is named`() throws {
    let scene = try Scene()
    #expect(FileManager.default.createFile(atPath: scene.dataDirectory, contents: nil))
    let error = #expect(throws: PrivatePostgresError.self) { _ = try scene.cluster.acquire(.createIfMissing) }
    #expect(error?.description.contains(scene.dataDirectory) == true)
  }

  /// For a while only: where nobody waits for orphans, a dead process keeps its id.
  private func waitForEnd(of identifier: Int32) {
    let deadline = ContinuousClock.now + .seconds(5)
    while kill(identifier, 0) == 0, ContinuousClock.now < deadline { usleep(2_000) }
  }
}
