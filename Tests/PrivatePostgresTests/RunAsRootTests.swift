import Foundation
import PrivatePostgres
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0)) struct `Run by root` {
  @Test func `another user runs the server, and nobody else may connect`() throws {
    let scene = try Scene.shared.get()
    let lease = try scene.cluster.acquire(.existingOnly)
    let server = try #require(try scene.running())
    let directory = try #require(SystemCalls.information(server.directory))
    #expect(directory.ownerID != 0)
    #expect(directory.permissions == 0o700)
    #expect(SystemCalls.information("\(scene.dataDirectory)/postgres")?.permissions == 0o700)
    // Even with the directories open, the server itself asks the kernel who comes.
    #expect(chmod("\(scene.dataDirectory)/postgres", 0o755) == 0)
    #expect(chmod("\(scene.dataDirectory)/postgres/socket", 0o755) == 0)
    let program = try PostgresPrograms.findClient("psql", version: PostgresPrograms.find().majorVersion)
    let stranger = try ServerUser.choose(owner: 65_534)
    let output = try stranger.run(
      [program, "-X", "-d", lease.connectionString, "-c", "SELECT 1"], directory: "/", timeout: .seconds(20))
    #expect(output.status != 0)
    #expect(output.text.contains("eer authentication failed"))
    try lease.release()
  }

  @Test func `a data directory of a user's has its server run by that user`() throws {
    let scene = try Scene()
    try FileManager.default.createDirectory(atPath: scene.dataDirectory, withIntermediateDirectories: false)
    #expect(chown(scene.dataDirectory, 65_534, 65_534) == 0)
    let lease = try scene.cluster.acquire(.createIfMissing)
    #expect(SystemCalls.information("\(scene.dataDirectory)/postgres/data")?.ownerID == 65_534)
    #expect(SystemCalls.information("\(scene.dataDirectory)/postgres.lock")?.ownerID == 65_534)
    #expect(try psql(lease.connectionString, "SELECT 1") == "1")
    try lease.release()
  }

  @Test func `below a closed directory the home lies elsewhere, follows a move and refuses a copy`() throws {
    let scene = try Scene("closed/data")
    let closed = "\(scene.directory.path)/closed"
    try SystemCalls.makeDirectory(closed, permissions: 0o700)
    let lease = try scene.cluster.acquire(.createIfMissing)
    _ = try psql(lease.connectionString, "CREATE TABLE kept AS SELECT 7 AS n")
    let home = SystemCalls.canonicalPath(try #require(try scene.running()).directory + "/..")
    defer { try? FileManager.default.removeItem(atPath: home) }
    #expect(home.hasPrefix("/var/lib/pagefall/"))
    #expect(!FileManager.default.fileExists(atPath: "\(scene.dataDirectory)/postgres"))
    try lease.release()

    let copy = "\(closed)/copy"
    try FileManager.default.copyItem(atPath: scene.dataDirectory, toPath: copy)
    let refused = PrivatePostgresError.copiedDirectory(path: copy, original: scene.dataDirectory, home: home)
    #expect(throws: refused) { _ = try PrivateCluster(dataDirectory: copy).acquire(.createIfMissing) }
    try FileManager.default.removeItem(atPath: scene.dataDirectory)
    let moved = try PrivateCluster(dataDirectory: copy).acquire(.existingOnly)
    #expect(try psql(moved.connectionString, "SELECT n FROM kept") == "7")
    try moved.release()

    // A new data directory at the old place begins empty.
    let fresh = try scene.cluster.acquire(.createIfMissing)
    #expect(fresh.wasCreated == true)
    let freshHome = SystemCalls.canonicalPath(try #require(try scene.running()).directory + "/..")
    defer { try? FileManager.default.removeItem(atPath: freshHome) }
    #expect(freshHome != home)
    #expect(scene.notices.contains { $0.contains(home) })
    try fresh.release()
  }
}
