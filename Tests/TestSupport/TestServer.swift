import PrivatePostgres

/// The PostgreSQL that the tests of one process share: started at first use, gone with the process.
///
/// It syncs nothing (`fsync = off`) and takes 200 connections. Tests that stop a server use ``DedicatedServer``.
public final class TestServer: Sendable {
  private static let result = Result { try TestServer() }

  /// The server; throws what kept it from starting.
  public static var shared: TestServer { get throws { try result.get() } }

  private let file: PostmasterFile
  /// How `CREATE DATABASE` is to copy a template: file by file, where it would else write all of it to the log as well.
  let copying: String

  private init() throws {
    let factory = try ServerFactory.shared
    file = try factory.make(settings: [:]).start(programs: factory.programs)
    // Since version 15 there is a choice.
    copying = (Int(factory.programs.majorVersion) ?? 0) >= 15 ? " STRATEGY file_copy" : ""
  }

  /// How libpq connects to a database of it, as its superuser.
  public func connectionString(database: String = "postgres") -> String {
    PostgresServer.connectionString(file, database: database)
  }

  /// Runs SQL in the database `postgres`.
  func administrate(_ sql: String) throws -> String { try Psql.run(sql, connectionString: connectionString()) }
}
