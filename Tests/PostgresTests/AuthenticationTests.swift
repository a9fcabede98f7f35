import Foundation
import Postgres
import TestSupport
import Testing

@Suite struct AuthenticationTests {
  private let directory: TemporaryDirectory
  private let server: DedicatedServer

  init() throws {
    directory = try TemporaryDirectory()
    let rules = directory.path + "/pg_hba.conf"
    try "local all ann scram-sha-256\nlocal all all trust\n".write(toFile: rules, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: rules)
    server = try DedicatedServer(settings: [
      "hba_file": rules, "max_connections": "5", "superuser_reserved_connections": "1",
    ])
    _ = try server.psql("CREATE ROLE ann LOGIN PASSWORD 'sesame'")
  }

  @Test func `passwords come from the string or the passfile, and errors say what is wrong`() throws {
    let passfile = directory.path + "/pass"
    try "*:*:*:ann:sesame\n".write(toFile: passfile, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passfile)
    let asAnn = ["user": "ann", "passfile": "/nowhere"]

    for overrides in [["user": "ann", "passfile": passfile], asAnn.merging(["password": "sesame"]) { $1 }] {
      var connection = try PostgresTests.connect(server.connectionString, overrides)
      let user: String = try connection.execute("SELECT current_user")[0, 0]
      #expect(user == "ann")
    }

    let missing = PostgresTests.failure { _ = try PostgresTests.connect(server.connectionString, asAnn) }
    #expect(missing?.kind == .usage)
    #expect(missing?.description.contains("PGPASSWORD") == true)

    let wrong = PostgresTests.failure {
      _ = try PostgresTests.connect(server.connectionString, asAnn.merging(["password": "open,please"]) { $1 })
    }
    #expect(wrong?.kind == .server(.invalidPassword))
    #expect(wrong?.isRetryable == false)
    #expect(wrong?.description.contains("password authentication failed for user \"ann\"") == true)
    #expect(wrong?.description.contains("LOCATION") == false)
    #expect(wrong?.debugDescription.contains("open,please") == false)

    let database = PostgresTests.failure { _ = try PostgresTests.connect(server.connectionString, ["dbname": "none"]) }
    #expect(database?.kind == .server(.invalidCatalogName))
    #expect(database?.isRetryable == false)

    var held: [HeldConnection] = []
    let full = PostgresTests.failure {
      for _ in 0..<8 { held.append(HeldConnection(try PostgresTests.connect(server.connectionString))) }
    }
    #expect(full?.kind == .server(.tooManyConnections))
    #expect(full?.isRetryable == true)
  }
}

private final class HeldConnection {
  let connection: PostgresConnection

  init(_ connection: consuming PostgresConnection) { self.connection = connection }
}
