import Foundation
import PrivatePostgres
import TestSupport
import Testing

/// A lease in a process of its own: this test binary again, running only ``holdLeaseForAnotherTest()``.
struct ClusterHolder: ~Copyable {
  static let directoryVariable = "PAGEFALL_TEST_LEASE_DIRECTORY"
  static let releaseVariable = "PAGEFALL_TEST_LEASE_RELEASE"

  let process: PagefallProcess.Running
  private let releaseFile: String

  init(dataDirectory: String, in directory: TemporaryDirectory) throws {
    releaseFile = "\(directory.path)/release-\(UUID().uuidString)"
    let binary = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process = try PagefallProcess.start(
      ["--testing-library", "swift-testing", "--filter", "holdLeaseForAnotherTest"],
      environment: [Self.directoryVariable: dataDirectory, Self.releaseVariable: releaseFile], binary: binary)
  }

  /// Waits until it holds the lease.
  /// - Returns: whether it made the cluster, and the connection string.
  func waitUntilHeld() throws -> (wasCreated: Bool, connectionString: String) {
    let line = try process.waitForLine(containing: "LEASE ")
    let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
    return (parts[1] == "true", parts[2])
  }

  /// Has it end its lease as a command does.
  func release() throws {
    _ = FileManager.default.createFile(atPath: releaseFile, contents: nil)
    let code = try process.waitForExit()
    #expect(code == 0, "\(process.standardOutput)")
  }

  /// Ends it as a crash does.
  func crash() throws {
    process.signal(SIGKILL)
    try process.waitForExit()
  }
}

@Test(.enabled(if: ProcessInfo.processInfo.environment[ClusterHolder.directoryVariable] != nil))
func holdLeaseForAnotherTest() throws {
  let environment = ProcessInfo.processInfo.environment
  let directory = try #require(environment[ClusterHolder.directoryVariable])
  let releaseFile = try #require(environment[ClusterHolder.releaseVariable])
  let lease = try PrivateCluster(dataDirectory: directory, durability: .none).acquire(.createIfMissing)
  FileHandle.standardOutput.write(Data("LEASE \(lease.wasCreated) \(lease.connectionString)\n".utf8))
  while !FileManager.default.fileExists(atPath: releaseFile) { usleep(5_000) }
  try lease.release()
}

/// Has ``TestServer`` started in a process of its own, and says where it is.
@Test(.enabled(if: ProcessInfo.processInfo.environment["PAGEFALL_TEST_SHARED_SERVER"] != nil))
func startSharedServerForAnotherTest() throws {
  let database = try TestDatabase()
  let directory = try database.psql("SHOW data_directory")
  FileHandle.standardOutput.write(Data("SERVER \(directory)\n".utf8))
  sleep(60)
}
