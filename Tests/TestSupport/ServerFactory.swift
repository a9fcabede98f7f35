import Foundation
import PrivatePostgres

/// Makes servers quickly: one cluster is made by initdb for the process, the others are copies of it.
package struct ServerFactory: Sendable {
  private static let result = Result { try ServerFactory() }

  static var shared: ServerFactory { get throws { try result.get() } }

  let programs: PostgresPrograms
  /// The path of `psql`, which may lie elsewhere than the server's programs.
  let psql: String
  private let user: ServerUser
  private let pristine: PostgresServer

  private init() throws {
    programs = try PostgresPrograms.find()
    psql = try PostgresPrograms.findClient("psql", version: programs.majorVersion)
    user = try ServerUser.choose(owner: geteuid())
    pristine = PostgresServer(home: try Self.makeHome(TestRoot.shared.newServerPath(), user), user: user)
    try pristine.create(
      programs: programs, durability: .none,
      settings: [("max_connections", "200"), ("shared_buffers", "64MB"), ("max_wal_size", "1GB")])
  }

  /// A server that is not yet started.
  func make(settings: [String: String]) throws -> PostgresServer {
    try make(home: try TestRoot.shared.newServerPath(), settings: settings)
  }

  /// Puts a cluster below a data directory as ``PrivateCluster`` would have made it, in a tenth of the time.
  package static func placePrivateCluster(in dataDirectory: String) throws {
    try SystemCalls.makeDirectory(dataDirectory, permissions: 0o711)
    _ = try shared.make(home: "\(dataDirectory)/postgres", settings: [:])
  }

  private func make(home: String, settings: [String: String]) throws -> PostgresServer {
    let server = PostgresServer(home: try Self.makeHome(home, user), user: user)
    let lines = settings.sorted { $0.key < $1.key }
      .map { "\($0.key) = '\($0.value.replacingOccurrences(of: "'", with: "''"))'\n" }.joined()
    let copy = "cp -a \"$1\" data && printf '%s' \"$2\" >> data/postgresql.conf"
    let output = try user.run(
      ["/bin/sh", "-c", copy, "sh", pristine.cluster, lines], directory: server.home, timeout: .seconds(60))
    guard output.status == 0 else { throw TestSupportError("copying a cluster failed: \(output.lastLine)") }
    return server
  }

  private static func makeHome(_ home: String, _ user: ServerUser) throws -> String {
    try SystemCalls.makeDirectory(home, permissions: 0o700)
    if user.userID != geteuid() { try SystemCalls.giveDirectory(home, to: user.userID, group: user.groupID) }
    return home
  }
}
