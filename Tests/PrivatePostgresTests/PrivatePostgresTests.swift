import Foundation
import PrivatePostgres
import Synchronization
import TestSupport
import Testing

/// A data directory of one test, and what its cluster says to people.
final class Scene: Sendable {
  /// One whose server runs all the time, for tests that only look at it.
  static let shared = Result {
    let scene = try Scene.withCluster()
    try scene.cluster.start()
    return scene
  }

  let directory: TemporaryDirectory
  let dataDirectory: String
  private let durability: PostgresServer.Durability
  private let said = Mutex<[String]>([])

  init(_ name: String = "data", durability: PostgresServer.Durability = .none) throws {
    self.durability = durability
    directory = try TemporaryDirectory()
    dataDirectory = "\(directory.path)/\(name)"
  }

  deinit { _ = try? cluster.stop() }

  /// A data directory in which a cluster was made before.
  static func withCluster() throws -> Scene {
    let scene = try Scene()
    try ServerFactory.placePrivateCluster(in: scene.dataDirectory)
    return scene
  }

  var notices: [String] { said.withLock { $0 } }

  var cluster: PrivateCluster {
    PrivateCluster(dataDirectory: dataDirectory, durability: durability) { text in
      self.said.withLock { $0.append(text) }
    }
  }

  /// The cluster's server and where it is; nil when it does not run.
  func running() throws -> (processIdentifier: Int32, directory: String, keptRunning: Bool)? {
    switch try cluster.status() {
    case .running(let directory, _, let identifier, let kept, _): (identifier, directory, kept)
    case .absent, .stopped: nil
    }
  }

  /// Runs a shell in the place of the server's user.
  func asServerUser(_ script: String) throws {
    let home = try #require(SystemCalls.information("\(dataDirectory)/postgres"))
    let output = try ServerUser.choose(owner: home.ownerID)
      .run(["/bin/sh", "-c", script], directory: "\(dataDirectory)/postgres", timeout: .seconds(20))
    #expect(output.status == 0, "\(output.text)")
  }
}

/// Runs SQL as a client would.
func psql(_ connectionString: String, _ sql: String) throws -> String {
  let program = try PostgresPrograms.findClient("psql", version: PostgresPrograms.find().majorVersion)
  let output = try ChildProcess.run(
    [program, "-X", "-A", "-t", "-q", "-d", connectionString, "-c", sql], environment: ChildProcess.environment(),
    timeout: .seconds(30))
  return output.text.trimmingCharacters(in: .newlines)
}

@Suite struct `The private cluster` {
  @Test func `a command that only reads makes nothing and says where it looked`() throws {
    let scene = try Scene()
    let expected = "\(scene.dataDirectory)/postgres"
    #expect(throws: PrivatePostgresError.noCluster(lookedIn: expected)) { _ = try scene.cluster.acquire(.existingOnly) }
    #expect(throws: PrivatePostgresError.noCluster(lookedIn: expected)) { try scene.cluster.stop() }
    #expect(try scene.cluster.status() == .absent(lookedIn: expected))
    #expect(!FileManager.default.fileExists(atPath: scene.dataDirectory))
    try FileManager.default.createDirectory(atPath: scene.dataDirectory, withIntermediateDirectories: false)
    #expect(throws: PrivatePostgresError.noCluster(lookedIn: expected)) { _ = try scene.cluster.acquire(.existingOnly) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.dataDirectory).isEmpty)
  }

  @Test func `it is made once, said so, kept on disk and stopped by its last user`() throws {
    let scene = try Scene(durability: .full)
    let first = try scene.cluster.acquire(.createIfMissing)
    #expect(first.wasCreated == true)
    #expect(scene.notices.count == 1)
    #expect(scene.notices.first?.contains("\(scene.dataDirectory)/postgres") == true)
    let settings = """
      SELECT current_setting('listen_addresses') || '|' || current_setting('fsync') || '|' ||
        current_setting('synchronous_commit') || '|' || current_setting('data_checksums') || '|' ||
        current_setting('server_encoding') || '|' || current_setting('lc_collate') || '|' ||
        current_setting('TimeZone') || '|' || current_setting('jit') || '|' || current_setting('max_wal_size')
      """
    // lc_collate is a setting up to PostgreSQL 15 only.
    let portable = settings.replacingOccurrences(
      of: "current_setting('lc_collate')", with: "(SELECT datcollate FROM pg_database WHERE datname = 'pagefall')")
    #expect(try psql(first.connectionString, portable) == "|on|on|on|UTF8|C|UTC|off|4GB")
    _ = try psql(first.connectionString, "CREATE TABLE kept AS SELECT 7 AS n")
    let second = try scene.cluster.acquire(.existingOnly)
    #expect(second.wasCreated == false)
    #expect(second.connectionString == first.connectionString)
    try first.release()
    #expect(try psql(second.connectionString, "SELECT n FROM kept") == "7")
    try second.release()
    #expect(try scene.running() == nil)
    let third = try scene.cluster.acquire(.existingOnly)
    #expect(try psql(third.connectionString, "SELECT n FROM kept") == "7")
    try third.release()
    #expect(scene.notices.count == 1)
  }

  @Test func `what was asked to be kept stays until it is stopped, and no longer`() throws {
    let scene = try Scene.withCluster()
    try scene.cluster.start()
    #expect(try scene.running()?.keptRunning == true)
    try scene.cluster.acquire(.existingOnly).release()
    #expect(try scene.running() != nil)
    #expect(try scene.cluster.stop())
    #expect(try scene.running() == nil)
    #expect(try !scene.cluster.stop())
    // A wish that outlived its server, as after a crash of the machine; and a lease that is let go without a word.
    try scene.cluster.start()
    let wish = try String(contentsOfFile: "\(scene.dataDirectory)/postgres.keep", encoding: .utf8)
    try scene.cluster.stop()
    try wish.write(toFile: "\(scene.dataDirectory)/postgres.keep", atomically: true, encoding: .utf8)
    do {
      let lease = try scene.cluster.acquire(.existingOnly)
      #expect(try psql(lease.connectionString, "SELECT 1") == "1")
    }
    #expect(try scene.running() == nil)
  }

  @Test func `its server has a session of its own and none of the descriptors of who started it`() throws {
    let scene = try Scene.shared.get()
    let lease = try scene.cluster.acquire(.existingOnly)
    let server = try #require(try scene.running())
    #expect(getsid(server.processIdentifier) == server.processIdentifier)
    #if os(Linux)
      let descriptors = "/proc/\(server.processIdentifier)/fd"
      let open = try FileManager.default.contentsOfDirectory(atPath: descriptors)
        .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(descriptors)/\($0)") }
      #expect(!open.isEmpty)
      #expect(open.filter { $0.contains("/postgres.") }.isEmpty)
    #endif
    try lease.release()
  }

  @Test func `clients run in the foreground against it and give their exit status`() throws {
    let scene = try Scene.shared.get()
    let lease = try scene.cluster.acquire(.existingOnly)
    let output = "\(scene.directory.path)/output"
    let query = "SELECT current_user || ' ' || current_database()"
    #expect(try lease.runClient(arguments: ["-X", "-A", "-t", "-o", output, "-c", query]) == 0)
    #expect(try String(contentsOfFile: output, encoding: .utf8) == "pagefall pagefall\n")
    #expect(try lease.runClient(arguments: ["-X", "-q", "-c", "\\! exit 0", "-f", "/nonexistent/file"]) == 1)
    #expect(throws: PrivatePostgresError.self) { try lease.runClient("no-such-client", arguments: []) }
    try lease.release()
  }
}
