import Foundation
import PrivatePostgres
import TestSupport
import Testing

@Suite(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/exe")))
struct `Commands at the same time` {
  @Test func `eight processes that begin at once share one cluster and the last stops it`() throws {
    let scene = try Scene()
    var holders: [Box] = []
    for _ in 0..<8 { holders.append(Box(try ClusterHolder(dataDirectory: scene.dataDirectory, in: scene.directory))) }
    let held = try holders.map { try $0.holder.waitUntilHeld() }
    #expect(held.count(where: \.wasCreated) == 1)
    #expect(Set(held.map(\.connectionString)).count == 1)
    let server = try #require(try scene.running())
    for box in holders.dropLast() { try box.holder.release() }
    #expect(try scene.running()?.processIdentifier == server.processIdentifier)
    try holders.last?.holder.release()
    #expect(try scene.running() == nil)
  }

  @Test func `a killed command is no user any more and the next command stops its server`() throws {
    let scene = try Scene.withCluster()
    let holder = try ClusterHolder(dataDirectory: scene.dataDirectory, in: scene.directory)
    _ = try holder.waitUntilHeld()
    let lease = try scene.cluster.acquire(.existingOnly)
    try holder.crash()
    #expect(try scene.running() != nil)
    try lease.release()
    #expect(try scene.running() == nil)
    let alone = try ClusterHolder(dataDirectory: scene.dataDirectory, in: scene.directory)
    _ = try alone.waitUntilHeld()
    try alone.crash()
    #expect(try scene.running() != nil)
    try scene.cluster.acquire(.existingOnly).release()
    #expect(try scene.running() == nil)
  }

  @Test func `one command that starts as another stops gets a server`() throws {
    let scene = try Scene.withCluster()
    for _ in 0..<3 {
      let leaving = try ClusterHolder(dataDirectory: scene.dataDirectory, in: scene.directory)
      _ = try leaving.waitUntilHeld()
      let coming = try ClusterHolder(dataDirectory: scene.dataDirectory, in: scene.directory)
      try leaving.release()
      let held = try coming.waitUntilHeld()
      #expect(try psql(held.connectionString, "SELECT 1") == "1")
      try coming.release()
    }
    #expect(try scene.running() == nil)
  }

  @Test func `a command killed in the middle of making the cluster leaves it to the next`() throws {
    let scene = try Scene()
    for delayMilliseconds in [60, 250, 500] as [UInt32] {
      let holder = try ClusterHolder(dataDirectory: scene.dataDirectory, in: scene.directory)
      usleep(delayMilliseconds * 1_000)
      try holder.crash()
    }
    let lease = try scene.cluster.acquire(.createIfMissing)
    #expect(try psql(lease.connectionString, "SELECT 1") == "1")
    try lease.release()
    #expect(try scene.running() == nil)
  }

  /// Noncopyable values do not go into an array.
  private final class Box {
    let holder: ClusterHolder
    init(_ holder: consuming ClusterHolder) { self.holder = holder }
  }
}
